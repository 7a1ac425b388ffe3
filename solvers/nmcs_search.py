"""The search of NMCS and the baselines: an explicit stack of levels that can be stopped after any playout.

Level 0 is one playout. Every level has its own state, the moves that led to it, and the legal moves still to be tried.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.jit import jit, stack_states, state_at
from nrpa.engine.kernels import all_moves, copy, play, reset
from nrpa.engine.model import Needs
from nrpa.engine.playout import ByRule, Cut, Position, playout
from nrpa.engine.random import Seed
from nrpa.engine.recording import Incumbent, InPath, Tally, count_playout
from nrpa.engine.status import BUDGET_USED, CUT, IMPROVED, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import exp_bias
from nrpa.solvers.interface import Weights, refuse, require_value
from nrpa.solvers.nmcs import NestedSearch
from nrpa.solvers.search import Capacity, CompiledSearch, common_parts

# The phases of a level: its state is new, and its legal moves are to be listed; or they are being tried.
LISTING, TRYING = 0, 1
RULES = ("uniform", "biased", "greedy")


class Levels(NamedTuple):
    """The levels of a search, in place of recursion."""

    begun: np.ndarray  # bool[1]: whether the search has begun
    active: np.ndarray  # int64[1]: the level that goes on next
    phase: np.ndarray  # int64[levels + 1]: LISTING or TRYING
    depth: np.ndarray  # int64[levels + 1]: how many moves lead from the root to the state of a level
    path: np.ndarray  # int64[levels + 1, steps]: these moves
    move: np.ndarray  # int64[levels + 1, moves]: the legal moves of a level's state
    listed: np.ndarray  # int64[levels + 1]: how many they are
    tried: np.ndarray  # int64[levels + 1]: how many of them have been tried
    found: np.ndarray  # bool[levels + 1]: whether a level's current search has a best sequence
    best: np.ndarray  # int64[levels + 1, steps]: that sequence from the root; for level 0 the last playout
    length: np.ndarray  # int64[levels + 1]: its number of moves
    score: np.ndarray  # float64[levels + 1]


class Memory(NamedTuple):
    """All that a search needs to go on; the states of the levels follow from their paths."""

    levels: Levels
    # best, tally, random, room: as in every search (``nrpa.solvers.search.CompiledSearch``)
    best: Incumbent
    tally: Tally
    random: np.ndarray
    room: np.ndarray


class Work(NamedTuple):
    """Work areas."""

    states: tuple[np.ndarray, ...]  # the fields of levels + 1 states, each with a leading axis over the levels
    restored: np.ndarray  # bool[1]: whether these are the states that the paths of the levels lead to
    weights: np.ndarray  # float64[max_moves]: for a playout


class Settings(NamedTuple):
    """The options of the algorithm."""

    choice: ByRule | Cut  # how playouts choose, and whether they are cut
    # The levels, the lowest, that follow the best sequence of their current step only; the others follow that of their
    # whole search
    forget: int


def advance_nmcs(position, memory, work, settings, budget):
    """Search on by nested Monte Carlo search from where the last call ended; return why it stopped.

    A search of level l tries each legal move by a search of level l - 1, remembers the best sequence, and plays its
    next move, until the game ends. A move into a final state counts as a playout.

    Source: T. Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009.
    """
    levels = memory.levels
    top = len(levels.depth) - 1
    last = memory.tally.playouts[0] + budget.playouts
    if not levels.begun[0]:
        begin(position, memory, work, top)
    elif not work.restored[0]:
        restore(position, levels, work)
    work.restored[0] = True
    while memory.tally.playouts[0] < last and memory.tally.searches[0] < budget.searches:
        level = levels.active[0]
        if level > 0 and levels.phase[level] == LISTING:
            count = list_moves(at_level(position, work, level), levels, settings, level)
            if count < 0:
                return count
            if count == 0 and levels.found[level]:
                hand_up(position, memory, work, level)
                continue
        if level > 0 and levels.listed[level] > 0:
            status = try_move(position, levels, work, level)
            if status < 0:
                return status
            level -= 1
            if level > 0:
                levels.active[0] = level
                continue
        status = sample(at_level(position, work, level), memory, work, level, settings)
        if status < 0:
            if top == 0:
                restart(position, levels, work, 0)
            return status
        improved = False
        if status == CUT:
            memory.tally.playouts[0] += 1
        else:
            improved = count_playout(
                memory.best, memory.tally, levels.best[level], levels.length[level], levels.score[level]
            )
        hand_up(position, memory, work, level)
        if improved:
            return IMPROVED
    return BUDGET_USED


@jit
def at_level(position, work, level):
    """Return the position with the state of ``level``."""
    return Position(position.instance, state_at(position.state, work.states, level), position.moves)


@jit
def begin(position, memory, work, top):
    """Begin the first search of the top level; if there is a best sequence of all, it is the best of this search."""
    levels = memory.levels
    levels.begun[0] = True
    restart(position, levels, work, top)
    if memory.best.found[0]:
        levels.found[top] = True
        levels.score[top] = memory.best.score[0]
        levels.length[top] = memory.best.length[0]
        for i in range(memory.best.length[0]):
            levels.best[top, i] = memory.best.move[i]


@jit
def restore(position, levels, work):
    """Make the states of the active level and of those above it again, from their paths."""
    for level in range(levels.active[0], len(levels.depth)):
        state = state_at(position.state, work.states, level)
        reset(position.instance, state)
        for i in range(levels.depth[level]):
            # As in the search itself: a state is asked for its moves before one of them is played.
            all_moves(position.instance, state, position.moves)
            play(position.instance, state, levels.path[level, i])
        if levels.phase[level] == TRYING:
            all_moves(position.instance, state, position.moves)


@jit
def restart(position, levels, work, level):
    """Begin a search of ``level``, the top level, at the root."""
    reset(position.instance, state_at(position.state, work.states, level))
    levels.depth[level] = 0
    levels.phase[level] = LISTING
    levels.found[level] = False
    levels.score[level] = -np.inf
    levels.active[0] = level


@jit
def list_moves(position, levels, settings, level):
    """Begin a step: list the moves to try in the state of a level."""
    count = all_moves(position.instance, position.state, position.moves)
    if count > levels.move.shape[1]:
        return TOO_MANY_MOVES_AT_ONCE
    if count < 0:
        return count
    for m in range(count):
        levels.move[level, m] = position.moves.move[m]
    levels.listed[level] = count
    levels.phase[level] = TRYING
    levels.tried[level] = 0
    if count > 0 and level <= settings.forget:
        levels.score[level] = -np.inf
    return count


@jit
def try_move(position, levels, work, level):
    """Begin a search of the level below, after the next move to try."""
    below = level - 1
    depth = levels.depth[level]
    if depth == levels.path.shape[1]:
        return TOO_MANY_STEPS
    move = levels.move[level, levels.tried[level]]
    child = state_at(position.state, work.states, below)
    copy(position.instance, state_at(position.state, work.states, level), child)
    play(position.instance, child, move)
    for i in range(depth):
        levels.path[below, i] = levels.path[level, i]
    levels.path[below, depth] = move
    levels.depth[below] = depth + 1
    levels.phase[below] = LISTING
    levels.found[below] = False
    levels.score[below] = -np.inf
    return 0


@jit
def sample(position, memory, work, level, settings):
    """Play the state of a level to its end and make the sequence the level's best."""
    levels = memory.levels
    record = InPath(levels.path, levels.length, levels.score, level, levels.depth[level])
    status = playout(position, settings.choice, record, memory.random, work.weights)
    if status < 0:
        return status
    levels.found[level] = True
    for i in range(levels.length[level]):
        levels.best[level, i] = levels.path[level, i]
    return status


