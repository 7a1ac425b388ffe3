"""Runs handed out to workers: so many at once, each again where its worker is lost."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any, TypeVar

from nrpa.base.errors import LostWorkersError

logger = logging.getLogger("nrpa")

TRIES = 3

Task = TypeVar("Task")


def distribute(
    work: Callable[[Task], Any],
    tasks: Iterable[Task],
    places: Sequence[Executor],
    keep: Callable[[Task, Any, int], object],
    begun: Callable[[int], object],
    name: Callable[[Task], str],
) -> None:
    """Do runs, one in each place at a time.

    A run that is lost with its worker is run again before the others, three times at most.

    Parameters
    ----------
    work : callable
        Takes a task and returns what came of it: an exception, if that ended it; None, if it is to be run again.
    tasks : iterable of object
        The runs, in the order in which they begin.
    places : sequence of Executor
        Where they run; the same executor may occur several times.
    keep : callable
        Takes a task, what came of it, and how many runs are going on then.
    begun : callable
        Takes the number of runs that are going on, when the first ones have begun.
    name : callable
        Takes a task and returns what it is called, as no other is.

    Raises
    ------
    LostWorkersError
        If a run is lost three times, or an executor takes no work.
    Exception
        What ended a run.
    """
    waiting = deque(tasks)
    losses: Counter[str] = Counter()
    busy: dict[Future[Any], tuple[Executor, Task]] = {}
    idle = list(places)

    def hand_out() -> None:
        while waiting and idle:
            place, task = idle.pop(0), waiting.popleft()
            busy[_submit(place, work, task)] = place, task

    try:
        hand_out()
        begun(len(busy))
        while busy:
            done, _ = wait(busy, return_when=FIRST_COMPLETED)
            for future in done:
                place, task = busy.pop(future)
                idle.append(place)
                answer = _answer(future)
                if answer is None:
                    losses[name(task)] += 1
                    _note_loss(name(task), losses[name(task)])
                    waiting.appendleft(task)
                hand_out()
                if answer is not None:
                    keep(task, answer, len(busy))
    finally:
        for future in busy:
            future.cancel()


def _submit(place: Executor, work: Callable[[Task], Any], task: Task) -> Future[Any]:
    try:
        return place.submit(work, task)
    except RuntimeError as error:
        raise LostWorkersError(f"the executor takes no work ({error})") from None


def _answer(future: Future[Any]) -> Any:
    """Return what came of a run; None where the worker was lost. Raises what ended the run."""
    if future.cancelled() or future.exception() is not None:
        return None
    answer = future.result()
    if isinstance(answer, Exception):
        raise answer
    return answer


def _note_loss(run: str, losses: int) -> None:
    """Say that a run was lost. Raises LostWorkersError where that was the last time."""
    if losses == TRIES:
        raise LostWorkersError(f"the worker of {run} was lost {TRIES} times; the same command goes on")
    logger.warning("the worker of %s was lost; it is run again", run)
