"""The resumable search of NRPA and GNRPA whose searches of level 1 have scenarios of their own, drawn anew.

What a search of level 1 finds is kept, and goes up a level, by its score on scenarios that are the same for all.
"""

from __future__ import annotations

import numpy as np

from nrpa.base.errors import InputError
from nrpa.engine.status import BUDGET_USED, IMPROVED, UNSETTLED
from nrpa.modelling.averaged import Drawn
from nrpa.python.checks import score_of
from nrpa.solvers.interface import Improvement
from nrpa.solvers.nrpa.memory import Memory
from nrpa.solvers.nrpa.options import PolicyAdaptation
from nrpa.solvers.nrpa.search import NRPASearch
from nrpa.solvers.search import Capacity


class DrawnSearch(NRPASearch):
    """The resumable search of NRPA and GNRPA on scenarios that are drawn anew.

    - ``memory.draw``, uint64[1]: The seed of the scenarios of this search of level 1.
    """

    problem: Drawn
    _settles = True

    def _allocate(self, capacity: Capacity) -> Memory:
        return super()._allocate(capacity)._replace(draw=self.memory.draw)

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        self.problem.meet(int(self.memory.draw[0]))
        try:
            return super()._advance(playouts, searches, score)
        finally:
            self.problem.meet(None)

    def _settled(self, status: int) -> int:
        """Give the result of a search of level 1, or the first playout of all, its score on the common scenarios."""
        if status != UNSETTLED:
            return status
        memory, sequences, levels, solver = self.memory, self.memory.sequences, self.memory.levels, self._solver
        slot = levels.slot[1]
        moves = sequences.move[slot, : sequences.length[slot]]
        self.problem.meet(None)
        score = score_of(self.problem, self.problem.final_state(self.problem.model.things_of(moves)))
        if levels.iteration[1] == solver.iterations or 0 < solver.repetitions <= levels.repeated[1]:
            sequences.score[slot] = score
            memory.draw[:] = seed_after(memory.random)
        self.problem.meet(int(memory.draw[0]))
        if memory.best.found[0] and score <= memory.best.score[0]:
            return BUDGET_USED
        self._keep(moves, score)
        return IMPROVED


def seed_after(random: np.ndarray) -> np.ndarray:
    """Return a seed of scenarios, uint64[1], from the state of a generator (uint64[2])."""
    return np.random.SeedSequence(random.tolist()).generate_state(1, np.uint64)


def begun(problem: Drawn, solver: PolicyAdaptation, memory: Memory) -> DrawnSearch:
    """Return a search with a memory that has not begun. Raises InputError for one of a single level."""
    if solver.levels < 2:
        raise InputError(f"{problem.name}: scenarios drawn anew need level 2 or more, not {solver.levels}")
    return DrawnSearch(problem, solver, memory._replace(draw=seed_after(memory.random)))
