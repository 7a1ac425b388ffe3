"""Worker processes that do one job after another, each a fresh one ("spawn")."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from nrpa.base.errors import InputError
from nrpa.search.worker_process import serve_parent
from nrpa.search.workers import cores

Job = TypeVar("Job")


@dataclass(frozen=True)
class Worker:
    """A worker process and the pipe to it.

    Attributes
    ----------
    process : SpawnProcess
        The process.
    pipe : Connection
        Takes jobs and gives answers.
    """

    process: SpawnProcess
    pipe: Connection


def distribute(
    do: Callable[[Job], Any],
    jobs: Sequence[Job],
    count: int,
    keep: Callable[[Job, Any], None],
    describe: Callable[[Job], str],
) -> None:
    """Give each worker the next job when it has ended one; hand the answers to ``keep`` as they come.

    Parameters
    ----------
    do : callable
        Takes a job and returns its answer; None if Ctrl-C ended it. It is sent to the workers, so it must be picklable.
    jobs : sequence
        The jobs, picklable.
    count : int
        The number of workers.
    keep : callable
        Takes a job and its answer.
    describe : callable
        Takes a job and returns what it is called in the message where its worker was killed.

    Raises
    ------
    InputError
        If a worker was killed, or a job raised one.
    RuntimeError
        If a job raised anything else.
    KeyboardInterrupt
        If Ctrl-C ended a job.
    """
    waiting = iter(jobs)
    workers = [_start(do) for _ in range(count)]
    busy: dict[Connection, Job] = {}
    try:
        for worker, job in zip(workers, waiting, strict=False):
            _send(worker.pipe, job, describe)
            busy[worker.pipe] = job
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                job = busy.pop(pipe)
                keep(job, _answer(pipe, job, describe))
                following = next(waiting, None)
                if following is not None:
                    _send(pipe, following, describe)
                    busy[pipe] = following
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()


def work(pipe: Connection, do: Callable[[Any], Any]) -> None:
    """Answer each job that comes, with what ``do`` makes of it or with an exception; a worker process runs this.

    Parameters
    ----------
    pipe : Connection
        Gives jobs and takes answers; None ends the work.
    do : callable
        As for ``distribute``.
    """
    serve_parent()
    try:
        while (job := pipe.recv()) is not None:
            try:
                answer: object = do(job)
            except Exception as error:
                answer = error if isinstance(error, InputError) else RuntimeError(f"{type(error).__name__}: {error}")
            pipe.send(answer)
            if answer is None:
                return
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return


def number_of_processes(given: int | None) -> int:
    """Return how many workers a caller asks for: as many as this process may use cores if None.

    Raises
    ------
    InputError
        If there are fewer than one.
    """
    if given is None:
        return cores()
    if given < 1:
        raise InputError(f"workers must be at least 1, not {given}")
    return given


def _start(do: Callable[[Any], Any]) -> Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, do), daemon=True)
    try:
        process.start()
    except (AttributeError, TypeError, multiprocessing.ProcessError) as error:
        raise InputError(
            f"what is to be done cannot be sent to worker processes ({error}); expected workers=1"
        ) from None
    theirs.close()
    return Worker(process, ours)


def _send(pipe: Connection, job: Job, describe: Callable[[Job], str]) -> None:
    try:
        pipe.send(job)
    except ConnectionError:
        raise _killed(job, describe) from None


def _answer(pipe: Connection, job: Job, describe: Callable[[Job], str]) -> Any:
    try:
        answer = pipe.recv()
    except (EOFError, ConnectionError):
        raise _killed(job, describe) from None
    if isinstance(answer, Exception):
        raise answer
    if answer is None:
        raise KeyboardInterrupt
    return answer


def _killed(job: Job, describe: Callable[[Job], str]) -> InputError:
    return InputError(f"the worker process of {describe(job)} was killed; the same command goes on")
