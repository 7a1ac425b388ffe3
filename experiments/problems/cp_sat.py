"""CP-SAT of OR-Tools on one thread, for so many seconds of the processor."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from ortools.sat.python import cp_model


def solved(model: Any, seconds: float) -> Callable[[Any], int] | None:
    """Return the values of variables in the best solution of a model, as a function; None if there is none."""
    solver, ended = cp_model.CpSolver(), threading.Event()
    solver.parameters.num_workers = 1
    if len(model.proto.solution_hint.vars):  # else it may lose them: findings/cp_sat_loses_complete_hints.sh
        solver.parameters.keep_symmetry_in_presolve = True
    until = time.process_time() + seconds

    def watch() -> None:
        while not ended.wait(0.02):
            if time.process_time() >= until:
                solver.stop_search()

    watcher = threading.Thread(target=watch)
    watcher.start()
    status = solver.solve(model)
    ended.set()
    watcher.join()
    return solver.value if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None
