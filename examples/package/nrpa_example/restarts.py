"""A solver with kernels: numba compiles it together with those of each problem."""

from typing import NamedTuple

import numpy as np

import nrpa
from nrpa.solvers import kit
from nrpa.solvers.kit import all_moves, count_playout, jit, play, playout, reset, uniform


class Memory(NamedTuple):
    """All that the search needs to go on: what a checkpoint holds."""

    best: kit.Incumbent
    tally: kit.Tally
    random: np.ndarray
    capacity: np.ndarray


class Work(NamedTuple):
    """Work areas: what they hold does not matter between calls."""

    path: np.ndarray  # int64[1, steps]: the moves of a playout
    length: np.ndarray  # int64[1]: how many they are
    score: np.ndarray  # float64[1]
    weights: np.ndarray  # float64[moves]: of the legal moves of a state


class Settings(NamedTuple):
    """The options, as compiled code takes them."""

    choice: kit.ByRule
    part: float


def advance(position, memory, work, settings, budget):
    """Make so many playouts, or fewer until one is better than all; return why it stopped."""
    random, best = memory.random, memory.best
    for _ in range(budget.playouts):
        first, second = random[0], random[1]
        reset(position.instance, position.state)
        kept = int(settings.part * uniform(random) * best.length[0])
        replay(position, best, work, kept)
        record = kit.InPath(work.path, work.length, work.score, 0, kept)
        status = playout(position, settings.choice, record, random, work.weights)
        if status < 0:  # as before the playout: it is made again, with more room, or when the search goes on
            random[0], random[1] = first, second
            return status
        memory.tally.searches[0] += 1
        if count_playout(best, memory.tally, work.path[0], work.length[0], work.score[0]):
            return kit.IMPROVED
        if memory.tally.searches[0] >= budget.searches:
            break
    return kit.BUDGET_USED


@jit
def replay(position, best, work, kept):
    """Play the first moves of the best game; a state is asked for its moves before one of them is played."""
    for i in range(kept):
        all_moves(position.instance, position.state, position.moves)
        work.path[0, i] = best.move[i]
        play(position.instance, position.state, best.move[i])


class RestartsSearch(kit.CompiledSearch):
    """A run: the memory, and the compiled function that goes on with it."""

    _function = staticmethod(advance)

    def __init__(self, problem, solver, memory):
        self._bias = kit.exp_bias(problem, solver.uses_bias)
        needs = kit.Needs(codes=len(self._bias.by_code) > 0, bias=solver.uses_bias)
        super().__init__(problem, problem.model.new_state(needs))
        self._solver, self.memory = solver, memory

    def _work(self):
        steps, moves, _ = self._capacity()
        work = Work(np.zeros((1, steps), np.int64), np.zeros(1, np.int64), np.zeros(1), np.zeros(moves))
        return work, Settings(kit.ByRule(kit.BIASED, self._bias), self._solver.part)

    def _allocate(self, capacity):
        return Memory(**kit.common_parts(capacity, 0))


class Restarts(nrpa.PythonSolver):
    """Restarts: a random part of the best game is kept, and the rest is played anew."""

    name = "restarts"
    part = nrpa.Option(1.0, "The largest part that is kept.", most=1.0, tried=(0.5, 0.8, 0.9, 1.0))
    uses_bias = True

    def start(self, problem, seed, *, warm_start=None, weights=None):
        """Return a run that has not begun, compiled."""
        kit.refuse(weights, self.name)
        memory = Memory(**kit.common_parts(kit.Capacity.of(problem.model), seed))
        search = RestartsSearch(problem, self, memory).begun(warm_start)
        search.prepare()
        return search
