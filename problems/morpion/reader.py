"""Reading start positions and games, in two notations: ``x y dir pos``, and Pentasol's, of the record games."""

import re
from itertools import takewhile

from nrpa.base.errors import InputError
from nrpa.problems.common import blank_before, fail, filled_lines, whole_within
from nrpa.problems.morpion.rules import STEPS, VARIANTS, Dot, Game, Move, cross

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
    lines = _numbered_lines(text)
    if not lines:
        raise InputError(f"{label}: is empty; expected a variant ({', '.join(VARIANTS)}), then dots, then moves")
    number, variant = lines[0]
    if variant not in VARIANTS:
        fail(label, number, f"expected a variant ({', '.join(VARIANTS)}), found {variant[:60]!r}")
    drawn = _drawn_rows(lines[1:])
    played = lines[1 + len(drawn) :]
    numbered = _moves_of_lines(played, f"{label}:")
    if played and played[0][1].startswith("(") and variant not in PENTASOL_VARIANTS:
        fail(label, played[0][0], f"Pentasol's notation is of {' and '.join(PENTASOL_VARIANTS)}, not of {variant}")
    _check_drawing(text, drawn, label)
    dots = {(x, y) for y, (_, line) in enumerate(drawn) for x, character in enumerate(line) if character == DOT}
    if drawn and not dots:
        fail(label, drawn[-1][0], f"the start position has no dot; expected at least one `{DOT}`")
    game = Game(variant, dots or cross(variant))
    for line, move in numbered:
        game.play_if_legal(move, f"{label}:{line}: ")
    return variant, dots or cross(variant), game.moves


def _check_drawing(text: str, drawn: list[tuple[int, str]], label: str) -> None:
    """Refuse rows of other characters, and rows that blanks would have to move."""
    for number, row in drawn:
        for character in row:
            if character not in FREE + DOT:
                fail(label, number, f"expected `{DOT}` (a dot) or `{FREE}`, found {character!r}")
    if line := blank_before(text, [number for number, _ in drawn]):
        fail(label, line, f"a row after a blank line; expected `{FREE}` for each place without a dot")
    margins = {number: len(line) - len(line.lstrip()) for number, line in enumerate(text.splitlines(), 1)}
    if shifted := [number for number, _ in drawn if margins[number] != margins[drawn[0][0]]]:
        fail(label, shifted[0], f"a row that begins in another column; expected `{FREE}` for each place without a dot")


def _numbered_lines(text: str) -> list[tuple[int, str]]:
    """Return what stands between line ends and semicolons, with the numbers of the lines, without comments."""
    parts = [(number, part.strip()) for number, line in filled_lines(text) for part in line.split(";")]
    return [(number, part) for number, part in parts if part]


def parse_moves(text: str) -> list[Move]:
    """Return the moves of a game in either notation."""
    lines = _numbered_lines(text)
    if lines and lines[0][1] in VARIANTS:
        lines = lines[1:]
    return [move for _, move in _moves_of_lines(lines[len(_drawn_rows(lines)) :], "line ")]


def _drawn_rows(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines that draw a start position: those before the first move."""
    return list(takewhile(lambda line: line[1][0] in FREE + DOT, lines))


def _moves_of_lines(lines: list[tuple[int, str]], where: str) -> list[tuple[int, Move]]:
    """Return the moves of numbered lines, with their numbers; ``where`` and a number begin what an error says."""
    if lines and lines[0][1].startswith("("):
        return _pentasol(lines, where)
    return [(number, _move(line, f"{where}{number}")) for number, line in lines]


def _move(line: str, where: str) -> Move:
    words = line.split()
    if len(words) == 4 and words[2] in STEPS:
        x, y, position = (whole_within(word, -_LIMIT, _LIMIT) for word in (words[0], words[1], words[3]))
        if x is not None and y is not None and position is not None:
            return Move(x, y, words[2], position)
    raise InputError(f"{where}: expected {EXPECTED}, found {line[:60]!r}")


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