@jit
def hand_up(position, memory, work, level):
    """End the search of ``level``: its result goes to the level above, which goes on to its next move or step."""
    levels = memory.levels
    top = len(levels.depth) - 1
    if level == top:
        memory.tally.searches[0] += 1
        restart(position, levels, work, top)
        return
    above = level + 1
    depth = levels.depth[above]
    if not levels.found[above] or levels.score[level] > levels.score[above]:
        levels.found[above] = True
        levels.score[above] = levels.score[level]
        levels.length[above] = levels.length[level]
        for i in range(levels.length[level]):
            levels.best[above, i] = levels.best[level, i]
    levels.active[0] = above
    levels.tried[above] += 1
    if levels.tried[above] < levels.listed[above]:
        return
    move = levels.best[above, depth]
    play(position.instance, state_at(position.state, work.states, above), move)
    levels.path[above, depth] = move
    levels.depth[above] = depth + 1
    levels.phase[above] = LISTING


class NMCSSearch(CompiledSearch):
    """The resumable search of NMCS and the baselines."""

    memory: Memory
    _function = staticmethod(advance_nmcs)

    def __init__(self, problem: BaseProblem, solver: NestedSearch, memory: Memory) -> None:
        rule = solver.rule
        # Uniform playouts need not know which moves they choose among.
        self._by_index = rule == "uniform" and len(memory.levels.depth) == 1
        self._bias = exp_bias(problem, rule != "uniform")
        needs = Needs(codes=len(self._bias.by_code) > 0, bias=rule != "uniform", moves=not self._by_index)
        self._states = [problem.model.new_state(needs) for _ in memory.levels.depth]
        super().__init__(problem, self._states[0])
        self._solver = solver
        self._stacked = stack_states(self._states)
        self._restored = np.zeros(1, np.bool_)
        self.memory = memory

    def _work(self) -> tuple[Any, ...]:
        work = Work(self._stacked, self._restored, np.zeros(self._capacity().moves))
        rule, cut = ByRule(RULES.index(self._solver.rule), self._bias), self._solver.cut
        # A sequence that was cut says nothing of the moves after it.
        forget = int(cut >= 0) if self._solver.memory else len(self._states)
        return work, Settings(rule if cut < 0 else Cut(rule, cut, self.memory.best.found), forget)

    def take_over(self, memory: Any) -> None:
        self._restored[0] = False
        super().take_over(memory)

    def _name_best(self) -> None:
        if self._by_index:
            best = self.memory.best
            best.move[: best.length[0]] = self.problem.model.moves_at(self.moves)

    def _allocate(self, capacity: Capacity) -> Memory:
        return allocate_memory(len(self.memory.levels.depth) - 1, capacity)


