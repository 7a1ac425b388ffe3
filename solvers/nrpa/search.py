"""The resumable search of NRPA and GNRPA."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.engine.game import Memo, memoized, played_to_end
from nrpa.engine.model import Needs
from nrpa.engine.policy import (
    ENTRIES,
    LOGGED,
    DensePolicy,
    HashedPolicy,
    dense_policy,
    enlarged_policy,
    forget_searches,
    hashed_policy,
    seeded,
)
from nrpa.engine.random import Seed
from nrpa.engine.recording import allocate_sequences
from nrpa.engine.status import LACKS_ROOM
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import MOST_EXPONENT, by_code, finite_numbers, representable
from nrpa.solvers.interface import Improvement, Weights
from nrpa.solvers.nrpa.adapt import (
    Bias,
    learning_rates,
)
from nrpa.solvers.nrpa.improve import ByKernel
from nrpa.solvers.nrpa.kernel import (
    advance_nrpa,
)
from nrpa.solvers.nrpa.memory import NRPALevels, NRPAMemory, NRPASettings, NRPAWork
from nrpa.solvers.nrpa.options import ADAPTS, PolicyAdaptation, by_level
from nrpa.solvers.search import Capacity, CompiledSearch, common_parts

logger = logging.getLogger("nrpa")


class NRPASearch(CompiledSearch):
    """The resumable search of GNRPA and NRPA."""

    memory: NRPAMemory
    _function = staticmethod(advance_nrpa)

    def __init__(self, problem: BaseProblem, solver: PolicyAdaptation, memory: NRPAMemory) -> None:
        super().__init__(problem, problem.model.new_state(Needs(bias=_uses_moves(solver, problem))))
        self._solver = solver
        self.memory = memory

    def _work(self) -> tuple[NRPAWork, NRPASettings]:
        capacity, improvement = self._capacity(), None
        if self._solver.improve:
            steps = capacity.steps
            codes, again = self.problem.codes or 0, self.problem.improves_again
            changed, kept = np.zeros((2, steps), np.int64)
            improvement = ByKernel(changed, kept, np.zeros(1, np.bool_), codes, again)
        return NRPAWork(np.zeros(capacity.moves), np.zeros(capacity.total), improvement), self._settings

    @cached_property
    def _settings(self) -> NRPASettings:
        solver = self._solver
        adapt, bias = ADAPTS.index(solver.adapt), _bias(solver, self.problem)
        levels = len(self.memory.levels.slot) - 1
        iterations, repetitions = (
            np.array(by_level(each, levels), np.int64) for each in (solver.iterations, solver.repetitions)
        )
        rates = learning_rates(by_level(solver.alpha, levels), solver.tau)
        return NRPASettings(iterations, repetitions, adapt, bias, rates)

    def as_large_as(self, memory: NRPAMemory) -> NRPAMemory:
        wanted: NRPAMemory = super().as_large_as(memory)
        policy = memory.policy
        if not isinstance(policy, HashedPolicy):
            return wanted
        copies = self._solver.adapt != "optimized"
        sizes = len(policy.logged), len(policy.log_slot)
        return wanted._replace(policy=hashed_policy(self._solver.levels, int(memory.capacity[2]), copies, *sizes))

    def _cut_short(self) -> list[Improvement]:
        improvement = self._arguments[2].improvement
        if improvement is None or not improvement.cut[0] or len(self.memory.fronts):
            return []
        improvement.cut[0] = False
        with suppress(InputError):
            moves, score = played_to_end(self.problem.model, improvement.changed)
            if score > self.score or not self.memory.best.found[0]:
                return [Improvement(self.playouts, score, moves, cut=True)]
        return []

    def _makes_room(self, status: int) -> bool:
        policy = self.memory.policy
        if status != LACKS_ROOM or not isinstance(policy, HashedPolicy):
            return False
        try:
            self.memory = self.memory._replace(policy=enlarged_policy(policy))
        except InputError:
            if not self.memory.levels.begun[0] or policy.counter[LOGGED] == policy.mark[-2]:
                raise
            self._begin_anew(policy)
        return True

    def _begin_anew(self, policy: HashedPolicy) -> None:
        """Begin the searches of all levels anew, whose policy has become too large."""
        logger.info("the policy of %s codes can grow no more: the search begins anew", f"{policy.counter[ENTRIES]:,}")
        forget_searches(policy)
        levels = self.memory.levels
        levels.iteration[:] = levels.repeated[:] = 0
        self.memory.sequences.score[levels.slot[1:]] = -np.inf

    def _allocate(self, capacity: Capacity) -> NRPAMemory:
        return nrpa_memory(self._solver, self.problem, self.memory.policy, capacity)

    def _enlarge(self, capacity: Capacity) -> None:
        policy = self.memory.policy
        if isinstance(policy, HashedPolicy):
            self.memory = self.memory._replace(policy=enlarged_policy(policy, capacity.total))
        super()._enlarge(capacity)

    def begin_with(self, warm: Memo) -> None:
        super().begin_with(warm)
        sequences, top = self.memory.sequences, len(self.memory.levels.slot) - 1
        steps, total = len(warm.moves), int(warm.offset[-1])
        sequences.move[top, :steps] = warm.moves
        sequences.chosen[top, :steps] = warm.chosen
        sequences.offset[top, : steps + 1] = warm.offset
        sequences.code[top, :total] = warm.code
        if sequences.exp_bias.shape[1]:
            sequences.exp_bias[top, :total] = warm.exp_bias
        sequences.length[top] = steps


def start(
    solver: PolicyAdaptation, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None
) -> NRPASearch:
    """Return a search that has not begun (``Solver.start``)."""
    memory = initial_memory(solver, problem, seed, warm_start, weights)
    return NRPASearch(problem, solver, memory)


def initial_memory(
    solver: PolicyAdaptation,
    problem: BaseProblem,
    seed: Seed,
    warm_start: np.ndarray | None = None,
    weights: Weights | None = None,
) -> NRPAMemory:
    """Return the memory of a search that has not begun; parameters and errors are those of ``start``."""
    if solver.improve and not problem.can_improve:
        raise InputError(f"{problem.name}: improve needs a method or kernel improve, which this problem lacks")
    capacity = Capacity.of(problem.model)
    policy = initial_policy(solver, problem, capacity.total, weights)
    memory = nrpa_memory(solver, problem, policy, capacity, seed)
    if warm_start is None:
        return memory
    search = NRPASearch(problem, solver, memory)
    search.begin_with(memoized(problem.model, warm_start))
    return search.memory


def nrpa_memory(
    solver: PolicyAdaptation,
    problem: BaseProblem,
    policy: DensePolicy | HashedPolicy,
    capacity: Capacity,
    seed: Seed = 0,
    slots: int | None = None,
) -> NRPAMemory:
    """Return the memory of a search that has not begun, with a policy."""
    rows = solver.levels + 1
    levels = NRPALevels(np.zeros(1, np.bool_), np.arange(rows), np.zeros(rows, np.int64), np.zeros(rows, np.int64))
    return NRPAMemory(
        policy=policy,
        sequences=allocate_sequences(slots or rows, capacity.steps, capacity.total, _uses_moves(solver, problem)),
        levels=levels,
        **common_parts(capacity, seed),
    )


def _uses_moves(solver: PolicyAdaptation, problem: BaseProblem) -> bool:
    return bool(solver.bias and problem.model.bias_by_move)


def _bias(solver: PolicyAdaptation, problem: BaseProblem) -> Bias:
    by_move, correction = _uses_moves(solver, problem), np.zeros(0)
    values = problem.bias_by_code() if solver.bias and solver.gamma != 1.0 and problem.codes is not None else None
    if values is not None:
        correction = np.exp((solver.gamma - 1.0) * np.asarray(values, np.float64))
    return Bias(by_move, solver.gamma, correction)


def initial_policy(
    solver: PolicyAdaptation, problem: BaseProblem, total: int, weights: Weights | None = None
) -> DensePolicy | HashedPolicy:
    """Return the policy that a search begins with: the weights given, else 0, and β by code if there is one to use."""
    if problem.codes is None:
        copies = solver.adapt != "optimized"
        if weights is None:
            return hashed_policy(solver.levels, total, copies)
        if not isinstance(weights, Mapping):
            raise InputError(f"{problem.name}: weights must be a mapping of codes to weights")
        codes = np.array([problem.model.code_number(code) for code in weights], np.int64)
        g = np.exp(representable(problem, _scaled(list(weights.values()), solver.tau)))
        return seeded(hashed_policy(solver.levels, total, copies, 8 * len(codes), 2 * (total + len(codes))), codes, g)
    bias = problem.bias_by_code() if solver.bias else None
    if weights is not None:
        w = _scaled(by_code(weights, problem.codes, "weights"), solver.tau)
        bias = w if bias is None else bias + w
    return dense_policy(solver.levels, problem.codes, None if bias is None else representable(problem, bias))


def _scaled(weights: ArrayLike, tau: float) -> np.ndarray:
    """Return w/τ of the ``weights``. Raises InputError unless e^(w/τ) is a number that the policy can hold."""
    w = finite_numbers(weights, "weights")
    if w.ndim != 1:
        raise InputError("weights must be numbers, one for each code")
    with np.errstate(over="ignore"):
        scaled = np.asarray(w / tau)
    if (scaled > MOST_EXPONENT).any():
        raise InputError(f"weights must be finite, and at most {MOST_EXPONENT:.0f} times tau, not {w.max():g}")
    return scaled
