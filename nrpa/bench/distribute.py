"""Runs handed out to workers: so many at once, each again where its worker is lost."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any

from nrpa.base.errors import LostWorkersError
from nrpa.bench.records import Key
from nrpa.bench.worker import Task, work

logger = logging.getLogger("nrpa")

TRIES = 3


def distribute(
    tasks: Iterable[Task],
    places: Sequence[Executor],
    keep: Callable[[Task, Any, int], object],
    begun: Callable[[int], object],
) -> None:
    """Do runs, one in each place at a time.

    A run that is lost with its worker is run again before the others, three times at most.

    Parameters
    ----------
    tasks : iterable of Task
        The runs, in the order in which they begin.
    places : sequence of Executor
        Where they run; the same executor may occur several times.
    keep : callable
        Takes a task, its records, and how many runs are going on then.
    begun : callable
        Takes the number of runs that are going on, when the first ones have begun.

    Raises
    ------
    LostWorkersError
        If a run is lost three times, or an executor takes no work.
    Exception
        What ended a run.
    """
    waiting = deque(tasks)
    losses: Counter[Key] = Counter()
    busy: dict[Future[Any], tuple[Executor, Task]] = {}
    idle = list(places)

    def hand_out() -> None:
        while waiting and idle:
            place, task = idle.pop(0), waiting.popleft()
            busy[_submit(place, task)] = place, task

    try:
        hand_out()
        begun(len(busy))
        while busy:
            done, _ = wait(busy, return_when=FIRST_COMPLETED)
            for future in done:
                place, task = busy.pop(future)
                idle.append(place)
                answer = _answer(future, task)
                if answer is None:
                    losses[task.job.key] += 1
                    _note_loss(task, losses[task.job.key])
                    waiting.appendleft(task)
                hand_out()
                if answer is not None:
                    keep(task, answer, len(busy))
    finally:
        for future in busy:
            future.cancel()


def _submit(place: Executor, task: Task) -> Future[Any]:
    try:
        return place.submit(work, task)
    except RuntimeError as error:
        raise LostWorkersError(f"the executor takes no work ({error})") from None


def _answer(future: Future[Any], task: Task) -> Any:
    """Return the records; None where the worker was lost. Raises what ended the run."""
    if future.cancelled() or future.exception() is not None:
        return None
    answer = future.result()
    if isinstance(answer, Exception):
        raise answer
    return answer


def _note_loss(task: Task, losses: int) -> None:
    """Say that a run was lost. Raises LostWorkersError where that was the last time."""
    run = " ".join(map(str, task.job.key))
    if losses == TRIES:
        raise LostWorkersError(
            f"the worker of the run {run} was lost {TRIES} times; the same command continues the experiment"
        )
    logger.warning("the worker of the run %s was lost; it is run again", run)
