"""Strings of DNA, RNA and proteins: read as FASTA, and as numbers that a matrix compares."""

from itertools import combinations
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.problems.alignment.blosum62 import LETTERS, blosum62
from nrpa.problems.common import fault_in_list
from nrpa.problems.lines import located_lines

NUCLEOTIDES = "ACGTUN"
MOST_STRINGS, MOST_CELLS = 50, 4_000_000


def read_fasta(text: str, label: str) -> tuple[list[str], list[str]]:
    """Return the names and the strings."""
    names, strings = list[str](), list[str]()
    for line in located_lines(text, label):
        if line.startswith(">"):
            names.append(line[1:].strip())
            strings.append("")
        elif names:
            strings[-1] += "".join(line.split())
        else:
            line.expected("a line '>NAME' before the letters")
    return names, strings


def checked_strings(strings: Any) -> list[str]:
    """Return strings to be aligned in capitals; InputError for anything else, and for too many or too long ones."""
    fault = fault_in_list(strings, "expected a list of strings", "string", "a text of letters", _is_text)
    if fault or not 2 <= len(strings) <= MOST_STRINGS:
        raise InputError(fault or f"expected 2 to {MOST_STRINGS} strings, found {len(strings)}")
    if sum((len(one) + 1) * (len(other) + 1) for one, other in combinations(strings, 2)) > MOST_CELLS:
        raise InputError(f"expected strings whose lengths, multiplied in pairs, sum up to {MOST_CELLS:,} at most")
    capitals = [string.upper() for string in strings]
    if odd := sorted(set("".join(capitals)) - {*LETTERS, *NUCLEOTIDES}):
        raise InputError(f"expected the letters {LETTERS} of proteins, or {NUCLEOTIDES}, found {odd[0]!r}")
    return capitals


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.isalpha()


def compared(strings: list[str], match: int, mismatch: int) -> tuple[str, np.ndarray]:
    """Return the letters of what strings are made of, and the matrix of what each pair of them is worth."""
    if set("".join(strings)) <= {*NUCLEOTIDES}:
        return NUCLEOTIDES, np.eye(len(NUCLEOTIDES), dtype=np.int64) * (match + mismatch) - mismatch
    if "U" in "".join(strings):
        raise InputError(f"expected the letters {LETTERS} of proteins, found 'U'")
    return LETTERS, blosum62()
