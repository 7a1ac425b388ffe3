"""The resumable search of a solver in plain Python, and the game that it plays."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from nrpa.base.codec import CannotBeSavedError, decoded, encoded
from nrpa.base.errors import InputError
from nrpa.engine.game import Game, memoized
from nrpa.engine.model import record_like
from nrpa.engine.random import Seed
from nrpa.engine.status import LARGEST_SCORE, NO_SCORE, TOO_MANY_STEPS, failure
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import exp_bias
from nrpa.solvers.interface import Improvement, Weights, refuse
from nrpa.solvers.search import ResumableSearch

KEPT = "memory/python"


class GivenUp(BaseException):
    """The search shall stop in the middle of a playout."""


class PlayoutGame(Game):
    """The game that ``PythonSolver.playout`` plays, move by move; ``moves`` are those made so far."""

    def __init__(self, search: PythonSearch) -> None:
        super().__init__(search.problem.model)
        self.moves: list[int] = []
        self._search, self._bias = search, exp_bias(search.problem, search.solver.uses_bias)

    def reset(self) -> None:
        """Begin the game again."""
        super().reset()
        self.moves, self.listed = [], []

    def legal_moves(self) -> list[int]:
        """Return the legal moves, whole numbers; none at the end of the game."""
        if self._search.stop[0]:
            raise GivenUp
        return list(self.listed or super().legal_moves())

    def play(self, move: int) -> None:
        """Make a move. Raises InputError for one that is not legal."""
        is_known = move in self.legal_moves() or move in self.all_moves()
        self.listed = []
        if not is_known:
            raise InputError(f"{self._search.solver.name}: {move} is not a legal move of {self.model.name}")
        if len(self.moves) == self.model.limits.steps:
            raise failure(TOO_MANY_STEPS, self.model)
        super().play(move)
        self.moves.append(int(move))

    def weights(self) -> np.ndarray:
        """Return e^β of the legal moves, float64[moves], if the solver ``uses_bias``; else ones."""
        moves = self.legal_moves()
        weights = np.array(self.exp_biases) if self._bias.by_move else np.ones(len(moves))
        return weights * self._bias.by_code[self.codes] if len(self._bias.by_code) else weights

    def draw(self, random: np.random.Generator) -> int:
        """Return a legal move, drawn in proportion to ``weights``."""
        sums = np.cumsum(self.weights())
        return self.listed[int(np.searchsorted(sums[:-1], random.random() * sums[-1], side="right"))]

    def play_out(self, random: np.random.Generator) -> None:
        """Play to the end, each move as ``draw`` gives it."""
        while self.legal_moves():
            self.play(self.draw(random))


class PythonSearch(ResumableSearch):
    """A run of a ``PythonSolver``: what its ``playout`` is called with.

    Attributes
    ----------
    problem, game : BaseProblem, PlayoutGame
        The problem, with its instance, and the game to play.
    random : numpy.random.Generator
        The random numbers of the search.
    memory : dict
        What the solver keeps from playout to playout, empty at first: numbers, text, booleans and None, tuples, lists
        and dicts of such, and arrays of NumPy.
    moves, score : ndarray of int64, float
        The best game so far and its score, greater is better; before the first, a warm start, or none and -inf.
    playouts : int
        The playouts done.
    stop : ndarray of bool
        Its only entry is True where the search shall stop: a long loop that asks nothing of the game returns then.
    proven : bool
        Set it to True where nothing better can be found: the search ends with the status "optimal".
    """

    holds_gil = True
    machine_code: Any = None
    playouts, score, proven = 0, -math.inf, False
    _moves: list[int]

    def __init__(self, problem: BaseProblem, solver: Any, kept: tuple[Any, ...]) -> None:
        super().__init__(problem)
        self.solver, self.random = solver, np.random.default_rng(0)
        self._go_on_from(kept)
        self.game = PlayoutGame(self)

    def kept(self) -> tuple[Any, ...]:
        """Return all that the search needs to go on."""
        return self.playouts, self.score, self._moves, self.proven, self.memory, self.random.bit_generator.state

    def _go_on_from(self, kept: tuple[Any, ...]) -> None:
        self.playouts, self.score, self._moves, self.proven, self.memory, self.random.bit_generator.state = kept

    def _made_of(self) -> tuple[Any, ...]:
        return self.solver, self.kept()

    def prepare(self, loaded: Any = None) -> None:
        """Do nothing: the game has its machine code."""

    def arrays(self) -> dict[str, np.ndarray]:
        try:
            return {KEPT: np.frombuffer(json.dumps(encoded(self.kept())).encode(), np.uint8)}
        except CannotBeSavedError as error:
            raise InputError(f"{self.solver.name}: its memory cannot be saved; it holds {error}") from None

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        array = record_like(np.zeros(0, np.uint8), arrays, KEPT, lambda array: array)
        self._go_on_from(decoded(json.loads(array.tobytes())))

    @property
    def finished(self) -> int:
        return self.playouts

    @property
    def moves(self) -> np.ndarray:
        return np.array(self._moves, np.int64)

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        found: list[Improvement] = []
        end = self.playouts + min(playouts, searches)
        while self.playouts < end and not self.proven and (reached := self._playout()) is not None:
            self.playouts += 1
            if reached > self.score:
                self.score, self._moves = reached, self.game.moves.copy()
                found.append(Improvement(self.playouts, self.score, self.moves))
                if reached >= score:
                    break
        return found

    def _playout(self) -> float | None:
        """Return the score of one more game; None where it was given up."""
        before = self.random.bit_generator.state
        try:
            self.game.reset()
            self.solver.playout(self)
            if Game.legal_moves(self.game):
                if self.stop[0]:
                    raise GivenUp
                what = f"playout ended after {len(self.game.moves)} moves, before the game did"
                raise InputError(f"{self.solver.name}: {what}; play on until game.legal_moves() is empty")
        except GivenUp:
            self.random.bit_generator.state = before
            return None
        score = self.game.score()
        if not abs(score) <= LARGEST_SCORE:
            raise failure(NO_SCORE, self.problem.model)
        return score


def start(
    solver: Any, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None
) -> PythonSearch:
    """Return a search that has not begun (``Solver.start``)."""
    refuse(weights, solver.name)
    score, moves = -math.inf, []
    if warm_start is not None:
        score, moves = memoized(problem.model, warm_start, listed=False).score, warm_start.tolist()
    return PythonSearch(problem, solver, (0, score, moves, False, {}, np.random.default_rng(seed).bit_generator.state))
