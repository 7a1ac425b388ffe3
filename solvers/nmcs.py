"""Nested Monte Carlo search, and the two baselines that it is compared with.

Cazenave, Nested Monte-Carlo Search, IJCAI 2009.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import whole
from nrpa.engine.game import Memo, allocate_moves, memoized
from nrpa.engine.random import random_state
from nrpa.engine.states import stack_states
from nrpa.engine.status import TOO_MANY_STEPS
from nrpa.modelling.bias import representable
from nrpa.modelling.problem import Problem
from nrpa.solvers import compiled_nmcs
from nrpa.solvers.capacity import Room, enlarged_arrays
from nrpa.solvers.compiled_nmcs import BIASED, GREEDY, UNIFORM, Rule, advance_nested, allocate_nest
from nrpa.solvers.interface import MOST_LEVELS, Weights
from nrpa.solvers.search import CompiledSearch


@dataclass(frozen=True)
class NMCS:
    """Nested Monte Carlo search.

    level: nesting level, 1 to 20. memory: whether each level remembers and follows the best sequence of its whole
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
        object.__setattr__(self, "level", whole("level", self.level, most=MOST_LEVELS))
        object.__setattr__(self, "memory", bool(self.memory))
        object.__setattr__(self, "bias", bool(self.bias))

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
        return NestedSearch(problem, seed, self.level, choice, self.memory, warm_start)


@dataclass(frozen=True)
class RandomSampling:
    """Independent random playouts: level 0 of nested search.

    bias: whether moves are drawn in proportion to e^β, the problem's bias, instead of uniformly.
    """

    name: ClassVar[str] = "random"

    bias: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "bias", bool(self.bias))

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


class NestedSearch(CompiledSearch):
    """The resumable search of NMCS and the baselines."""

    def __init__(
        self,
        problem: Problem,
        seed: int,
        level: int,
        choice: int,
        memory: bool = True,
        warm_start: np.ndarray | None = None,
    ) -> None:
        super().__init__(problem)
        self._level = level
        self._states = [problem.new_state() for _ in range(level + 1)]
        self._stacked = stack_states(self._states)
        self._rule = Rule(choice, choice != UNIFORM and problem.prior_by_move, memory)
        by_code = None if choice == UNIFORM else problem.bias_by_code()
        self._bias = np.ones(0) if by_code is None else np.exp(representable(problem, by_code))
        self._random = random_state(seed)
        self._progress = allocate_nest(level, self._room.steps, self._room.moves)
        if warm_start is not None:
            self._take(memoized(problem, warm_start))
        self._load(advance_nested, compiled_nmcs, self._states[0])

    def _collect(self) -> tuple[Any, ...]:
        return (
            self._problem.instance,
            self._states[0],
            self._stacked,
            allocate_moves(self._room.moves),
            self._progress,
            self._rule,
            self._bias,
            self._random,
            np.zeros(self._room.moves),
        )

    def _take(self, warm: Memo) -> None:
        """Make ``warm`` the best of the first top-level search, and of all."""
        room, steps = self._room, len(warm.moves)
        while room.steps < steps:
            room = room.larger(TOO_MANY_STEPS, self._problem)
        self._enlarge(room)
        self._progress.best_move[:steps] = warm.moves
        self._progress.best_length[0] = steps
        self._progress.best_score[0] = warm.score

    def _enlarge(self, room: Room) -> None:
        self._room = room
        self._progress = enlarged_arrays(self._progress, allocate_nest(self._level, room.steps, room.moves))
