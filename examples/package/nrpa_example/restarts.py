"""A solver with kernels: numba compiles it together with those of each problem."""

from typing import NamedTuple

import numpy as np

import nrpa
from nrpa.solvers import kit


class Memory(NamedTuple):
    """All that the search needs to go on: what a checkpoint holds."""

    best: kit.Incumbent
    tally: kit.Tally
    random: np.ndarray
    capacity: np.ndarray


def advance(position, memory, played, weights, choice, part, budget):
    """Make so many playouts, or fewer until one is better than all; return why it stopped."""
    random, best = memory.random, memory.best
    for _ in range(budget.playouts):
        first, second = random[0], random[1]
        kept = int(part * kit.uniform(random) * best.length[0])
        replay(position, best, played.path, kept)
        record = kit.InPath(played.path, played.length, played.score, 0, kept)
        status = kit.playout(position, choice, record, random, weights)
        if status < 0:  # as before the playout: it is made again, with more room, or when the search goes on
            random[0], random[1] = first, second
            return status
        memory.tally.searches[0] += 1
        if kit.count_playout(best, memory.tally, played.path[0], played.length[0], played.score[0]):
            return kit.IMPROVED
        if memory.tally.searches[0] >= budget.searches:
            break
    return kit.BUDGET_USED


@kit.jit
def replay(position, best, path, kept):
    """Begin with the first moves of the best game; a state is asked for its moves before one of them is played."""
    kit.reset(position.instance, position.state)
    for i in range(kept):
        kit.all_moves(position.instance, position.state, position.moves)
        path[0, i] = best.move[i]
        kit.play(position.instance, position.state, best.move[i])


class RestartsSearch(kit.CompiledSearch):
    """A run: the memory, and the compiled function that goes on with it."""

    _function = staticmethod(advance)

    def __init__(self, problem, solver, memory):
        super().__init__(problem, problem.model.new_state())
        self._solver, self.memory = solver, memory

    def _work(self):
        """Return what ``advance`` takes after the memory: arrays whose contents need not last, and the options."""
        steps, moves, _ = self._capacity()
        played = kit.InPath(np.zeros((1, steps), np.int64), np.zeros(1, np.int64), np.zeros(1), 0, 0)
        choice = kit.ByRule(kit.BIASED, kit.exp_bias(self.problem, self._solver.uses_bias))
        return played, np.zeros(moves), choice, self._solver.part

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
