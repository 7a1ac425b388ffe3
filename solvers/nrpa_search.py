"""The search of NRPA and GNRPA: an explicit stack of levels that can be stopped after any playout."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.engine.adapt import (
    MEMOIZED,
    OPTIMIZED,
    Bias,
    Rate,
    adapt_memoized,
    adapt_optimized,
    adapt_plain,
    learning_rate,
)
from nrpa.engine.game import Memo, memoized
from nrpa.engine.jit import inlined, jit
from nrpa.engine.kernels import reset
from nrpa.engine.model import Needs
from nrpa.engine.playout import ByKernel, ByPolicy, improve_playout, playout
from nrpa.engine.policy import (
    DensePolicy,
    HashedPolicy,
    dense_policy,
    enlarged,
    enter,
    hashed_policy,
    lacks_room,
    leave,
    seeded,
)
from nrpa.engine.random import Seed
from nrpa.engine.recording import Incumbent, InSequence, Sequences, Tally, allocate_sequences, count_playout
from nrpa.engine.status import BUDGET_USED, IMPROVED, LACKS_ROOM, UNSETTLED
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import MOST_EXPONENT, by_code, finite_numbers, representable
from nrpa.solvers.interface import Weights
from nrpa.solvers.nrpa import ADAPTS, PolicyAdaptation
from nrpa.solvers.search import Capacity, CompiledSearch, common_parts

drawn_search = lazy("nrpa.solvers.drawn_search")


class Levels(NamedTuple):
    """The levels of a search, in place of recursion."""

    begun: np.ndarray  # bool[1]: whether the levels have been entered
    slot: np.ndarray  # int64[levels + 1]: which sequence belongs to a level: its best; for level 0 the last playout
    iteration: np.ndarray  # int64[levels + 1]: how many iterations of its current search a level has done
    # int64[levels + 1]: how often a level's best sequence was found again; not counted without limited repetitions
    repeated: np.ndarray


class Memory(NamedTuple):
    """All that a search needs to go on."""

    policy: DensePolicy | HashedPolicy  # that of all levels
    sequences: Sequences  # one for each level, and one for the playout
    levels: Levels
    # best, tally, random, room: as in every search (``nrpa.solvers.search.CompiledSearch``)
    best: Incumbent
    tally: Tally
    random: np.ndarray
    room: np.ndarray
    fronts: Any = ()  # of a search for fronts (``nrpa.solvers.front_search``)
    draw: Any = ()  # of one whose scenarios are drawn anew (``nrpa.solvers.drawn_search``)


class Work(NamedTuple):
    """Work areas. Their content does not matter between calls."""

    weights: np.ndarray  # float64[max_moves]: for a playout
    factors: np.ndarray  # float64[max_total]: for Adapt
    improvement: ByKernel | None  # how playouts that beat the best of their level are improved


class Settings(NamedTuple):
    """The options of the algorithm."""

    iterations: int  # N, the iterations of each level
    repetitions: int  # R: a level ends when its best sequence was found again so often; 0 for never
    adapt: int  # which of the three Adapts is used (``nrpa.engine.adapt``)
    bias: Bias  # whether β comes with the moves, and γ
    rate: Rate  # the learning rate
    settles: bool  # whether the caller gives the results of level 1 their scores (``nrpa.solvers.drawn_search``)


def advance_nrpa(position, memory, work, settings, budget):
    """Search on by NRPA or GNRPA from where the last call ended; return why it stopped (``nrpa.engine.status``).

    Source: C. D. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, IJCAI 2011; T. Cazenave,
    *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithm 3.
    """
    sequences, levels = memory.sequences, memory.levels
    top = len(levels.slot) - 1
    for _ in range(budget.playouts):
        if lacks_room(memory.policy, sequences.code.shape[1]):
            return LACKS_ROOM
        if not levels.begun[0]:
            levels.begun[0] = True
            begin_down_from(memory, top)
            sequences.score[levels.slot[top]] = memory.best.score[0]
        if settings.settles and is_finished(levels, 1, settings):
            end_searches(position, memory, work, settings, 2)
            if memory.tally.searches[0] >= budget.searches:
                break
        # Level 0: a playout.
        reset(position.instance, position.state)
        slot = levels.slot[0]
        choice = ByPolicy(memory.policy, 1, settings.bias.by_move)
        first, second = memory.random[0], memory.random[1]
        failure = playout(position, choice, InSequence(sequences, slot), memory.random, work.weights)
        if not failure:
            failure = improve_playout(work.improvement, position, sequences, slot, levels.slot[1])
        if failure:
            memory.random[0], memory.random[1] = first, second
            return failure
        if settings.settles:
            memory.tally.playouts[0] += 1
            memory.tally.last_score[0] = sequences.score[slot]
            if end_iteration(position, memory, work, settings, 1) or not memory.best.found[0]:
                return UNSETTLED
            continue
        improved = count_playout(
            memory.best, memory.tally, sequences.move[slot], sequences.length[slot], sequences.score[slot]
        )
        end_searches(position, memory, work, settings, 1)
        if improved:
            return IMPROVED
        if memory.tally.searches[0] >= budget.searches:
            break
    return BUDGET_USED


@inlined
def end_searches(position, memory, work, settings, level):
    """End an iteration of ``level``; the last iteration of a level ends one of the level above."""
    top = len(memory.levels.slot) - 1
    while level <= top and end_iteration(position, memory, work, settings, level):
        level += 1
    if level > top:
        memory.tally.searches[0] += 1
    begin_down_from(memory, level - 1)


@inlined
def end_iteration(position, memory, work, settings, level):
    """Keep the better sequence and adapt the policy of ``level`` to it; return True where no iteration is left."""
    sequences, levels = memory.sequences, memory.levels
    if settings.repetitions > 0:
        count_repetition(sequences, levels, level)
    take_if_no_worse(sequences, levels, level)
    levels.iteration[level] += 1
    if is_finished(levels, level, settings):
        leave(memory.policy, level)
        return True
    adapt(position, memory.policy, level, sequences, levels.slot[level], settings, work.factors)
    return False


@inlined
def begin_down_from(memory, level):
    """Start a search of ``level`` and of each level below it, with its caller's policy and no best sequence."""
    levels = memory.levels
    for each in range(level, 0, -1):
        enter(memory.policy, each)
        levels.iteration[each] = 0
        levels.repeated[each] = 0
        memory.sequences.score[levels.slot[each]] = -np.inf


