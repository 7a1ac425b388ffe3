"""A game of several players in progress, its moves by the names that people call them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import plain, shortened
from nrpa.checking.validate import validate
from nrpa.modelling.base_problem import BaseProblem, require_problem
from nrpa.modelling.early_end import EarlyEnd

if TYPE_CHECKING:
    from nrpa.engine.game import Game

engine_game = lazy("nrpa.engine.game")


def require_game(problem: BaseProblem) -> None:
    """Raise InputError unless it is a game of several players."""
    require_problem(problem)
    if problem.players < 2:
        raise InputError(f"{problem.name} is a problem of one player; expected a game, as hex or nogo (see nrpa solve)")


class OpenGame:
    """A game in progress: its ``moves`` so far and the ``legal`` ones, numbers as kernels use them.

    >>> import nrpa
    >>> game = OpenGame(nrpa.Hex(size=2, first="none"))
    >>> game.play_moves(["a1", "b1"])
    >>> game.player, sorted(game.names)
    (0, ['a2', 'b2'])
    """

    def __init__(self, problem: BaseProblem) -> None:
        require_game(problem)
        validate(problem)
        problem.forget()
        self.problem = problem
        self.moves: list[int] = []
        self.legal: list[int] = []
        self._game: Game = engine_game.Game(problem.model)
        self.begin()

    def begin(self, moves: Iterable[int] = ()) -> None:
        """Go to the position after some legal moves."""
        self._game.reset()
        self.moves = []
        self._early_end = EarlyEnd(self.problem)
        self._look()
        for move in moves:
            self.play(move)

    def _look(self) -> None:
        """List the legal moves; none where the game ends although there are some."""
        legal = list(self._game.legal_moves())
        self._rewards = self._early_end.rewards_at(self._game.hash() if self._early_end.is_told_by_keys else 0)
        self.legal = legal if self._rewards is None else []
        if not legal:
            self._rewards = None

    @property
    def names(self) -> dict[str, int]:
        """The legal moves by their names."""
        return {self.problem.move_name(move): move for move in self.legal}

    @property
    def player(self) -> int:
        """Whose turn it is, 0 to players - 1."""
        return self._game.player()

    def play(self, move: int) -> None:
        self._game.play(move)
        self.moves.append(move)
        self._look()

    def number_of(self, given: Any) -> int:
        """Return the number of a legal move, given by its name or as the problem's own."""
        own = self.problem.own_move
        if not isinstance(given, str):
            alike = [move for move in self.legal if type(own(move)) is type(given) and own(move) == given]
            alike = alike or [move for move in self.legal if plain(own(move)) == plain(given)]
            if len(alike) == 1:
                return alike[0]
        try:
            return self.problem.move_named(given if isinstance(given, str) else repr(given), self.legal)
        except InputError as error:
            raise InputError(f"move {len(self.moves) + 1}: {error}") from None

    def play_moves(self, moves: Iterable[Any]) -> None:
        """Make moves, by name or the problem's own. InputError if one is not legal; those before it have been made."""
        for move in moves:
            self.play(self.number_of(move))

    def require_dealt(self) -> None:
        """Raise InputError where what is hidden has not been dealt: the moves of the deal are the first of a game."""
        if self.problem.hides and len(self.moves) < (dealt := len(list(self.problem.deal(np.random.default_rng(0))))):
            what = f"the game has not been dealt after {len(self.moves)} moves"
            raise InputError(f"{self.problem.name}: {what}; begin with the {dealt} moves that deal(random) returns")

    def take_back(self, count: int) -> None:
        """Take the last ``count`` moves back."""
        self.begin(self.moves[: len(self.moves) - count])

    def deal(self, random: np.random.Generator) -> None:
        """Begin a game with the moves that chance makes. Raises ProblemError if one is not legal."""
        self._begin_with("deal", self.problem.deal(random))

    def determinized(self, random: np.random.Generator) -> list[int]:
        """Return moves as they may have been, for all that the player to move knows; the game itself stays."""
        moves, legal, player = self.moves, self.legal, self.player
        things = self.problem.model.things_of(np.array(moves, np.int64))
        self._begin_with("determinize", self.problem.determinize(things, random))
        drawn = self.moves
        alike = (player, sorted(legal)) == (self.player, sorted(self.legal))
        self.begin(moves)
        if not alike:
            raise ProblemError(f"{self.problem.name}: determinize led to another player or other legal moves")
        return drawn

    def _begin_with(self, method: str, things: Any) -> None:
        self.begin()
        try:
            made = list(things)
        except TypeError:
            what = f"{method} returned {shortened(repr(things))}; expected a sequence of moves"
            raise ProblemError(f"{self.problem.name}: {what}") from None
        for thing in made:
            try:
                move = int(self.problem.model.numbers_of([thing])[0])
            except (TypeError, ValueError):
                move = -1
            if move not in self.legal:
                what = f"{method} gave {shortened(repr(thing))} as move {len(self.moves) + 1}, which is not legal there"
                raise ProblemError(f"{self.problem.name}: {what}")
            self.play(move)

    def solution(self) -> object:
        """Return the moves so far in the problem's own form."""
        return self.problem.solution(np.array(self.moves, np.int64))

    def text(self) -> str:
        return self.problem.draw(self.solution())

    def rewards(self) -> list[float]:
        """Return what each player gets; the game must have ended."""
        return self._game.rewards() if self._rewards is None else [float(reward) for reward in self._rewards]
