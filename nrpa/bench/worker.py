"""What a worker of an experiment does, in whatever process: one run, whose records it returns."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from nrpa.bench.distribute import outcome
from nrpa.bench.experiment import Job
from nrpa.bench.records import records_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class, read_problem
from nrpa.search.problem_pickle import unpacked
from nrpa.search.run import solve


class Task(NamedTuple):
    """One run and its budget.

    - ``problem``: The problem, as at the command line.
    - ``parcel``: The instance (``nrpa.search.problem_pickle.packed``); None where the worker reads it.
    - ``limits``: ``time``, ``playouts``, ``searches``, ``target`` and ``clock``, as ``solve`` takes them.
    """

    job: Job
    problem: str
    parcel: bytes | None
    limits: dict[str, Any]


def work(task: Task) -> Any:
    """Do one run; return what ``run_job`` does, or what went wrong."""
    return outcome(lambda: run_job(task))


def run_job(task: Task) -> Any:
    """Return the records of one run by seconds and by playouts, and its result; None if it was interrupted."""
    job = task.job
    solver, options = job.variant.make(problem_class(task.problem))
    if task.parcel is None:
        instance = _load(task.problem, job.instance, tuple(sorted(options.items())))
    else:
        instance = unpacked(task.parcel)
    result = solve(instance, solver, seed=job.seed, **task.limits)
    if result.status == "interrupted":
        return None
    return *records_of(result, job.key, time=task.limits["time"], playouts=task.limits["playouts"]), result


@cache
def _load(problem: str, instance: str, options: tuple[tuple[str, Any], ...]) -> BaseProblem:
    return read_problem(problem_class(problem), instance, dict(options))
