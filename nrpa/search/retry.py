"""Calls handed out to executors, each made again where its worker is lost."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from typing import Any, TypeVar

from nrpa.base.errors import InputError, LostWorkersError
from nrpa.modelling.base_problem import require_no_class

logger = logging.getLogger("nrpa")

Task = TypeVar("Task")


def require_executor(given: Any) -> None:
    """Raise InputError unless ``given`` can take work as a ``concurrent.futures.Executor`` does."""
    require_no_class(given)
    if not callable(getattr(given, "submit", None)):
        raise InputError(f"executor must be a concurrent.futures.Executor, not {given!r:.60}")


def handed_out(
    call: Callable[[Task], Any],
    tasks: Iterable[Task],
    executors: Sequence[Executor],
    name: Callable[[Task], str],
    tries: int,
    remedy: str,
    begun: Callable[[int], object] | None = None,
) -> Iterator[tuple[Task, Any, int]]:
    """Yield each task as it is done, with what its call returned, and how many tasks go on; tell how many have begun.

    Each executor has one task at a time. One that is lost with its worker is done again, ``tries`` times at most;
    LostWorkersError then says so, and the ``remedy``. It is also raised where no worker can be had.
    """
    waiting, idle = deque(tasks), deque(executors)
    losses: Counter[str] = Counter()
    busy: dict[Future[Any], tuple[Executor, Task]] = {}

    def hand_out() -> None:
        while waiting and idle:
            executor, task = idle.popleft(), waiting.popleft()
            busy[_submitted(executor, call, task)] = executor, task

    try:
        hand_out()
        if begun is not None:
            begun(len(busy))
        while busy:
            for future in wait(busy, return_when=FIRST_COMPLETED).done:
                executor, task = busy.pop(future)
                idle.append(executor)
                error = CancelledError() if future.cancelled() else future.exception()
                if isinstance(error, LostWorkersError):
                    raise error
                if error is None:
                    yield task, future.result(), len(busy) + bool(waiting)
                else:
                    lost = name(task)
                    losses[lost] += 1
                    if losses[lost] == tries:
                        what = f"{lost} was lost {tries} times ({type(error).__name__}: {error})"
                        raise LostWorkersError(f"{what}; {remedy}")
                    logger.warning("%s was lost; it is run again", lost)
                    waiting.appendleft(task)
                hand_out()
    finally:
        for future in busy:
            future.cancel()


def _submitted(executor: Any, call: Callable[[Task], Any], task: Task) -> Future[Any]:
    try:
        future = executor.submit(call, task)
    except RuntimeError as error:
        raise LostWorkersError(f"the executor takes no work ({error})") from None
    if not isinstance(future, Future):
        what = f"submit of {type(executor).__name__} returned {future!r:.60}"
        raise InputError(f"executor: {what}; expected a concurrent.futures.Future")
    return future
