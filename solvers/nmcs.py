"""Nested Monte Carlo search, and the two baselines that it is compared with.

Cazenave, Nested Monte-Carlo Search, IJCAI 2009.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from nrpa.solvers import nested
from nrpa.solvers.nested import BIASED, GREEDY, UNIFORM, Rule, advance_nested, allocate_nest
from nrpa.solvers.room import Room, enlarged_arrays

import nrpa.engine
from nrpa.engine.jit import load
from nrpa.engine.kernels import kernels_of
from nrpa.engine.random import random_state
from nrpa.engine.states import stack_states
from nrpa.engine.status import IMPROVED, TOO_MANY_STEPS
from nrpa.engine.stepper import Memo, allocate_moves, memoized
from nrpa.errors import InputError
from nrpa.problem import Problem
from nrpa.solver import Weights

_SOURCES = [*Path(nrpa.engine.__path__[0]).glob("*.py"), Path(nested.__file__)]


@dataclass(frozen=True)
class NMCS:
    """Nested Monte Carlo search.

    level: nesting level, at least 1. memory: whether each level remembers and follows the best sequence of its whole
    search (Algorithm 3 of the paper), or the best of the current step only. bias: whether playouts draw moves in
    proportion to e^β, the problem's bias, instead of uniformly.

    A search that finishes is started again; the best over all of them is the result.
    Raises InputError for a value out of range.
    """

    name: ClassVar[str] = "nmcs"

    level: int = 2
    memory: bool = True
    bias: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.level, bool) or not isinstance(self.level, (int, np.integer)) or self.level < 1:
            raise InputError(f"level must be a whole number of at least 1, not {self.level!r}")

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        return asdict(self)

    def start(
        self, problem: Problem, seed: int, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> NestedSearch:
        """Return a search that has not begun, its machine code loaded or compiled."""
        refuse(weights, self.name)
        choice = BIASED if self.bias else UNIFORM
        return NestedSearch(problem, seed, int(self.level), choice, bool(self.memory), warm_start)


@dataclass(frozen=True)
class RandomSampling:
    """Independent random playouts: level 0 of nested search.

    bias: whether moves are drawn in proportion to e^β, the problem's bias, instead of uniformly.
    """

    name: ClassVar[str] = "random"

    bias: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        return asdict(self)

    def start(
        self, problem: Problem, seed: int, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> NestedSearch:
        """Return a search that has not begun, its machine code loaded or compiled."""
        refuse(weights, self.name)
        return NestedSearch(problem, seed, 0, BIASED if self.bias else UNIFORM, warm_start=warm_start)


@dataclass(frozen=True)
class Greedy:
    """Playouts that make the move of largest bias β, ties broken at random (all moves tie where there is no bias)."""

    name: ClassVar[str] = "greedy"

    @property
    def options(self) -> dict[str, Any]:
        """There are none."""
        return {}

    def start(
        self, problem: Problem, seed: int, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> NestedSearch:
        """Return a search that has not begun, its machine code loaded or compiled."""
        refuse(weights, self.name)
        return NestedSearch(problem, seed, 0, GREEDY, warm_start=warm_start)


def refuse(weights: object, solver: str) -> None:
    """Raise InputError if there are ``weights``: the searches of this module have no policy."""
    if weights is not None:
        raise InputError(f"initial weights do not apply to the solver {solver}")


class NestedSearch:
    """A resumable search: all its memory is NumPy arrays, and ``advance`` continues where it ended.

    machine_code: the compiled function, a numba dispatcher.
    """

    def __init__(
        self,
        problem: Problem,
        seed: int,
        level: int,
        choice: int,
        memory: bool = True,
        warm_start: np.ndarray | None = None,
    ) -> None:
        self._problem = problem
        self._level = level
        self._instance = problem.instance
        self._states = [problem.new_state() for _ in range(level + 1)]
        self._stacked = stack_states(self._states)
        self._rule = Rule(choice, choice != UNIFORM and problem.prior_by_move, memory)
        by_code = None if choice == UNIFORM else problem.bias_by_code()
        self._bias = np.ones(0) if by_code is None else np.exp(by_code)
        self._random = random_state(seed)
        self._room = Room.of(problem)
        self._nest = allocate_nest(level, self._room.steps, self._room.moves)
        if warm_start is not None:
            self._take(memoized(problem, warm_start))
        self._collect()
        state_class = type(self._states[0])
        self.machine_code = load(
            advance_nested, state_class, kernels_of(state_class).values(), _SOURCES, (*self._arguments, 0), problem.name
        )

    def _collect(self) -> None:
        """Put together the arguments of ``advance_nested`` but the last, with work areas of the size at hand."""
        self._arguments = (
            self._instance,
            self._states[0],
            self._stacked,
            allocate_moves(self._room.moves),
            self._nest,
            self._rule,
            self._bias,
            self._random,
            np.zeros(self._room.moves),
        )

    def advance(self, playouts: int) -> bool:
        """Run up to ``playouts`` playouts; stop early, and return True, after one that improved the best score.

        Raises what a method of a plain-Python problem raised, and ProblemError where the problem breaks a limit.
        """
        end = self.playouts + playouts
        while True:
            status = self.machine_code(*self._arguments, end - self.playouts)
            if status >= 0:
                return bool(status == IMPROVED)
            self._problem.raise_kept_error()
            self._enlarge(self._room.larger(status, self._problem))
            self._collect()

    def _take(self, warm: Memo) -> None:
        """Make ``warm`` the best of the first top-level search, and of all."""
        room, steps = self._room, len(warm.moves)
        while room.steps < steps:
            room = room.larger(TOO_MANY_STEPS, self._problem)
        self._enlarge(room)
        self._nest.best_move[:steps] = warm.moves
        self._nest.best_length[0] = steps
        self._nest.best_score[0] = warm.score

    def _enlarge(self, room: Room) -> None:
        self._room = room
        self._nest = enlarged_arrays(self._nest, allocate_nest(self._level, room.steps, room.moves))

    @property
    def playouts(self) -> int:
        """Playouts done so far."""
        return int(self._nest.counter[0])

    @property
    def finished(self) -> int:
        """Top-level searches finished so far; each further one begins anew."""
        return int(self._nest.counter[1])

    @property
    def score(self) -> float:
        """The best score so far; -inf before the first playout."""
        return float(self._nest.best_score[0])

    @property
    def last_score(self) -> float:
        """The score of the last playout; NaN before the first."""
        return float(self._nest.last_score[0])

    @property
    def moves(self) -> np.ndarray:
        """The best sequence of moves so far, int64[steps]."""
        return self._nest.best_move[: max(self._nest.best_length[0], 0)].copy()
