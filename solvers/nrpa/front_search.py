"""The resumable search of Pareto-NRPA: NRPA whose levels keep fronts (``nrpa.solvers.nrpa.front``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.engine.kernels import has_kernel
from nrpa.engine.policy import DensePolicy, HashedPolicy, enlarged_policy
from nrpa.engine.random import Seed
from nrpa.engine.status import LACKS_ROOM
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Lexicographic, Objective
from nrpa.solvers.interface import Weights
from nrpa.solvers.nrpa.front import FREE, RESERVED, Fronts
from nrpa.solvers.nrpa.memory import NRPAMemory, NRPASettings, NRPAWork
from nrpa.solvers.nrpa.options import GNRPA
from nrpa.solvers.nrpa.search import NRPASearch, initial_memory, nrpa_memory
from nrpa.solvers.search import Capacity, enlarged

FIRST_SLOTS = 16


class FrontSearch(NRPASearch):
    """The resumable search of Pareto-NRPA."""

    def _work(self) -> tuple[NRPAWork, NRPASettings]:
        work, settings = super()._work()
        return work._replace(radix=np.array(getattr(self.problem.objective, "radix", ()), np.float64)), settings

    def _allocate(self, capacity: Capacity) -> NRPAMemory:
        return self._with_slots(capacity, len(self.memory.fronts.level))

    def _with_slots(self, capacity: Capacity, slots: int) -> NRPAMemory:
        return allocate(self._solver, self.problem, self.memory.policy, capacity, slots)

    def _makes_room(self, status: int) -> bool:
        level, sequences, policy = self.memory.fronts.level, self.memory.sequences, self.memory.policy
        if status == LACKS_ROOM and (level != FREE).all():
            self.memory = enlarged(self.memory, self._with_slots(self._capacity(), 2 * len(level)))
        elif status == LACKS_ROOM and isinstance(policy, HashedPolicy):
            codes = sequences.code.shape[1] + np.take_along_axis(sequences.offset, sequences.length[:, None], 1).sum()
            self.memory = self.memory._replace(policy=enlarged_policy(policy, more=int(codes)))
        return status == LACKS_ROOM

    def as_large_as(self, memory: NRPAMemory) -> NRPAMemory:
        wanted = self._with_slots(Capacity(*map(int, memory.capacity)), len(memory.fronts.level))
        return wanted._replace(policy=super().as_large_as(memory).policy)

    def front(self) -> list[tuple[tuple[float, ...], Any]]:
        """Return the goals of each sequence in the fronts of all levels, with the solution that it builds."""
        sequences, goals = self.memory.sequences, self.memory.fronts.goals
        if isinstance(self.problem.objective, Lexicographic):
            goals = goals / 10.0 ** np.array([part.digits for part in self.problem.objective.parts])
        kept = np.flatnonzero(self.memory.fronts.level > FREE).tolist()
        found = [(slot, sequences.move[slot, : sequences.length[slot]]) for slot in kept]
        return [(tuple(goals[slot].tolist()), self.problem.solution(moves.copy())) for slot, moves in found]


def goals_of(problem: BaseProblem) -> tuple[Objective, ...]:
    """Return the goals of a problem. Raises InputError for one that has none."""
    if isinstance(problem.objective, Lexicographic):
        return problem.objective.parts
    if len(problem.goals) < 2 or not has_kernel(type(problem.model.new_state()), "goal"):
        what = "an objective that is an nrpa.Lexicographic, or, compiled, the attribute goals and the kernel goal"
        raise InputError(f"{problem.name} has a single goal; the solver pareto needs several: {what}")
    return problem.goals


def allocate(
    solver: GNRPA, problem: BaseProblem, policy: DensePolicy | HashedPolicy, capacity: Capacity, slots: int
) -> NRPAMemory:
    """Return the memory of a search that has not begun, with a policy."""
    memory = nrpa_memory(solver, problem, policy, capacity, slots=slots)
    level = np.full(slots, FREE)
    level[0] = RESERVED
    return memory._replace(fronts=Fronts(np.zeros((slots, len(goals_of(problem)))), level))


def start(
    solver: GNRPA, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None
) -> FrontSearch:
    """Return a search that has not begun (``Solver.start``)."""
    if warm_start is not None:
        raise InputError("a warm start does not apply to the solver pareto")
    begun = initial_memory(solver, problem, seed, weights=weights)
    memory = allocate(solver, problem, begun.policy, Capacity.of(problem.model), FIRST_SLOTS)
    return FrontSearch(problem, solver, memory._replace(random=begun.random))
