"""Reading sequences: plain text and FASTA."""

from __future__ import annotations

from nrpa.base.errors import InputError
from nrpa.problems.rna.structure import parse_sequence


def parse_fasta(text: str, label: str) -> str:
    """Return the one sequence of a plain or FASTA text, in capitals, T read as U; `#` starts a comment.

    Raises InputError with the file, the line and what was expected.
    """
    parts: list[str] = []
    records = 0
    for k, line in enumerate(text.splitlines(), start=1):
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        if words[0].startswith(">"):
            records += 1
            if records > 1 or parts:
                raise InputError(f"{label}:{k}: expected one sequence, found the beginning of another")
            continue
        try:
            parts.append(parse_sequence("".join(words)))
        except InputError as error:
            raise InputError(f"{label}:{k}: {error}") from None
    if not parts:
        raise InputError(f"{label}: is empty; expected a sequence of the letters A, C, G and U")
    return "".join(parts)
