"""Strings of DNA, RNA and proteins: read as FASTA, and as numbers that a matrix compares."""

from itertools import combinations
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import listed
from nrpa.problems.alignment.blosum62 import LETTERS, blosum62
from nrpa.problems.common import fault_in_list
from nrpa.problems.lines import located_lines

NUCLEOTIDES, AMBIGUOUS = "ACGTUN", "RYSWKMBDHV"
NUCLEIC, PROTEIN = "nucleotides", "proteins"
MOST_STRINGS, MOST_CELLS = 50, 4_000_000
TELLING = 0.5
"""From what share of A, C, G, T and N on strings without L, E, I and others may be DNA with ambiguous letters."""


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
    strings = listed(strings)
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


def compared(strings: list[str], kind: str, match: int, mismatch: int) -> tuple[str, np.ndarray]:
    """Return the letters of the strings' alphabet, and the matrix of the worth of each pair of letters.

    ``kind`` says what they are, or that they tell it themselves.
    """
    held = "".join(strings)
    is_nucleic = kind == NUCLEIC or (kind != PROTEIN and set(held) <= {*NUCLEOTIDES, *AMBIGUOUS})
    if is_nucleic and kind != NUCLEIC and "U" not in held and not set(held) <= {*NUCLEOTIDES}:
        share = sum(map(held.count, NUCLEOTIDES)) / len(held)
        if share >= TELLING:
            odd = next(letter for letter in held if letter not in NUCLEOTIDES)
            what = f"{odd} is an ambiguous nucleotide, or an amino acid, and the other letters are mostly those of DNA"
            raise InputError(f"{what}; say which by the option kind={NUCLEIC} or kind={PROTEIN}")
        is_nucleic = False
    known, what = (NUCLEOTIDES + AMBIGUOUS, "DNA and RNA") if is_nucleic else (LETTERS, "proteins")
    if odds := sorted(set(held) - {*known}):
        raise InputError(f"expected the letters {known} of {what}, found {odds[0]!r}")
    if not is_nucleic:
        return LETTERS, blosum62()
    known = known if set(held) - {*NUCLEOTIDES} else NUCLEOTIDES
    return known, np.eye(len(known), dtype=np.int64) * (match + mismatch) - mismatch
