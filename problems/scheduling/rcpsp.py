"""Resource-constrained project scheduling: activities follow others and share resources; the last shall end early."""

# mypy: ignore-errors

from typing import NamedTuple, Self

import numpy as np

from nrpa.base.values import listed
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.objective import Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import fault_in_list, faultless, whole_text
from nrpa.problems.scheduling.projects import FORMS, checked_project, parsed_project
from nrpa.problems.scheduling.schedules import MAKESPAN, STARTS, gantt, is_start, verdict_of

JUSTIFIED = 2
"""How often ``improve`` puts all activities late, and early again."""


class State(NamedTuple):
    """The end of each activity, or -1; the last end of its predecessors, how many it awaits; the use at each time."""

    end: np.ndarray
    ready: np.ndarray
    awaited: np.ndarray
    used: np.ndarray


@compiled
class RCPSP(Problem):
    """A move places an activity, whose predecessors are placed, as early as can be. A solution is all start times.

    Parameters
    ----------
    hours : list of int
        The time that each activity takes.
    after : list of list of int
        The activities, from 0, that begin only after each has ended.
    demand : list of list of int
        What each activity needs of each resource while it lasts.
    capacity : list of int
        What there is of each resource at any time.
    """

    name = "rcpsp"
    objective = MAKESPAN
    _steps_of_forms = 3
    forms = FORMS

    def __init__(self, hours, after, demand, capacity, **options):
        super().__init__(**options)
        hours, after, demand, capacity = map(listed, (hours, after, demand, capacity))
        self.order = checked_project(hours, after, demand, capacity)
        self.hours, self.capacity = np.array(hours, np.int64), np.array(capacity, np.int64)
        self.demand = np.array(demand, np.int64).reshape(len(hours), len(capacity))
        pairs = np.array([(one, other) for one in range(len(hours)) for other in after[one]], np.int64).reshape(-1, 2)
        self.pairs, self.backwards = pairs, pairs[pairs[:, 1].argsort(kind="stable"), ::-1].copy()
        places = np.arange(len(hours) + 1)
        self.first, self.first_back = (np.searchsorted(each[:, 0], places) for each in (pairs, self.backwards))

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        parts = parsed_project(whole_text(source), source.label)
        return cls(*parts, **options)

    def bound(self):
        """Return the longest chain of activities, or the time that a resource needs for all of its work."""
        ends = self.hours.copy()
        for one in self.order:
            for other in self.pairs[self.first[one] : self.first[one + 1], 1]:
                ends[other] = max(ends[other], ends[one] + self.hours[other])
        return int(max(ends.max(), *-(-(self.hours @ self.demand) // np.maximum(self.capacity, 1))))

    def initial_state(self):
        count, kinds = self.demand.shape
        awaited = self.first_back[1:] - self.first_back[:-1]
        used = np.zeros((np.sum(self.hours), kinds), np.int64)
        return State(np.full(count, -1), np.zeros(count, np.int64), awaited, used)

    def legal_moves(self, state):
        return [k for k in range(len(self.hours)) if state.end[k] < 0 and state.awaited[k] == 0]

    def place(self, each, ready, used):
        """Return the end of an activity placed as early as can be, and note in ``used`` what it needs: a calendar."""
        start = time = ready[each]
        while time < start + self.hours[each]:
            for kind in range(len(self.capacity)):
                if used[time, kind] + self.demand[each, kind] > self.capacity[kind]:
                    start = time + 1
            time += 1
        used[start:time] += self.demand[each]
        return time

    def play(self, state, move):
        end, ready, awaited, used = state.end.copy(), state.ready.copy(), state.awaited.copy(), state.used.copy()
        end[move] = self.place(move, ready, used)
        for other in self.pairs[self.first[move] : self.first[move + 1], 1]:
            ready[other] = max(ready[other], end[move])
            awaited[other] -= 1
        return State(end, ready, awaited, used)

    def score(self, state):
        return -np.max(state.end)

    def key(self, state):
        return tuple(state.end)

    def placed(self, order, pairs, first):
        """Return the ends of activities placed in an order; with the pairs backwards, in time that runs backwards."""
        end, ready = np.zeros(len(self.hours), np.int64), np.zeros(len(self.hours), np.int64)
        used = np.zeros((np.sum(self.hours), len(self.capacity)), np.int64)
        for each in order:
            end[each] = self.place(each, ready, used)
            for other in pairs[first[each] : first[each + 1], 1]:
                ready[other] = max(ready[other], end[each])
        return end

    def improve(self, moves):
        """Justify to the right and to the left (Valls, Ballestín & Quintanilla, Eur. J. Oper. Res. 165, 2005)."""
        order = np.array(moves)
        for _ in range(JUSTIFIED):
            for pairs, first in ((self.pairs, self.first), (self.backwards, self.first_back)):
                end = self.placed(order, pairs, first)
                order = order[::-1]
                order = order[np.argsort(-end[order], kind="stable")]
        return list(order)

    def solution_of(self, moves):
        end = self.placed(np.array(moves), self.pairs, self.first)
        return (end - self.hours).tolist()

    def own_moves(self, solution):
        faultless(self, solution)
        return sorted(self.order, key=lambda each: solution[each])

    def check(self, solution):
        fault = fault_in_list(solution, "a solution is a list of start times", "activity", STARTS, is_start)
        if fault or len(solution) != len(self.hours):
            return Verdict({}, [fault or f"expected {len(self.hours)} start times, found {len(solution)}"])
        kinds = ((f"resource {k + 1}", self.demand[:, k], has) for k, has in enumerate(self.capacity))
        return verdict_of(solution, self.hours, self.pairs, kinds, lambda each: f"activity {each + 1}")

    def draw(self, solution):
        ends = (np.array(solution) + self.hours).tolist()
        bars = ((f"{k + 1:>4}", [(start, ends[k], k + 1)]) for k, start in enumerate(solution) if start >= 0)
        return gantt(bars, max(ends))
