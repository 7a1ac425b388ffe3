"""The resumable search of NRPA and GNRPA."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.engine.adapt import learning_rate
from nrpa.engine.game import Memo, allocate_moves, memoized
from nrpa.engine.hashed_policy import HashedPolicy, enlarged, hashed_policy, seeded
from nrpa.engine.policy import DensePolicy, dense_policy
from nrpa.engine.random import random_state
from nrpa.engine.sequence import allocate_sequences
from nrpa.engine.status import LACKS_ROOM, TOO_MANY_MOVES, TOO_MANY_STEPS
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import MOST_EXPONENT, by_code, representable
from nrpa.solvers import compiled_nrpa
from nrpa.solvers.capacity import Room, enlarged_arrays
from nrpa.solvers.compiled_nrpa import Settings, advance_nrpa, allocate_stack
from nrpa.solvers.interface import Weights
from nrpa.solvers.nrpa import ADAPTS, GNRPA
from nrpa.solvers.search import CompiledSearch


class NRPASearch(CompiledSearch):
    """The resumable search of GNRPA and NRPA."""

    def __init__(
        self,
        solver: GNRPA,
        problem: BaseProblem,
        seed: int,
        warm_start: np.ndarray | None = None,
        weights: Weights | None = None,
    ) -> None:
        super().__init__(problem)
        self._level = solver.level
        self._bias = solver.bias and problem.bias_by_move
        self._settings = Settings(solver.iterations, ADAPTS.index(solver.adapt), self._bias)
        self._rate = learning_rate(solver.alpha, solver.tau)
        self._state = problem.model.new_state()
        self._random = random_state(seed)
        room = self._room
        self.policy = initial_policy(solver, problem, room.total, weights)
        self._sequences = allocate_sequences(solver.level + 1, room.steps, room.total, self._bias)
        self._progress = allocate_stack(solver.level, room.steps)
        if warm_start is not None:
            self._take(memoized(problem.model, warm_start))
        self._load(advance_nrpa, compiled_nrpa, self._state)

    def _collect(self) -> tuple[Any, ...]:
        return (
            self._problem.model.instance,
            self._state,
            allocate_moves(self._room.moves),
            self.policy,
            self._sequences,
            self._progress,
            self._settings,
            self._rate,
            self._random,
            np.zeros(self._room.moves),
            np.zeros(self._room.total),
        )

    def _makes_room(self, status: int) -> bool:
        if status == LACKS_ROOM and isinstance(self.policy, HashedPolicy):
            self.policy = enlarged(self.policy)
            return True
        return False

    def _take(self, warm: Memo) -> None:
        """Make ``warm`` the best of the first top-level search, and of all."""
        room = self._room
        while room.steps < len(warm.moves):
            room = room.larger(TOO_MANY_STEPS, self._problem.model)
        while room.total < warm.offset[-1]:
            room = room.larger(TOO_MANY_MOVES, self._problem.model)
        self._enlarge(room)
        steps, total, top = len(warm.moves), warm.offset[-1], self._level
        self._sequences.move[top, :steps] = self._progress.best_move[:steps] = warm.moves
        self._sequences.chosen[top, :steps] = warm.chosen
        self._sequences.offset[top, : steps + 1] = warm.offset
        self._sequences.code[top, :total] = warm.code
        if self._bias:
            self._sequences.exp_bias[top, :total] = warm.exp_bias
        self._sequences.length[top] = self._progress.best_length[0] = steps
        self._progress.warm_score[0] = self._progress.best_score[0] = warm.score

    def _enlarge(self, room: Room) -> None:
        self._room = room
        larger = allocate_sequences(self._level + 1, room.steps, room.total, self._bias)
        self._sequences = enlarged_arrays(self._sequences, larger)
        self._progress = enlarged_arrays(self._progress, allocate_stack(self._level, room.steps))
        if isinstance(self.policy, HashedPolicy):
            self.policy = enlarged(self.policy, room.total)


def initial_policy(
    solver: GNRPA, problem: BaseProblem, total: int, weights: Weights | None = None
) -> DensePolicy | HashedPolicy:
    """Return the policy of ``weights``, or 0, with the problem's β where ``solver`` uses it and it depends on the code.

    Raises InputError for weights that do not fit the problem's codes.
    """
    if problem.codes is None:
        copies = solver.adapt != "optimized"
        if weights is None:
            return hashed_policy(solver.level, total, copies)
        if not isinstance(weights, Mapping):
            raise InputError(f"{problem.name}: weights must be a mapping of codes to weights")
        codes = np.array([problem.model.code_number(code) for code in weights], np.int64)
        g = np.exp(representable(problem, _scaled(list(weights.values()), solver.tau)))
        return seeded(hashed_policy(solver.level, total, copies, 8 * len(codes), 2 * (total + len(codes))), codes, g)
    bias = problem.bias_by_code() if solver.bias else None
    if weights is not None:
        w = _scaled(by_code(weights, problem.codes, "weights"), solver.tau)
        bias = w if bias is None else bias + w
    return dense_policy(solver.level, problem.codes, None if bias is None else representable(problem, bias))


def _scaled(weights: ArrayLike, tau: float) -> np.ndarray:
    """Return w/τ of the ``weights``. Raises InputError unless e^(w/τ) is a number that the policy can hold."""
    try:
        w = np.array(weights, np.float64)
    except (TypeError, ValueError):
        raise InputError("weights must be numbers") from None
    if not np.isfinite(w).all():
        raise InputError("weights must be finite")
    with np.errstate(over="ignore"):
        scaled = np.asarray(w / tau)
    if (scaled > MOST_EXPONENT).any():
        raise InputError(f"weights must be finite, and at most {MOST_EXPONENT:.0f} times tau, not {w.max():g}")
    return scaled
