"""Morpion Solitaire: the standard cross of any variant, or a start position from a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import shown
from nrpa.io.source import Source
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import whole_text, zeros
from nrpa.problems.morpion.reader import parse_morpion, parse_moves
from nrpa.problems.morpion.rules import VARIANTS, Dot, MorpionGame, Move, check_morpion, cross, draw_morpion, form_fault

kernels = lazy("nrpa.problems.morpion.kernels")
replayed = lazy("nrpa.problems.morpion.replayed")
board = lazy("nrpa.problems.morpion.board")

TOUCHING_TEMPERATURES, DISJOINT_TEMPERATURES = (0.4, 1.5), (0.4, 1.0)
DISJOINT_ROTATION = 20


class Morpion(CompiledProblem):
    """Morpion Solitaire, or Join Five: place as many dots as possible, each of which completes a line of dots.

    The score is the number of moves, those played before the search included. A solution is a list of moves ``[x, y,
    direction, position]`` from the start (see ``rules.Move``). The code of a move is its line and the place of the new
    dot in it; there is no bias. The games of the search stay within ``area``: 11 cells around the cross of 5T and 5D,
    at least 10 around any other start.

    Parameters
    ----------
    variant : {"5T", "5D", "4T", "4D"}
        Lines of 5 or 4 dots. Two lines of one direction may touch at an end dot (T) or share none (D).
    dots : iterable of tuple of int, optional
        The dots (x, y) of the start, y downwards; the standard cross if they are not given.
    moves : iterable of tuple
        What was played from there, as (x, y, direction, position). The search goes on after it.

    Attributes
    ----------
    prefix : list of Move
        The moves that were played before the search.

    Raises
    ------
    InputError
        If this is no position.

    References
    ----------
    E. D. Demaine, M. L. Demaine, A. Langerman and S. Langerman, *Morpion Solitaire*, Theory of
    Computing Systems 39, 2006.

    Examples
    --------
    >>> problem = Morpion("5D")
    >>> problem.check([[5, 6, "H", 0], [6, 4, "V", 4]]).figures["moves"]
    2
    """

    name = "morpion"
    picture = "games:draw_grid"
    objective = Objective("moves", sign=1)
    forms = (
        "a variant (5T, 5D, 4T or 4D), perhaps with rows of `o` (a dot) and `.`",
        "below it moves `x y dir pos`, or a game of 5T or 5D as Pentasol has it",
    )

    def __init__(
        self, variant: str = "5T", *, dots: Iterable[Dot] | None = None, moves: Iterable[tuple[int, int, str, int]] = ()
    ) -> None:
        if not isinstance(variant, str) or variant not in VARIANTS:
            raise InputError(f"variant must be one of {', '.join(VARIANTS)}, not {shown(variant)}")
        self.variant = variant
        self.dots = cross(variant) if dots is None else _checked_dots(dots)
        self.prefix = _checked_moves(moves)
        if not self.dots:
            raise InputError("the start position has no dot; expected at least one")
        game = MorpionGame(variant, self.dots)
        for move in self.prefix:
            game.play_if_legal(move)
        self._board = board.board_for(game.dots)
        self._length = game.length
        most_steps = len(self._board.usable) ** 2 - len(game.dots)
        super().__init__(
            board.compile_game(game, self._board),
            max_steps=most_steps,
            max_moves=self._most_open(most_steps) + 4 * game.length,
            max_total=sum(map(self._most_open, range(most_steps))),
            codes=self._board.lines * game.length,
        )

    @classmethod
    def from_source(cls, source: Source) -> Self:
        variant, dots, moves = parse_morpion(whole_text(source), source.label)
        return cls(variant, dots=dots, moves=moves)

    @property
    def label(self) -> str:
        return self.origin.label or self.variant

    def hints(self) -> Hints:
        """Ask for tempering, with states that know lines by their names."""
        touching = self.variant.endswith("T")
        is_own = type(self) is Morpion
        return Hints(
            tempered=True,
            replayed=_Replayed(self.variant, dots=self.dots, moves=self.prefix) if is_own else None,
            temperatures=TOUCHING_TEMPERATURES if touching else DISJOINT_TEMPERATURES,
            rotation=0 if touching else DISJOINT_ROTATION,
        )

    def digest(self) -> str:
        return hashlib.sha256(repr((self.variant, sorted(self.dots), self.prefix)).encode()).hexdigest()

    @property
    def area(self) -> tuple[range, range]:
        """The ranges of x and y that the games of the search stay within; a game that is checked may go anywhere."""
        area: tuple[range, range] = self._board.area
        return area

    def _most_open(self, steps: int) -> int:
        """Bound the legal moves after ``steps`` steps by the half-segments that leave the dots unused.

        In the T game (D has fewer moves) a dot has 8 of them, a line of n dots uses 2(n - 1). A legal move needs at
        least 2(n - 2) of those at existing dots, and each lies in at most n - 1 of the lines that could be drawn.
        """
        n, dots = self._length, len(self.dots)
        halves = 8 * dots + (8 - 2 * (n - 1)) * (len(self.prefix) + steps)
        return halves * (n - 1) // (2 * (n - 2))

    def new_state(self) -> Any:
        rows = 4 * self._board.side
        return zeros(kernels.State, dots=rows, taken=rows, open=self.max_moves, counts=4, around=4, first=4)

    def solution(self, moves: np.ndarray) -> list[list[Any]]:
        """Return the game from its start to which moves of the search (int64[steps]) lead."""
        played = [self._board.move(int(number)) for number in moves]
        return [list(move) for move in [*self.prefix, *played]]

    def move_name(self, move: int) -> str:
        """Return the dot, the direction and the place in the line, as in ``5,6,H,0``."""
        return ",".join(map(str, self._board.move(move)))

    def check(self, solution: Any) -> Verdict:
        return check_morpion(self.variant, self.dots, self.prefix, solution)

    @classmethod
    def parse_solution(cls, text: str) -> list[list[Any]]:
        """Return the game that a record file holds; the dots of a start position before it are skipped."""
        return [list(move) for move in parse_moves(text)]

    def draw(self, solution: Any) -> str:
        """Return the grid as text, with the moves numbered."""
        return draw_morpion(self.dots, [Move(*step) for step in solution], self._length)


class _Replayed(Morpion):
    """Morpion Solitaire whose lines have names."""

    name = Morpion.name

    def new_state(self) -> Any:
        rows, cells = 4 * self._board.side, self._board.side**2
        lines = dict.fromkeys(("dots", "taken", "open"), rows)
        played = {"cell": self.max_steps, "counts": 4, "turn": cells, "move": self.max_moves}
        return zeros(replayed.ReplayedState, **lines, **played)


def _checked_dots(dots: Any) -> set[Dot]:
    try:
        return {(int(x), int(y)) for x, y in dots}
    except (TypeError, ValueError, OverflowError):
        raise InputError("dots must be pairs of whole numbers") from None


def _checked_moves(moves: Any) -> list[Move]:
    try:
        given = list(moves)
    except TypeError:
        raise InputError(f"moves must be a list, not {type(moves).__name__}") from None
    fault = form_fault(given)
    if fault:
        raise InputError(fault)
    return [Move(*move) for move in given]
