"""The notations of games: ``x y dir pos``, and that of the Pentasol player, used for the record games of 5T and 5D."""

from __future__ import annotations

import re
from itertools import takewhile

from nrpa.base.errors import InputError
from nrpa.base.numerals import whole_of
from nrpa.problems.morpion.rules import STEPS, VARIANTS, Move

FREE, DOT = ".", "o"
EXPECTED = "a move `x y dir pos`, dir one of H V DP DN"

_PENTASOL_PLACE = r"\(\s*(-?[0-9]{1,6})\s*,\s*(-?[0-9]{1,6})\s*\)"
_PENTASOL_CORNER = re.compile(_PENTASOL_PLACE)
_PENTASOL_MOVE = re.compile(_PENTASOL_PLACE + r"\s*([-|/\\])\s*([+-]?[0-2])")
_PENTASOL_DIRECTIONS = {"-": "H", "|": "V", "/": "DP", "\\": "DN"}
_CORNER_CELL = 3
_MIDDLE = 2
_LIMIT = 10**6


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """Return the lines of a text that hold something, without comments.

    Parameters
    ----------
    text : str
        The text. ``#`` starts a comment; a ``;`` ends a line, too.

    Returns
    -------
    list of tuple
        The number of each line, from 1, and what it holds.
    """
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        parts = line.split("#", 1)[0].split(";")
        lines += [(number, part.strip()) for part in parts if part.strip()]
    return lines


def parse_moves(text: str) -> list[Move]:
    r"""Return the moves of a game in either notation.

    Parameters
    ----------
    text : str
        The text; a variant and a drawing of the start before the moves are skipped.

    Returns
    -------
    list of Move
        The moves.

    Raises
    ------
    InputError
        If a line is no move; the message names the line and what was expected.

    Examples
    --------
    >>> parse_moves("5T\n4 3 H 1\n")
    [Move(x=4, y=3, direction='H', position=1)]
    """
    lines = numbered_lines(text)
    if lines and lines[0][1] in VARIANTS:
        lines = lines[1:]
    return [move for _, move in moves_of_lines(lines[len(drawn_rows(lines)) :], "line ")]


def drawn_rows(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines that draw a start position: those before the first move.

    Parameters
    ----------
    lines : list of tuple
        Numbers and lines, as ``numbered_lines`` returns them.

    Returns
    -------
    list of tuple
        The first of them.
    """
    return list(takewhile(lambda line: line[1][0] in FREE + DOT, lines))


def moves_of_lines(lines: list[tuple[int, str]], where: str) -> list[tuple[int, Move]]:
    """Return the moves of numbered lines.

    Parameters
    ----------
    lines : list of tuple
        Numbers and lines, as ``numbered_lines`` returns them.
    where : str
        What stands before the number of the line in errors.

    Returns
    -------
    list of tuple
        The number of each line and its move.

    Raises
    ------
    InputError
        If a line is no move; the message names the line and what was expected.
    """
    if lines and lines[0][1].startswith("("):
        return _pentasol(lines, where)
    return [(number, _move(line, f"{where}{number}")) for number, line in lines]


def _move(line: str, where: str) -> Move:
    words = line.split()
    if len(words) != 4 or words[2] not in STEPS or not all(map(_is_whole, (words[0], words[1], words[3]))):
        raise InputError(f"{where}: expected {EXPECTED}, found {line[:60]!r}")
    return Move(int(words[0]), int(words[1]), words[2], int(words[3]))


def _is_whole(word: str) -> bool:
    number = whole_of(word)
    return number is not None and abs(number) <= _LIMIT


def _pentasol(lines: list[tuple[int, str]], where: str) -> list[tuple[int, Move]]:
    r"""Read ``(x,y)``, the upper left inner corner of the cross, then moves ``(x,y) direction centre``.

    Such games are of 5T or 5D. The direction is one of - | / and \; centre is how many steps the middle of the line
    lies after the new dot.
    """
    number, line = lines[0]
    corner = _PENTASOL_CORNER.fullmatch(line)
    if corner is None:
        raise InputError(
            f"{where}{number}: expected the corner `(x,y)` that begins a Pentasol game, found {line[:60]!r}"
        )
    left, top = (int(word) - _CORNER_CELL for word in corner.groups())
    moves = []
    for number, line in lines[1:]:
        found = _PENTASOL_MOVE.fullmatch(line)
        if found is None:
            raise InputError(f"{where}{number}: expected a Pentasol move `(x,y) - +2`, found {line[:60]!r}")
        x, y, direction, centre = found.groups()
        moves.append(
            (number, Move(int(x) - left, int(y) - top, _PENTASOL_DIRECTIONS[direction], _MIDDLE - int(centre)))
        )
    return moves
