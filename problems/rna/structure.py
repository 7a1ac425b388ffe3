"""Secondary structures in dot-bracket notation."""

from typing import Any

from nrpa.base.errors import InputError

BASES = "AUGC"
PAIRS = ("CG", "GC", "UA", "AU", "UG", "GU")
"""In the order of their moves; seen from its other end, pair t is pair t ^ 1."""
OPENING, CLOSING = ("".join(pair[end] for pair in PAIRS) for end in (0, 1))
WIDTH = len(PAIRS)
CAN_PAIR = frozenset(PAIRS)
SHORTEST_HAIRPIN = 3
LONGEST = 32_767
"""ViennaRNA folds no more."""
IUPAC = {
    **{"A": "A", "C": "C", "G": "G", "U": "U", "R": "AG", "Y": "CU", "S": "CG", "W": "AU", "K": "GU", "M": "AC"},
    **{"B": "CGU", "D": "AGU", "H": "ACU", "V": "ACG", "N": "ACGU"},
}
"""The bases that a letter stands for."""


def pair_table(structure: str, brackets: str = "()") -> list[int]:
    """Return the partner of each position of a structure, -1 for none; InputError if a bracket has none."""
    opening, closing = brackets[0], brackets[1]
    partner = [-1] * len(structure)
    waiting: list[int] = []
    for j, symbol in enumerate(structure):
        if symbol == opening:
            waiting.append(j)
        elif symbol == closing:
            if not waiting:
                raise InputError(f"the {closing!r} at position {j + 1} closes nothing")
            i = waiting.pop()
            partner[i], partner[j] = j, i
    if waiting:
        raise InputError(f"the {opening!r} at position {waiting[-1] + 1} is never closed")
    return partner


def base_pairs(structure: str, brackets: str = "()") -> set[tuple[int, int]]:
    """Return the pairs of a structure; InputError if a bracket has no partner."""
    return {(i, j) for i, j in enumerate(pair_table(structure, brackets)) if j > i}


def parse_target(structure: str) -> list[int]:
    """Return the pair table of a structure that some sequence could fold into."""
    _require_text(structure, "a structure in dot-bracket notation")
    for i, symbol in enumerate(structure):
        if symbol in "[]{}<>":
            raise InputError(
                f"expected '(', ')' or '.' at position {i + 1}, found {symbol!r}; pairs have round brackets"
            )
        if symbol not in "(.)":
            raise InputError(f"expected '(', ')' or '.' at position {i + 1}, found {symbol!r}")
    partner = pair_table(structure)
    for i, j in enumerate(partner):
        if 0 <= j - i - 1 < SHORTEST_HAIRPIN and j > i:
            raise InputError(
                f"the hairpin loop between positions {i + 1} and {j + 1} has {j - i - 1} bases; "
                f"no sequence can fold so, a hairpin needs at least {SHORTEST_HAIRPIN}"
            )
    return partner


def parse_sequence(text: str, *, iupac: bool = False) -> str:
    """Return an RNA sequence in capitals, T read as U; one of IUPAC's letters where these are asked for."""
    letters, expected = (IUPAC, "a letter of IUPAC (A, C, G, U, R to N)") if iupac else (BASES, "A, C, G or U")
    _require_text(text, "a sequence of the letters A, C, G and U")
    for i, letter in enumerate(text):
        if not letter.isascii() or letter.upper() not in {*letters, "T"}:
            raise InputError(f"expected {expected} at position {i + 1}, found {letter!r}")
    return text.upper().replace("T", "U")


def _require_text(text: Any, expected: str) -> None:
    if not isinstance(text, str) or not text:
        found = "nothing" if isinstance(text, str) else type(text).__name__
        raise InputError(f"expected {expected}, found {found}")
    if len(text) > LONGEST:
        raise InputError(f"expected at most {LONGEST:,} bases, found {len(text):,}")


def helices(partner: list[int]) -> list[list[tuple[int, int]]]:
    """Return the runs of stacked pairs of a structure."""
    found: list[list[tuple[int, int]]] = []
    for i, j in enumerate(partner):
        if j > i:
            if found and found[-1][-1] == (i - 1, j + 1):
                found[-1].append((i, j))
            else:
                found.append([(i, j)])
    return found
