"""The resumable search of a solver in plain Python, and the game that it plays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from nrpa.solvers.python_solver import PythonSolver

KEPT = "memory/python"


class GivenUp(BaseException):
    """The search shall stop in the middle of a playout."""


class PlayoutGame(Game):
    """The game that a playout of a ``PythonSolver`` plays, move by move.

    Attributes
    ----------
    moves : list of int
        The moves made so far.
    """

    def __init__(self, search: PythonSearch) -> None:
        super().__init__(search.problem.model)
        self.moves: list[int] = []
        self._search = search
        self._is_listed = False
        self._bias = exp_bias(search.problem, search.solver.uses_bias)

    def reset(self) -> None:
        """Begin the game again."""
        super().reset()
        self.moves, self._is_listed = [], False

    def legal_moves(self) -> list[int]:
        """Return the legal moves, whole numbers; none at the end of the game."""
        if self._search.stop[0]:
            raise GivenUp
        return self.listed if self._is_listed else self._list_again()

    def _list_again(self) -> list[int]:
        self._is_listed = True
        return super().legal_moves()

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
        """Return a legal move, drawn in proportion to ``weights``: where these are ones, all are alike."""
        sums = np.cumsum(self.weights())
        return self.legal_moves()[int(np.searchsorted(sums[:-1], random.random() * sums[-1], side="right"))]

    def play_out(self, random: np.random.Generator) -> None:
        """Play to the end, each move as ``draw`` gives it."""
        while self.legal_moves():
            self.play(self.draw(random))

    def is_over(self) -> bool:
        """Return whether the game is at its end."""
        return not self._list_again()


class PythonSearch(ResumableSearch):
    """A run of a ``PythonSolver``: what its ``playout`` is called with.

    Attributes
    ----------
    problem : BaseProblem
        The problem, with its instance.
    game : PlayoutGame
        The game to play.
    random : numpy.random.Generator
        The random numbers of the search, which begin with its seed.
    memory : dict
        What the solver keeps from playout to playout, empty at first: numbers, text, booleans and None, tuples, lists
        and dicts of such, and arrays of NumPy.
    moves : ndarray of int64
        The best game so far; a warm start from the beginning, else empty.
    score : float
        Its score; -inf where there is none. Greater is better.
    playouts : int
        The playouts done.
    stop : ndarray of bool
        Its only entry is True where the search shall stop: a long loop that asks nothing of the game returns then.
    proven : bool
        Set it to True where nothing better can be found: the search ends with the status "optimal".
    """

    holds_gil = True
    proven = False

    def __init__(self, problem: BaseProblem, solver: PythonSolver, kept: dict[str, Any]) -> None:
        super().__init__(problem)
        self.solver = solver
        self.machine_code = None
        self.game: Any = None
        self.random = np.random.default_rng(0)
        self._take(kept)

    def _take(self, kept: dict[str, Any]) -> None:
        self.random.bit_generator.state = kept["random"]
        self._playouts, self._score, self._moves = kept["playouts"], kept["score"], kept["moves"]
        self.proven, self.memory = kept["proven"], kept["memory"]

    def _kept(self) -> dict[str, Any]:
        counts = {"playouts": self._playouts, "score": self._score, "moves": self._moves, "proven": self.proven}
        return {**counts, "random": self.random.bit_generator.state, "memory": self.memory}

    def _made_of(self) -> tuple[Any, ...]:
        return self.solver, self._kept()

    def prepare(self, loaded: Any = None) -> None:
        if self.game is None:
            self.game = PlayoutGame(self)

    def arrays(self) -> dict[str, np.ndarray]:
        try:
            text = json.dumps(encoded(self._kept()))
        except CannotBeSavedError as error:
            raise InputError(f"{self.solver.name}: its memory cannot be saved; it holds {error}") from None
        return {KEPT: np.frombuffer(text.encode(), np.uint8)}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        if KEPT not in arrays:
            raise InputError(f"array {KEPT} is missing")
        self._take(decoded(json.loads(arrays[KEPT].tobytes())))

    @property
    def playouts(self) -> int:
        return int(self._playouts)

    @property
    def finished(self) -> int:
        return self.playouts

    @property
    def score(self) -> float:
        return float(self._score)

    @property
    def moves(self) -> np.ndarray:
        return np.array(self._moves, np.int64)

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        self.prepare()
        found: list[Improvement] = []
        for _ in range(min(playouts, searches)):
            if self.proven or self._stop[0] or (result := self._playout()) is None:
                break
            self._playouts += 1
            if result > self._score or not self._moves:
                self._score, self._moves = result, self.game.moves
                found.append(Improvement(self.playouts, self.score, self.moves))
                if result >= score:
                    break
        return found

    def _playout(self) -> float | None:
        """Return the score of one more game; None where it was given up, and only its random numbers taken back."""
        before = self.random.bit_generator.state
        try:
            self.game.reset()
            self.solver.playout(self)
        except GivenUp:
            self.random.bit_generator.state = before
            return None
        if not self.game.is_over():
            if self._stop[0]:
                self.random.bit_generator.state = before
                return None
            what = f"playout ended after {len(self.game.moves)} moves, before the game did"
            raise InputError(f"{self.solver.name}: {what}; play on until game.legal_moves() is empty")
        result: float = self.game.score()
        if not abs(result) <= LARGEST_SCORE:
            raise failure(NO_SCORE, self.problem.model)
        return result


def start(
    solver: PythonSolver, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None
) -> PythonSearch:
    """Return a search that has not begun (``Solver.start``)."""
    refuse(weights, solver.name)
    random = np.random.default_rng(seed).bit_generator.state
    kept = {"playouts": 0, "score": -np.inf, "moves": [], "proven": False, "random": random, "memory": {}}
    if warm_start is not None:
        kept |= {"score": memoized(problem.model, warm_start, listed=False).score, "moves": warm_start.tolist()}
    return PythonSearch(problem, solver, kept)
