"""Measure problems: nrpa's default beside a public solver and a textbook rule.

    python experiments/problems/measure.py jobshop
    python experiments/problems/measure.py jobshop --seconds 0.5 --out build/trial

A module beside this one, named after the problem, says on which instances, which were chosen before anything was
measured. It has

- ``INSTANCES``: names that ``nrpa solve`` takes;
- ``PEER``, ``answer(problem, seconds)``: the name of the public solver and its solution, in the problem's own form, or
  None where it has none; ``PEER`` is None where there is no such solver;
- ``BASELINE``, ``baseline(problem)``: the name of the rule and its solution;
- perhaps ``load(instance)``, in place of that of the problem.

A search has seed 1 and one core. Seconds are the processor's. Every solution is checked by the problem. A row is
written when it is known; the same command goes on where it was stopped. ``python experiments/pages.py`` writes the
tables of docs/problems: under a line ``<!-- from: problem jobshop -->`` that of one problem.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from tables import append_row, read_rows, run  # noqa: E402

import nrpa  # noqa: E402
from nrpa.base.errors import InputError  # noqa: E402
from nrpa.registry import problem_class  # noqa: E402

NRPA, SEED = "nrpa", 1
COLUMNS = "instance", "by", "seconds", "value", "valid", "playouts", "best_known"


def keys_of(module: ModuleType, seconds: list[float], instances: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield what is measured: an instance, who searches, for how many seconds."""
    for instance in instances or module.INSTANCES:
        yield instance, module.BASELINE, ""
        for each in seconds:
            yield instance, NRPA, f"{each:g}"
            if module.PEER:
                yield instance, module.PEER, f"{each:g}"


def measured(module: ModuleType, problem: Any, by: str, seconds: str) -> dict[str, Any]:
    """Return what was found: the value and whether the check takes the solution; empty where there is none."""
    playouts: int | str = ""
    if by == NRPA:
        result = nrpa.solve(problem, seed=SEED, time=float(seconds), clock="processor")
        if result.status == "interrupted":
            raise KeyboardInterrupt
        solution, playouts = result.solution, result.playouts
    else:
        solution = module.baseline(problem) if by == module.BASELINE else module.answer(problem, float(seconds))
    if solution is None:
        return {"value": "", "valid": "", "playouts": playouts}
    verdict = problem.check(solution)
    value = verdict.figures.get(problem.objective.name, "")
    return {"value": value, "valid": verdict.valid, "playouts": playouts}


def main() -> None:
    """Measure what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="+", help="names of problems, which have a module here")
    parser.add_argument("--seconds", default="10,60", help="with commas between; 10,60")
    parser.add_argument("--instances", nargs="+", default=[], help="names or files, in place of the module's")
    parser.add_argument("--out", type=Path, default=HERE.parent / "results" / "problems", help="the folder of records")
    options = parser.parse_args()
    known = sorted({path.stem for path in HERE.glob("*.py")} - {"measure", "cp_sat"})
    budgets = [float(text) for text in options.seconds.split(",")]
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.problems:
        if name not in known:
            raise InputError(f"expected some of {', '.join(known)}, found {name!r}")
        module, record = import_module(name), options.out / f"{name}.csv"
        load = module.load if hasattr(module, "load") else problem_class(name).load
        done = {(row["instance"], row["by"], row["seconds"]) for row in read_rows(record, COLUMNS)}
        for instance, by, seconds in keys_of(module, budgets, options.instances):
            if (instance, by, seconds) not in done:
                problem = load(instance)
                best = problem.best_known.value if problem.best_known else ""
                key = {"instance": instance, "by": by, "seconds": seconds}
                append_row(record, {**key, **measured(module, problem, by, seconds), "best_known": best})


if __name__ == "__main__":
    run(main)
