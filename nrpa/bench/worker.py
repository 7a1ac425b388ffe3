"""A worker process of an experiment: it runs one job after another and sends back their records."""

from __future__ import annotations

from functools import cache
from multiprocessing.connection import Connection
from typing import Any

from nrpa.base.errors import InputError
from nrpa.bench.experiment import Job
from nrpa.bench.records import records_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class, read_problem
from nrpa.search.run import solve
from nrpa.search.worker_process import serve_parent


def work(pipe: Connection, problem: str, time: float | None, playouts: int | None) -> None:
    """Answer each job that comes with its records by seconds and by playouts, or with an exception.

    Parameters
    ----------
    pipe : Connection
        Gives jobs and takes answers; None ends the work.
    problem : str
        The problem, as at the command line.
    time : float or None
        The budget of a run in seconds.
    playouts : int or None
        The budget of a run in playouts.
    """
    serve_parent()
    try:
        while (job := pipe.recv()) is not None:
            try:
                answer: object = run_job(job, problem, time, playouts)
            except Exception as error:
                answer = error if isinstance(error, InputError) else RuntimeError(f"{type(error).__name__}: {error}")
            pipe.send(answer)
            if answer is None:
                return
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return


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
    result = solve(instance, solver, seed=job.seed, time=time, playouts=playouts, parallel=job.variant.parallel)
    if result.status == "interrupted":
        return None
    return records_of(result, job.key, time=time, playouts=playouts)


@cache
def _load(problem: str, instance: str, options: tuple[tuple[str, Any], ...]) -> BaseProblem:
    return read_problem(problem_class(problem), instance, dict(options))