@jit
def is_finished(levels, level, settings):
    """Return whether a search of ``level`` has done its iterations, or has found its best sequence often enough."""
    if levels.iteration[level] >= settings.iterations:
        return True
    return settings.repetitions > 0 and levels.repeated[level] >= settings.repetitions


@jit
def count_repetition(sequences, levels, level):
    """Count the result of the level below if it is the best sequence of ``level``; begin anew if it replaces that.

    Source: T. Cazenave, *Generalized Nested Rollout Policy Adaptation with Limited Repetitions*, arXiv 2401.10420,
    2024.
    """
    below = levels.slot[level - 1]
    best = levels.slot[level]
    if sequences.score[below] == sequences.score[best] and has_same_moves(sequences, below, best):
        levels.repeated[level] += 1
    elif sequences.score[below] >= sequences.score[best]:
        levels.repeated[level] = 0


@jit
def has_same_moves(sequences, one, other):
    """Return whether two sequences consist of the same moves."""
    same = sequences.length[one] == sequences.length[other]
    for step in range(sequences.length[one] if same else 0):
        same &= sequences.move[one, step] == sequences.move[other, step]
    return same


@jit
def take_if_no_worse(sequences, levels, level):
    """Make the result of the level below the best of ``level`` if its score is at least as high."""
    below = levels.slot[level - 1]
    best = levels.slot[level]
    if sequences.score[below] >= sequences.score[best]:
        levels.slot[level] = below
        levels.slot[level - 1] = best


