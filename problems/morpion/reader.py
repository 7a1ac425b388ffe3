"""Reading start positions and games, in two notations: ``x y dir pos``, and Pentasol's, of the record games."""

import re
from itertools import takewhile

from nrpa.base.errors import InputError
from nrpa.problems.lines import Located, located_lines, refuse_gaps, split_lines, whole_within
from nrpa.problems.morpion.rules import STEPS, VARIANTS, Dot, MorpionGame, Move, cross

FREE, DOT = ".", "o"
EXPECTED = "a move `x y dir pos`, dir one of H V DP DN"

_PENTASOL_PLACE = r"\(\s*(-?[0-9]{1,6})\s*,\s*(-?[0-9]{1,6})\s*\)"
_PENTASOL_CORNER = re.compile(_PENTASOL_PLACE)
_PENTASOL_MOVE = re.compile(_PENTASOL_PLACE + r"\s*([-|/\\])\s*([+-]?[0-2])")
_PENTASOL_DIRECTIONS = {"-": "H", "|": "V", "/": "DP", "\\": "DN"}
PENTASOL_VARIANTS = ("5T", "5D")
_CORNER_CELL = 3
_MIDDLE = 2
_LIMIT = 10**6


def parse_morpion(text: str, label: str) -> tuple[str, set[Dot], list[Move]]:
    """Parse a start position: the variant, then the dots, then the moves played, the last two optional.

    The dots are drawn, ``o`` for a dot and ``.`` for none, the first character of the first row at (0, 0). Without them
    the game starts from the standard cross. The moves are in either notation of games. ``#`` starts a comment.
    """
    lines = _line_parts(text, label)
    if not lines:
        raise InputError(f"{label}: is empty; expected a variant ({', '.join(VARIANTS)}), then dots, then moves")
    variant = str(lines[0])
    if variant not in VARIANTS:
        lines[0].expected(f"a variant ({', '.join(VARIANTS)})")
    drawn = _drawn_rows(lines[1:])
    played = lines[1 + len(drawn) :]
    moves = _moves_of_lines(played)
    if played and played[0].startswith("(") and variant not in PENTASOL_VARIANTS:
        played[0].fail(f"Pentasol's notation is of {' and '.join(PENTASOL_VARIANTS)}, not of {variant}")
    _check_drawing(text, drawn)
    dots = {(x, y) for y, line in enumerate(drawn) for x, character in enumerate(line) if character == DOT}
    if drawn and not dots:
        drawn[-1].fail(f"the start position has no dot; expected at least one `{DOT}`")
    game = MorpionGame(variant, dots or cross(variant))
    for line, move in zip(played[len(played) - len(moves) :], moves, strict=True):
        game.play_if_legal(move, f"{line.where}: ")
    return variant, dots or cross(variant), game.moves


def _check_drawing(text: str, drawn: list[Located]) -> None:
    """Refuse rows of other characters, and rows that blanks would have to move."""
    for row in drawn:
        for character in row:
            if character not in FREE + DOT:
                row.at(character).expected(f"`{DOT}` (a dot) or `{FREE}`")
    refuse_gaps(text, drawn, f"a row after a blank line; expected `{FREE}` for each place without a dot")
    lines = split_lines(text)
    margins = [len(lines[row.line - 1]) - len(lines[row.line - 1].lstrip()) for row in drawn]
    for row, margin in zip(drawn, margins, strict=True):
        if margin != margins[0]:
            row.fail(f"a row that begins in another column; expected `{FREE}` for each place without a dot")


def _line_parts(text: str, label: str = "") -> list[Located]:
    """Return what stands between line ends and semicolons, without comments."""
    parts = [line.at(part.strip()) for line in located_lines(text, label) for part in line.split(";")]
    return [part for part in parts if part]


def parse_moves(text: str) -> list[Move]:
    """Return the moves of a game in either notation."""
    lines = _line_parts(text)
    if lines and lines[0] in VARIANTS:
        lines = lines[1:]
    return _moves_of_lines(lines[len(_drawn_rows(lines)) :])


def _drawn_rows(lines: list[Located]) -> list[Located]:
    """Return the lines that draw a start position: those before the first move."""
    return list(takewhile(lambda line: line[0] in FREE + DOT, lines))


def _moves_of_lines(lines: list[Located]) -> list[Move]:
    """Return the moves of a game; in Pentasol's notation, the first line is the corner of the cross."""
    if lines and lines[0].startswith("("):
        return _pentasol(*lines)
    return [_move_of_line(line) for line in lines]


def _move_of_line(line: Located) -> Move:
    words = line.split()
    if len(words) == 4 and words[2] in STEPS:
        x, y, position = (whole_within(word, -_LIMIT, _LIMIT) for word in (words[0], words[1], words[3]))
        if x is not None and y is not None and position is not None:
            return Move(x, y, words[2], position)
    return line.expected(EXPECTED)


def _pentasol(first: Located, *lines: Located) -> list[Move]:
    r"""Read ``(x,y)``, the upper left inner corner of the cross, then moves ``(x,y) direction centre``.

    Such games are of 5T or 5D. The direction is one of - | / and \; centre is how many steps the middle of the line
    lies after the new dot.
    """
    corner = _PENTASOL_CORNER.fullmatch(first)
    if corner is None:
        first.expected("the corner `(x,y)` that begins a Pentasol game")
    left, top = (int(word) - _CORNER_CELL for word in corner.groups())
    moves = []
    for line in lines:
        found = _PENTASOL_MOVE.fullmatch(line)
        if found is None:
            line.expected("a Pentasol move `(x,y) - +2`")
        x, y, direction, centre = found.groups()
        moves.append(Move(int(x) - left, int(y) - top, _PENTASOL_DIRECTIONS[direction], _MIDDLE - int(centre)))
    return moves
