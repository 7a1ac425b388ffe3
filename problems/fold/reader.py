"""Reading sequences: plain text and FASTA."""

from __future__ import annotations

from nrpa.base.errors import InputError
from nrpa.problems.rna.structure import parse_sequence


def parse_fasta(text: str, label: str) -> str:
    r"""Return the one sequence of a plain or FASTA text; ``#`` starts a comment.

    Parameters
    ----------
    text : str
        The content of the file.
    label : str
        Names the file in errors.

    Returns
    -------
    str
        The sequence in capitals, T read as U.

    Raises
    ------
    InputError
        If the text holds no sequence or several; the message names the file, the line and what was expected.

    Examples
    --------
    >>> parse_fasta(">a hairpin\nggggaaaa\ncccct\n", "example")
    'GGGGAAAACCCCU'
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