def start(
    solver: NestedSearch, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None
) -> NMCSSearch:
    """Return a search that has not begun, its machine code loaded or compiled (``Solver.start``)."""
    refuse(weights, solver.name)
    if solver.cut >= 0:
        require_value(problem, "cut")
    memory = allocate_memory(solver.level, Capacity.of(problem.model), seed)
    return NMCSSearch(problem, solver, memory).begun(warm_start)


def allocate_memory(level: int, capacity: Capacity, seed: Seed = 0) -> Memory:
    """Return the memory of a search that has not begun."""
    rows, steps, moves = level + 1, capacity.steps, capacity.moves
    levels = Levels(
        begun=np.zeros(1, np.bool_),
        active=np.zeros(1, np.int64),
        phase=np.zeros(rows, np.int64),
        depth=np.zeros(rows, np.int64),
        path=np.zeros((rows, steps), np.int64),
        move=np.zeros((rows, moves), np.int64),
        listed=np.zeros(rows, np.int64),
        tried=np.zeros(rows, np.int64),
        found=np.zeros(rows, np.bool_),
        best=np.zeros((rows, steps), np.int64),
        length=np.zeros(rows, np.int64),
        score=np.full(rows, -np.inf),
    )
    return Memory(levels=levels, **common_parts(capacity, seed))
