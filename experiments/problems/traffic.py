"""Traffic engineering beside CP-SAT, on three networks of SNDlib of 66 to 662 demands, chosen beforehand."""

from __future__ import annotations

import threading
import time
from typing import Any

INSTANCES = "polska", "geant", "germany50"
PEER = "CP-SAT of OR-Tools"
BASELINE = "shortest paths"
UNITS = 1_000_000  # CP-SAT counts whole parts of a capacity.


def answer(problem: Any, seconds: float) -> list[list[Any]] | None:
    """Return the paths that CP-SAT chooses among the same ones, with one worker; None where it has none in time."""
    from ortools.sat.python import cp_model  # only measurements need it

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
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    done = threading.Event()
    watch = threading.Thread(target=stop_after, args=(solver, begin + seconds, done))
    watch.start()
    status = solver.solve(model)
    done.set()
    watch.join()
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    places = [[solver.value(taken) for taken in paths].index(1) for paths in chosen]
    return problem.solution_of([*enumerate(places)])


def stop_after(solver: Any, end: float, done: threading.Event) -> None:
    """Stop CP-SAT when the processor's time has come."""
    while not done.wait(0.05):
        if time.process_time() >= end:
            solver.stop_search()


def baseline(problem: Any) -> list[list[Any]]:
    """Return the first of the shortest paths of each demand."""
    return problem.solution_of([(demand, 0) for demand in range(len(problem.order))])
