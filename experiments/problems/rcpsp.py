"""Projects of PSPLIB's j30 by CP-SAT: the groups 13, 29 and 45, whose activities need all resources, which are scarce.

One of each is bundled.
"""

from __future__ import annotations

from typing import Any

from cp_sat import solved
from ortools.sat.python import cp_model

INSTANCES = ("j30_13_1", "j30_29_1", "j30_45_2")
PEER = "CP-SAT of OR-Tools"
BASELINE = "latest finish time first"


def intervals_of(model: Any, hours: Any) -> tuple[list[Any], list[Any]]:
    """Return the start and the interval of each activity, so that the last ends early."""
    horizon = int(sum(hours))
    starts = [model.new_int_var(0, horizon, "") for _ in hours]
    intervals = [
        model.new_fixed_size_interval_var(start, int(size), "") for start, size in zip(starts, hours, strict=True)
    ]
    makespan = model.new_int_var(0, horizon, "")
    for start, size in zip(starts, hours, strict=True):
        model.add(makespan >= start + int(size))
    model.minimize(makespan)
    return starts, intervals


def answer(problem: Any, seconds: float) -> list[int] | None:
    """Return the starts that CP-SAT finds."""
    model = cp_model.CpModel()
    starts, intervals = intervals_of(model, problem.hours)
    for one, other in problem.pairs:
        model.add(starts[other] >= starts[one] + int(problem.hours[one]))
    for needs, capacity in zip(problem.demand.T, problem.capacity, strict=True):
        model.add_cumulative(intervals, [int(need) for need in needs], int(capacity))
    value = solved(model, seconds)
    return [value(start) for start in starts] if value else None


def baseline(problem: Any) -> list[int]:
    """Place of the activities that can be placed the one that must end first, if the critical path shall be kept."""
    plain, rest = problem.plain, [0] * len(problem.hours)
    for one in reversed(problem.order):
        followers = [int(other) for before, other in problem.pairs if before == one]
        rest[one] = max((rest[other] + int(problem.hours[other]) for other in followers), default=0)
    moves: list[int] = []
    state = plain.initial_state()
    while legal := plain.legal_moves(state):
        moves.append(max(legal, key=rest.__getitem__))
        state = plain.play(state, moves[-1])
    starts: list[int] = plain.solution_of(moves)
    return starts
