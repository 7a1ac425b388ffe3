"""The resumable search of a solver in plain Python, and the game that it plays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from nrpa.base.codec import CannotBeSavedError, decoded, encoded
from nrpa.base.errors import InputError
from nrpa.engine.game import Game, memoized
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
        self._search, self._is_listed = search, False
        self._bias = exp_bias(search.problem, search.solver.uses_bias)

    def reset(self) -> None:
        """Begin the game again."""
        super().reset()
        self.moves, self._is_listed = [], False

    def legal_moves(self) -> list[int]:
        """Return the legal moves, whole numbers; none at the end of the game."""
        if self._search.stop[0]:
            raise GivenUp
        return self.moves_listed()

    def moves_listed(self) -> list[int]:
        """Return the legal moves, also where the search shall stop."""
        if not self._is_listed:
            super().legal_moves()
            self._is_listed = True
        return self.listed

    def play(self, move: int) -> None:
        """Make a move. Raises InputError for one that is not legal."""
        if move not in self.legal_moves() and move not in self.all_moves():
            raise InputError(f"{self._search.solver.name}: {move} is not a legal move of {self.model.name}")
        if len(self.moves) == self.model.limits.steps:
            raise failure(TOO_MANY_STEPS, self.model)
        super().play(move)
        self.moves.append(int(move))
        self._is_listed = False

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
    problem : BaseProblem
        The problem, with its instance.
    game : PlayoutGame
        The game to play.
    random : numpy.random.Generator
        The random numbers of the search.
    memory : dict
        What the solver keeps from playout to playout, empty at first: numbers, text, booleans and None, tuples, lists
        and dicts of such, and arrays of NumPy.
    moves : ndarray of int64
        The best game so far; a warm start from the beginning, else empty.
    score : float
        Its score, greater is better; -inf where there is none.
    playouts : int
        The playouts done.
    stop : ndarray of bool
        Its only entry is True where the search shall stop: a long loop that asks nothing of the game returns then.
    proven : bool
        Set it to True where nothing better can be found: the search ends with the status "optimal".
    """

    holds_gil = True
    proven = False
    machine_code: Any = None
    game: Any = None
    _done: int

    def __init__(self, problem: BaseProblem, solver: Any, kept: dict[str, Any]) -> None:
        super().__init__(problem)
        self.solver, self.random = solver, np.random.default_rng(0)
        self._take(kept)

    def _take(self, kept: dict[str, Any]) -> None:
        self._best, self._done, self.proven, self.memory, self.random.bit_generator.state = kept.values()

    def kept(self) -> dict[str, Any]:
        """Return all that the search needs to go on."""
        random = self.random.bit_generator.state
        known = {"best": self._best, "playouts": self._done, "proven": self.proven, "memory": self.memory}
        return {**known, "random": random}

    def _made_of(self) -> tuple[Any, ...]:
        return self.solver, self.kept()

    def prepare(self, loaded: Any = None) -> None:
        self.game = self.game or PlayoutGame(self)

    def arrays(self) -> dict[str, np.ndarray]:
        try:
            return {KEPT: np.frombuffer(json.dumps(encoded(self.kept())).encode(), np.uint8)}
        except CannotBeSavedError as error:
            raise InputError(f"{self.solver.name}: its memory cannot be saved; it holds {error}") from None

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        if KEPT not in arrays:
            raise InputError(f"array {KEPT} is missing")
        self._take(decoded(json.loads(arrays[KEPT].tobytes())))

    @property
    def playouts(self) -> int:
        return self._done

    @property
    def finished(self) -> int:
        return self._done

    @property
    def score(self) -> float:
        return float(self._best[0])

    @property
    def moves(self) -> np.ndarray:
        return np.array(self._best[1], np.int64)

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        self.prepare()
        found: list[Improvement] = []
        for _ in range(min(playouts, searches)):
            before = self.random.bit_generator.state
            result = None if self.proven else self._playout()
            if result is None:
                self.random.bit_generator.state = before
                break
            self._done += 1
            if result > self.score or not self._best[1]:
                self._best = result, self.game.moves
                found.append(Improvement(self._done, self.score, self.moves))
                if result >= score:
                    break
        return found

    def _playout(self) -> float | None:
        """Return the score of one more game; None where it was given up."""
        try:
            self.game.reset()
            self.solver.playout(self)
        except GivenUp:
            return None
        if self.game.moves_listed():
            if self.stop[0]:
                return None
            what = f"playout ended after {len(self.game.moves)} moves, before the game did"
            raise InputError(f"{self.solver.name}: {what}; play on until game.legal_moves() is empty")
        result: float = self.game.score()
        if not abs(result) <= LARGEST_SCORE:
            raise failure(NO_SCORE, self.problem.model)
        return result


def start(
    solver: Any, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None
) -> PythonSearch:
    """Return a search that has not begun (``Solver.start``)."""
    refuse(weights, solver.name)
    best: tuple[float, list[int]] = -np.inf, []
    if warm_start is not None:
        best = memoized(problem.model, warm_start, listed=False).score, warm_start.tolist()
    random = np.random.default_rng(seed).bit_generator.state
    return PythonSearch(problem, solver, {"best": best, "playouts": 0, "proven": False, "memory": {}, "random": random})
