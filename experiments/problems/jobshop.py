"""Job shops by CP-SAT: two of Fisher and Thompson that were open for long, one of Lawrence, and ten of Taillard."""

from __future__ import annotations

from typing import Any

from cp_sat import solved
from ortools.sat.python import cp_model
from rcpsp import intervals_of

TAILLARD = ("01", "05", "11", "15", "21", "25", "31", "35", "41", "45")
INSTANCES = ("ft10", "ft20", "la16", *(f"ta{number}" for number in TAILLARD))
PEER = "CP-SAT of OR-Tools"
BASELINE = "most work remaining"


def answer(problem: Any, seconds: float) -> list[list[int]] | None:
    """Return the starts that CP-SAT finds, job by job."""
    model = cp_model.CpModel()
    starts, intervals = intervals_of(model, problem.hours)
    for one in range(len(starts) - 1):
        if problem.job[one] == problem.job[one + 1]:
            model.add(starts[one + 1] >= starts[one] + int(problem.hours[one]))
    for machine in range(problem.machines):
        model.add_no_overlap([each for each, at in zip(intervals, problem.machine, strict=True) if at == machine])
    value = solved(model, seconds)
    found = [value(start) for start in starts] if value else []
    edges = zip(problem.first[:-1], problem.first[1:], strict=True)
    return [found[begin:end] for begin, end in edges] if value else None


def baseline(problem: Any) -> list[list[int]]:
    """Begin what can begin first; of several, an operation of the job with the most work left."""
    plain, moves, state = problem.plain, list[int](), problem.plain.initial_state()
    while legal := plain.legal_moves(state):
        work = {job: plain.hours[state.ahead[job] : plain.first[job + 1]].sum() for job in legal}
        starts = {job: plain.start(state, job) for job in legal}
        moves.append(min(legal, key=lambda job: (starts[job], -work[job])))
        state = plain.play(state, moves[-1])
    found: list[list[int]] = plain.solution_of(moves)
    return found
