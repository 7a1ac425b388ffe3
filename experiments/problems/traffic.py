"""Traffic engineering beside CP-SAT, on three networks of SNDlib of 66 to 662 demands, chosen beforehand."""

from __future__ import annotations

import time
from typing import Any

from cp_sat import solved
from ortools.sat.python import cp_model

INSTANCES = "polska", "geant", "germany50"
PEER = "CP-SAT of OR-Tools"
BASELINE = "shortest paths"
UNITS = 1_000_000  # CP-SAT counts whole parts of a capacity.


def answer(problem: Any, seconds: float) -> list[list[Any]] | None:
    """Return the paths that CP-SAT chooses among the same ones, with one worker; None where it has none in time."""
    model, begin = cp_model.CpModel(), time.process_time()
    load, terms = model.new_int_var(0, 10**9 * UNITS, "load"), [[] for _ in problem.capacities]
    chosen = [[model.new_bool_var("") for _ in ways] for ways in problem.ways]
    for demand, paths in enumerate(chosen):
        model.add_exactly_one(paths)
        for path, taken in enumerate(paths):
            for arc in problem.way(demand, path).tolist():
                terms[arc].append(round(UNITS * problem.amounts[demand] / problem.capacities[arc]) * taken)
    for each in terms:
        model.add(sum(each) <= load)
    model.minimize(load)
    value = solved(model, begin + seconds - time.process_time())
    if value is None:
        return None
    places = [[value(taken) for taken in paths].index(1) for paths in chosen]
    return problem.solution_of([*enumerate(places)])


def baseline(problem: Any) -> list[list[Any]]:
    """Return the first of the shortest paths of each demand."""
    return problem.solution_of([(demand, 0) for demand in range(len(problem.order))])