@jit
def adapt(position, policy, level, sequences, slot, settings, factors):
    """Move the policy of a level towards a sequence; ``factors``, float64[max_total], is a work area.

    Source: T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 2, 5 and 6.
    """
    if settings.adapt == OPTIMIZED:
        adapt_optimized(policy, level, sequences, slot, settings.bias, settings.rate, factors)
    elif settings.adapt == MEMOIZED:
        adapt_memoized(policy, level, sequences, slot, settings.bias, settings.rate, factors)
    else:
        adapt_plain(position, policy, level, sequences, slot, settings.bias, settings.rate, factors)


class NRPASearch(CompiledSearch):
    """The resumable search of GNRPA and NRPA."""

    memory: Memory
    _function = staticmethod(advance_nrpa)
    _settles = False

    def __init__(self, problem: BaseProblem, solver: PolicyAdaptation, memory: Memory) -> None:
        super().__init__(problem, problem.model.new_state(Needs(bias=_uses_moves(solver, problem))))
        self._solver = solver
        self.memory = memory

    def _work(self) -> tuple[Any, ...]:
        capacity, improvement = self._capacity(), None
        if self._solver.improve:
            steps = capacity.steps
            improvement = ByKernel(np.zeros(steps, np.int64), np.zeros(steps, np.int64), self.problem.codes or 0)
        return Work(np.zeros(capacity.moves), np.zeros(capacity.total), improvement), self._settings

    @cached_property
    def _settings(self) -> Settings:
        solver = self._solver
        rate = learning_rate(solver.alpha, solver.tau)
        adapt, bias = ADAPTS.index(solver.adapt), _bias(solver, self.problem)
        return Settings(solver.iterations, solver.repetitions, adapt, bias, rate, self._settles)

    def as_large_as(self, memory: Memory) -> Memory:
        wanted: Memory = super().as_large_as(memory)
        policy = memory.policy
        if not isinstance(policy, HashedPolicy):
            return wanted
        copies = self._solver.adapt != "optimized"
        sizes = len(policy.logged), len(policy.log_slot)
        return wanted._replace(policy=hashed_policy(self._solver.levels, int(memory.room[2]), copies, *sizes))

    def _makes_room(self, status: int) -> bool:
        policy = self.memory.policy
        if status == LACKS_ROOM and isinstance(policy, HashedPolicy):
            self.memory = self.memory._replace(policy=enlarged(policy))
            return True
        return False

    def _allocate(self, capacity: Capacity) -> Memory:
        return allocate_memory(self._solver, self.problem, self.memory.policy, capacity)

    def _enlarge(self, capacity: Capacity) -> None:
        policy = self.memory.policy
        if isinstance(policy, HashedPolicy):
            self.memory = self.memory._replace(policy=enlarged(policy, capacity.total))
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
    """Return a search that has not begun, its machine code loaded or compiled (``Solver.start``)."""
    memory = initial_memory(solver, problem, seed, warm_start, weights)
    begun = drawn_search.begun if problem.draws_scenarios else NRPASearch
    search: NRPASearch = begun(problem, solver, memory)
    search.prepare()
    return search


def initial_memory(
    solver: PolicyAdaptation,
    problem: BaseProblem,
    seed: Seed,
    warm_start: np.ndarray | None = None,
    weights: Weights | None = None,
) -> Memory:
    """Return the memory of a search that has not begun; parameters and errors are those of ``start``."""
    if solver.improve and not problem.can_improve:
        raise InputError(f"{problem.name}: improve needs a method or kernel improve, which this problem lacks")
    capacity = Capacity.of(problem.model)
    policy = initial_policy(solver, problem, capacity.total, weights)
    memory = allocate_memory(solver, problem, policy, capacity, seed)
    if warm_start is None:
        return memory
    search = NRPASearch(problem, solver, memory)
    search.begin_with(memoized(problem.model, warm_start))
    return search.memory


def allocate_memory(
    solver: PolicyAdaptation,
    problem: BaseProblem,
    policy: DensePolicy | HashedPolicy,
    capacity: Capacity,
    seed: Seed = 0,
    slots: int | None = None,
) -> Memory:
    """Return the memory of a search that has not begun, with a policy."""
    rows = solver.levels + 1
    levels = Levels(np.zeros(1, np.bool_), np.arange(rows), np.zeros(rows, np.int64), np.zeros(rows, np.int64))
    return Memory(
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
