"""Reading sequences: plain text and FASTA."""

from nrpa.base.errors import InputError
from nrpa.problems.common import fail, faults_of, filled_lines
from nrpa.problems.rna.structure import parse_sequence


def parse_fasta(text: str, label: str) -> str:
    """Return the one sequence of a plain or FASTA text; ``#`` starts a comment."""
    parts: list[str] = []
    records = 0
    for number, line in filled_lines(text):
        if line.startswith(">"):
            records += 1
            if records > 1 or parts:
                fail(label, number, "expected one sequence, found the beginning of another")
            continue
        with faults_of(f"{label}:{number}"):
            parts.append(parse_sequence("".join(line.split())))
    if not parts:
        raise InputError(f"{label}: is empty; expected a sequence of the letters A, C, G and U")
    return "".join(parts)
