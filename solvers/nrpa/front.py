"""The search for fronts: NRPA whose levels keep what no other sequence beats in all goals.

References
----------
N. Lallouet, T. Cazenave and C. Enderli, *Pareto-NRPA: A Novel Monte-Carlo Search Algorithm for Multi-Objective
Optimization*, ECAI 2025: a front on each level, and Adapt towards all of it. Here there is one policy for all, and the
sequences of a front share α equally.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.engine.kernels import goal, has_kernel
from nrpa.engine.playout import improve_playout, play_again
from nrpa.engine.policy import DensePolicy, HashedPolicy, lacks_room
from nrpa.engine.policy import enlarged as enlarged_policy
from nrpa.engine.random import Seed
from nrpa.engine.status import LACKS_ROOM, NO_SCORE, is_score
from nrpa.machine.jit import held, jit
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Lexicographic, Objective
from nrpa.solvers.interface import Weights
from nrpa.solvers.nrpa.adapt import Rate
from nrpa.solvers.nrpa.kernel import adapt, adapt_level, forget_best, improve_last, keep, lacks_slot
from nrpa.solvers.nrpa.memory import NRPAMemory, NRPASettings, NRPAWork
from nrpa.solvers.nrpa.options import GNRPA
from nrpa.solvers.nrpa.search import NRPASearch, allocate_memory, initial_memory
from nrpa.solvers.search import Capacity, enlarged

# Of a slot that holds no sequence, whose score stays -inf, and of those that are free.
RESERVED, FREE = -1, 0
FIRST_SLOTS = 16


class Fronts(NamedTuple):
    """To which fronts sequences belong.

    - ``goals``, float64[slots, goals]: How good each is, by each goal.
    - ``level``, int64[slots]: The level whose front it is in, FREE or RESERVED; above the top level is what earlier
      top-level searches have found.
    """

    goals: np.ndarray
    level: np.ndarray


@lacks_slot.case(Fronts)
def _front_lacks_slot(fronts, policy, sequences, levels):
    levels.slot[0] = free_slot(fronts)
    return levels.slot[0] == 0 or lacks_room(policy, codes_of_an_adapt(sequences, fronts))


@forget_best.case(Fronts)
def _leave_front(fronts, sequences, levels, level, score):
    hand_up(fronts, level)


@improve_last.case(Fronts)
def _improve_last_for_front(fronts, work, position, sequences, levels):
    slot = levels.slot[0]
    status = note_goals(position, fronts, slot, work.radix)
    if work.improvement is None or status < 0 or is_covered(fronts, 1, slot):
        return status
    status = improve_playout(work.improvement, position, sequences, slot, 0)
    if status == 0:
        status = min(play_again(position, sequences, slot, sequences.move[slot], sequences.length[slot]), 0)
    if status == 0:
        status = note_goals(position, fronts, slot, work.radix)
    return status


@keep.case(Fronts)
def _keep_in_front(fronts, sequences, levels, repetitions, level):
    is_new = take_in(fronts, 1, levels.slot[0]) if level == 1 else hand_up(fronts, level - 1)
    if repetitions > 0:
        levels.repeated[level] = 0 if is_new else levels.repeated[level] + 1


@adapt_level.case(Fronts)
def _adapt_to_front(fronts, position, policy, sequences, levels, level, settings, factors):
    members = 0
    for slot in range(1, len(fronts.level)):
        members += fronts.level[slot] == level
    share = 1.0 / members
    rate = Rate(settings.rate.scaled * share, settings.rate.squarings, settings.rate.up**share)
    for slot in range(1, len(fronts.level)):
        if fronts.level[slot] == level:
            adapt(position, policy, level, sequences, slot, settings, rate, factors)


@jit
def free_slot(fronts):
    """Return the first slot that is free; 0 where none is."""
    for slot in range(1, len(fronts.level)):
        if fronts.level[slot] == FREE:
            return slot
    return 0


@jit
def codes_of_an_adapt(sequences, fronts):
    """Return how many codes an Adapt may change, at most, after one more playout."""
    codes = sequences.code.shape[1]
    for slot in range(1, len(fronts.level)):
        if fronts.level[slot] != FREE:
            codes += sequences.offset[slot, sequences.length[slot]]
    return codes


@jit
def note_goals(position, fronts, slot, radix):
    """Note how good the game is that has just ended, a packed score by its parts; return 0, or NO_SCORE.

    ``radix``: By what the parts of a packed score are divided, float64[goals - 1] or [0]
    (``nrpa.modelling.objective``).
    """
    for place in range(fronts.goals.shape[1]):
        fronts.goals[slot, place] = held(goal(position.instance, position.state, place))
        if not is_score(fronts.goals[slot, place]):
            return NO_SCORE
    for place in range(len(radix), 0, -1):
        rest = fronts.goals[slot, 0]
        fronts.goals[slot, 0] = np.rint(rest / radix[place - 1])
        fronts.goals[slot, place] = rest - fronts.goals[slot, 0] * radix[place - 1]
    return 0


@jit
def covers(fronts, one, other):
    """Return whether one sequence is as good as another one, by every goal."""
    as_good = True
    for place in range(fronts.goals.shape[1]):
        as_good &= fronts.goals[one, place] >= fronts.goals[other, place]
    return as_good


@jit
def is_covered(fronts, level, slot):
    """Return whether a sequence in the front of ``level`` is as good by every goal."""
    is_one = False
    for other in range(1, len(fronts.level)):
        is_one |= fronts.level[other] == level and covers(fronts, other, slot)
    return is_one


@jit
def take_in(fronts, level, slot):
    """Take a sequence into the front of ``level``, or free its slot; return whether it is taken."""
    fronts.level[slot] = FREE
    if is_covered(fronts, level, slot):
        return False
    for other in range(1, len(fronts.level)):
        if fronts.level[other] == level and covers(fronts, slot, other):
            fronts.level[other] = FREE
    fronts.level[slot] = level
    return True


@jit
def hand_up(fronts, level):
    """Take the front of ``level`` into that of the level above; return whether anything of it is new there."""
    is_new = False
    for slot in range(1, len(fronts.level)):
        if fronts.level[slot] == level:
            is_new |= take_in(fronts, level + 1, slot)
    return is_new


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
    memory = allocate_memory(solver, problem, policy, capacity, slots=slots)
    level = np.full(slots, FREE)
    level[0] = RESERVED
    return memory._replace(fronts=Fronts(np.zeros((slots, len(goals_of(problem)))), level))


def start(
    solver: GNRPA, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None
) -> FrontSearch:
    """Return a search that has not begun, its machine code loaded or compiled (``Solver.start``)."""
    if warm_start is not None:
        raise InputError("a warm start does not apply to the solver pareto")
    begun = initial_memory(solver, problem, seed, weights=weights)
    memory = allocate(solver, problem, begun.policy, Capacity.of(problem.model), FIRST_SLOTS)
    search = FrontSearch(problem, solver, memory._replace(random=begun.random))
    search.prepare()
    return search
