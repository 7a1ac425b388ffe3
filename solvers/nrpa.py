"""Nested Rollout Policy Adaptation, and its generalization with temperature and bias.

NRPA: Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search, IJCAI 2011.
GNRPA: Cazenave, Generalized Nested Rollout Policy Adaptation, 2020 (Algorithms 3 to 6).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from nrpa.solvers import levels
from nrpa.solvers.levels import Settings, advance_nrpa, allocate_stack

import nrpa.engine
from nrpa.engine.adapt import ADAPTS, learning_rate
from nrpa.engine.hashed_policy import HashedPolicy, enlarged, hashed_policy
from nrpa.engine.jit import load
from nrpa.engine.kernels import Moves, kernels_of
from nrpa.engine.playout import failure
from nrpa.engine.policy import DensePolicy, dense_policy
from nrpa.engine.random import random_state
from nrpa.engine.sequence import allocate_sequences
from nrpa.errors import InputError
from nrpa.problem import Problem

_SOURCES = [*Path(nrpa.engine.__path__[0]).glob("*.py"), Path(levels.__file__)]


@dataclass(frozen=True)
class GNRPA:
    """Generalized NRPA.

    level: nesting level, at least 1. iterations: N, iterations of each level. alpha: learning rate α.
    tau: temperature τ. bias: whether the problem's bias β is used.
    adapt: "plain", "memoized" or "optimized"; same result, different speed.

    Raises InputError for a value out of range.
    """

    name: ClassVar[str] = "gnrpa"

    level: int = 3
    iterations: int = 100
    alpha: float = 1.0
    tau: float = 1.0
    bias: bool = True
    adapt: str = "optimized"

    def __post_init__(self) -> None:
        for option in ("level", "iterations"):
            value = getattr(self, option)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise InputError(f"{option} must be a whole number of at least 1, not {value!r}")
        for option in ("alpha", "tau"):
            value = getattr(self, option)
            if not (isinstance(value, (int, float, np.number)) and math.isfinite(value) and value > 0):
                raise InputError(f"{option} must be a positive number, not {value!r}")
        if self.adapt not in ADAPTS:
            raise InputError(f"adapt must be one of {', '.join(ADAPTS)}, not {self.adapt!r}")

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        return asdict(self)

    def start(self, problem: Problem, seed: int) -> NRPASearch:
        """Return a search that has not begun, its machine code loaded or compiled."""
        return NRPASearch(self, problem, seed)


@dataclass(frozen=True)
class NRPA:
    """NRPA: GNRPA with temperature 1 and no bias.

    level: nesting level, at least 1. iterations: N, iterations of each level. alpha: learning rate α.
    adapt: "plain", "memoized" or "optimized"; same result, different speed.

    Raises InputError for a value out of range.
    """

    name: ClassVar[str] = "nrpa"

    level: int = 3
    iterations: int = 100
    alpha: float = 1.0
    adapt: str = "optimized"

    def __post_init__(self) -> None:
        self._general()

    def _general(self) -> GNRPA:
        return GNRPA(self.level, self.iterations, self.alpha, tau=1.0, bias=False, adapt=self.adapt)

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        return asdict(self)

    def start(self, problem: Problem, seed: int) -> NRPASearch:
        """Return a search that has not begun, its machine code loaded or compiled."""
        return self._general().start(problem, seed)


class NRPASearch:
    """A resumable search: all its memory is NumPy arrays, and ``advance`` continues where it ended.

    machine_code: the compiled function, a numba dispatcher.
    """

    def __init__(self, solver: GNRPA, problem: Problem, seed: int) -> None:
        slots = solver.level + 1
        prior = solver.bias and problem.prior_by_move
        state = problem.new_state()
        self._stack = allocate_stack(solver.level, problem.max_steps)
        self._arguments: tuple[Any, ...] = (
            problem.instance,
            state,
            Moves(
                np.zeros(problem.max_moves, np.int64),
                np.zeros(problem.max_moves, np.int64),
                np.ones(problem.max_moves),
            ),
            initial_policy(solver, problem),
            allocate_sequences(slots, problem.max_steps, problem.max_total, prior),
            self._stack,
            Settings(int(solver.iterations), ADAPTS[solver.adapt], prior),
            learning_rate(solver.alpha, solver.tau),
            random_state(seed),
            np.zeros(problem.max_moves),
            np.zeros(problem.max_total),
        )
        self.machine_code = load(
            advance_nrpa,
            type(state),
            kernels_of(type(state)).values(),
            _SOURCES,
            (*self._arguments, 0),
            title=problem.name,
        )

    def advance(self, playouts: int) -> bool:
        """Run up to ``playouts`` playouts; stop early, and return True, after one that improved the best score."""
        end = self.playouts + playouts
        status = self.machine_code(*self._arguments, playouts)
        while status == levels.LACKS_ROOM:
            self._arguments = tuple(enlarged(a) if isinstance(a, HashedPolicy) else a for a in self._arguments)
            status = self.machine_code(*self._arguments, end - self.playouts)
        if status < 0:
            raise failure(status)
        return bool(status == levels.IMPROVED)

    @property
    def playouts(self) -> int:
        """Playouts done so far."""
        return int(self._stack.counter[0])

    @property
    def score(self) -> float:
        """The best score so far; -inf before the first playout."""
        return float(self._stack.best_score[0])

    @property
    def last_score(self) -> float:
        """The score of the last playout; NaN before the first."""
        return float(self._stack.last_score[0])

    @property
    def moves(self) -> np.ndarray:
        """The best sequence of moves so far, int64[steps]."""
        return self._stack.best_move[: max(self._stack.best_length[0], 0)].copy()

    @property
    def policy(self) -> DensePolicy | HashedPolicy:
        """The policy as it is now; its ``nbytes`` is the memory it takes."""
        return next(a for a in self._arguments if isinstance(a, (DensePolicy, HashedPolicy)))


def initial_policy(solver: GNRPA, problem: Problem) -> DensePolicy | HashedPolicy:
    """Return the policy of weight 0, with the problem's β where ``solver`` uses it and it depends on the code."""
    if problem.codes is None:
        return hashed_policy(solver.level, problem.max_total, copies=solver.adapt != "optimized")
    return dense_policy(solver.level, problem.codes, problem.bias_by_code() if solver.bias else None)
