"""What a worker process of an experiment does: it runs a job and returns its records."""

from __future__ import annotations

from functools import cache
from typing import Any

from nrpa.bench.experiment import Job
from nrpa.bench.records import records_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class, read_problem
from nrpa.search.run import solve


def run_job(job: Job, problem: str, time: float | None, playouts: int | None) -> Any:
    """Return the records of one run.

    Parameters
    ----------
    job : Job
        The run.
    problem : str
        The problem, as at the command line.
    time : float or None
        The budget in seconds.
    playouts : int or None
        The budget in playouts.

    Returns
    -------
    tuple of list of Record, or None
        The records by seconds and by playouts; None if Ctrl-C ended the run.
    """
    solver, options = job.variant.make(problem_class(problem))
    instance = _load(problem, job.instance, tuple(sorted(options.items())))
    result = solve(instance, solver, seed=job.seed, time=time, playouts=playouts)
    if result.status == "interrupted":
        return None
    return records_of(result, job.key, time=time, playouts=playouts)


@cache
def _load(problem: str, instance: str, options: tuple[tuple[str, Any], ...]) -> BaseProblem:
    return read_problem(problem_class(problem), instance, dict(options))
