"""What a worker of an experiment does, in whatever process: one run, whose records it returns."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from nrpa.base.errors import InputError
from nrpa.bench.experiment import Job
from nrpa.bench.records import records_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class, read_problem
from nrpa.search.parcel import unpacked
from nrpa.search.run import solve


class Task(NamedTuple):
    """One run and all that it needs.

    Attributes
    ----------
    job : Job
        The run.
    problem : str
        The problem, as at the command line.
    parcel : bytes or None
        The instance (``nrpa.search.parcel.packed``); None where it cannot be sent, and the worker reads it.
    time : float or None
        The budget in seconds.
    playouts : int or None
        The budget in playouts.
    clock : {"wall", "processor"}
        What seconds are.
    """

    job: Job
    problem: str
    parcel: bytes | None
    time: float | None
    playouts: int | None
    clock: str


def work(task: Task) -> Any:
    """Do one run.

    Parameters
    ----------
    task : Task
        The run.

    Returns
    -------
    tuple, Exception, or None
        What ``run_job`` returns; what went wrong; None if Ctrl-C ended the run.
    """
    try:
        return run_job(task)
    except Exception as error:
        return error if isinstance(error, InputError) else RuntimeError(f"{type(error).__name__}: {error}")


def run_job(task: Task) -> Any:
    """Return the records of one run, and its result.

    Parameters
    ----------
    task : Task
        The run.

    Returns
    -------
    tuple of list of Record, list of Record and Result, or None
        The records by seconds and by playouts, and the result; None if Ctrl-C ended the run.
    """
    job = task.job
    solver, options = job.variant.make(problem_class(task.problem))
    if task.parcel is None:
        instance = _load(task.problem, job.instance, tuple(sorted(options.items())))
    else:
        instance = unpacked(task.parcel)
    way = job.variant.parallel
    result = solve(
        instance, solver, seed=job.seed, time=task.time, playouts=task.playouts, parallel=way, clock=task.clock
    )
    if result.status == "interrupted":
        return None
    return *records_of(result, job.key, time=task.time, playouts=task.playouts), result


@cache
def _load(problem: str, instance: str, options: tuple[tuple[str, Any], ...]) -> BaseProblem:
    return read_problem(problem_class(problem), instance, dict(options))
