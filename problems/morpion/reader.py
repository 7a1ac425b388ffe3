"""Reading start positions."""

from __future__ import annotations

from typing import NamedTuple

from nrpa.base.errors import InputError
from nrpa.problems.morpion.notation import DOT, FREE, drawn_rows, moves_of_lines, numbered_lines
from nrpa.problems.morpion.rules import VARIANTS, Dot, Game, Move, cross


class ParsedMorpion(NamedTuple):
    """A start position as a file has it.

    Attributes
    ----------
    variant : {"5T", "5D", "4T", "4D"}
        The rules.
    dots : set of tuple of int
        The dots (x, y) of the start.
    moves : list of Move
        What was played from there.
    """

    variant: str
    dots: set[Dot]
    moves: list[Move]


def parse_morpion(text: str, label: str) -> ParsedMorpion:
    r"""Parse a start position: the variant, then the dots, then the moves played, the last two optional.

    The dots are drawn, ``o`` for a dot and ``.`` for none, the first character of the first row at (0, 0). Without them
    the game starts from the standard cross. The moves are in either notation of games. ``#`` starts a comment.

    Parameters
    ----------
    text : str
        The content of the file.
    label : str
        Names the file in errors.

    Returns
    -------
    ParsedMorpion
        The position.

    Raises
    ------
    InputError
        If the text is no position or a move is illegal; the message names the file, the line and what was expected.

    Examples
    --------
    >>> parsed = parse_morpion("4D\n", "example")
    >>> parsed.variant, len(parsed.dots), parsed.moves
    ('4D', 24, [])
    """
    lines = numbered_lines(text)
    if not lines:
        raise InputError(f"{label}: is empty; expected a variant ({', '.join(VARIANTS)}), then dots, then moves")
    number, variant = lines[0]
    if variant not in VARIANTS:
        raise InputError(f"{label}:{number}: expected a variant ({', '.join(VARIANTS)}), found {variant[:60]!r}")
    drawn = drawn_rows(lines[1:])
    numbered = moves_of_lines(lines[1 + len(drawn) :], f"{label}:")
    for number, line in drawn:
        for character in line:
            if character not in FREE + DOT:
                raise InputError(f"{label}:{number}: expected `{DOT}` (a dot) or `{FREE}`, found {character!r}")
    dots = {(x, y) for y, (_, line) in enumerate(drawn) for x, character in enumerate(line) if character == DOT}
    if drawn and not dots:
        raise InputError(f"{label}:{drawn[-1][0]}: the start position has no dot; expected at least one `{DOT}`")
    dots = dots or cross(variant)
    _require_legal(variant, dots, numbered, label)
    return ParsedMorpion(variant, dots, [move for _, move in numbered])


def _require_legal(variant: str, dots: set[Dot], numbered: list[tuple[int, Move]], label: str) -> None:
    game = Game(variant, dots)
    for count, (line, move) in enumerate(numbered, start=1):
        reason = game.fault(move)
        if reason:
            raise InputError(f"{label}:{line}: move {count} ({move}) is not legal: {reason}")
        game.play(move)
