"""Secondary structures in dot-bracket notation."""

from __future__ import annotations

from nrpa.base.errors import InputError

SHORTEST_HAIRPIN = 3


def pair_table(structure: str, brackets: str = "()") -> list[int]:
    """Return the partner of each position of a structure.

    Parameters
    ----------
    structure : str
        The structure in dot-bracket notation.
    brackets : str
        The opening and the closing bracket that count; others are read as unpaired.

    Returns
    -------
    list of int
        For each position its partner, both from 0; −1 where there is none.

    Raises
    ------
    InputError
        If a bracket has no partner; the message has its position, from 1.

    Examples
    --------
    >>> pair_table("(...).")
    [4, -1, -1, -1, 0, -1]
    """
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
    """Return the pairs of a structure.

    Parameters
    ----------
    structure : str
        The structure in dot-bracket notation.
    brackets : str
        The opening and the closing bracket that count.

    Returns
    -------
    set of tuple of int
        The pairs (i, j), i < j, from 0.

    Raises
    ------
    InputError
        If a bracket has no partner; the message has its position, from 1.

    Examples
    --------
    >>> sorted(base_pairs("((...))"))
    [(0, 6), (1, 5)]
    """
    return {(i, j) for i, j in enumerate(pair_table(structure, brackets)) if j > i}


def parse_target(structure: str) -> list[int]:
    """Return the pair table of a structure that some sequence could fold into.

    Parameters
    ----------
    structure : str
        The structure in dot-bracket notation.

    Returns
    -------
    list of int
        For each position its partner, both from 0; −1 where there is none.

    Raises
    ------
    InputError
        If it is empty, has other symbols than ``(``, ``)`` and ``.``, unbalanced brackets, or hairpin loops of fewer
        than three positions.
    """
    if not structure:
        raise InputError("expected a structure in dot-bracket notation, found nothing")
    for i, symbol in enumerate(structure):
        if symbol in "[]{}<>":
            raise InputError(f"{symbol!r} at position {i + 1} would cross other pairs; expected only '(', ')' and '.'")
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


def parse_sequence(text: str) -> str:
    """Return an RNA sequence in capitals, T read as U.

    Parameters
    ----------
    text : str
        The sequence.

    Returns
    -------
    str
        The letters A, C, G and U.

    Raises
    ------
    InputError
        If there are other letters or none.

    Examples
    --------
    >>> parse_sequence("gattaca")
    'GAUUACA'
    """
    sequence = text.upper().replace("T", "U")
    if not sequence:
        raise InputError("expected a sequence of the letters A, C, G and U, found nothing")
    for i, letter in enumerate(sequence):
        if letter not in "ACGU":
            raise InputError(f"expected A, C, G or U at position {i + 1}, found {text[i]!r}")
    return sequence


def helices(partner: list[int]) -> list[list[tuple[int, int]]]:
    """Return the runs of stacked pairs of a structure.

    Parameters
    ----------
    partner : list of int
        The pair table: each position's partner, −1 for none.

    Returns
    -------
    list of list of tuple of int
        The pairs (i, j) of each run, the outermost first.

    Examples
    --------
    >>> helices(pair_table("((...))(...)"))
    [[(0, 6), (1, 5)], [(7, 11)]]
    """
    found: list[list[tuple[int, int]]] = []
    for i, j in enumerate(partner):
        if j > i:
            if found and found[-1][-1] == (i - 1, j + 1):
                found[-1].append((i, j))
            else:
                found.append([(i, j)])
    return found
