"""Runs handed out to workers: so many at once, each again where its worker is lost."""

from __future__ import annotations

import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from nrpa.base.errors import InputError, LostWorkersError
from nrpa.search.arguments import submitted
from nrpa.search.processes import WorkerProcess

logger = logging.getLogger("nrpa")

TRIES = 3

Task = TypeVar("Task")
T = TypeVar("T")


@dataclass(frozen=True)
class Progress:
    """How far an experiment or a match is.

    - ``done``: Runs, or games, that are done.
    - ``earlier``: Those of them that were done before it was continued.
    - ``total``: Runs in all.
    - ``running``: Runs that are going on.
    - ``seconds``: Time since it was started or continued, in seconds.
    - ``left``: The seconds that it should still take, None while there is no telling.
    """

    done: int
    earlier: int
    total: int
    running: int
    seconds: float
    left: float | None


class Teller:
    """Tells how far an experiment or a match is; ``at_first``: how many seconds are left at the start, if known."""

    def __init__(
        self,
        on_run: Callable[[Progress], object] | None,
        earlier: int,
        total: int,
        at_first: float | None = None,
    ) -> None:
        self._on_run, self._earlier, self._total, self._at_first = on_run, earlier, total, at_first
        self._done, self._began = earlier, time.monotonic()

    def tell(self, running: int) -> None:
        """Tell how far it is."""
        if self._on_run is None:
            return
        seconds, new = time.monotonic() - self._began, self._done - self._earlier
        left = seconds / new * (self._total - self._done) if new else self._at_first
        self._on_run(Progress(self._done, self._earlier, self._total, running, seconds if new else 0.0, left))

    def count(self, running: int) -> None:
        """Count a run that is done, and tell."""
        self._done += 1
        self.tell(running)


@contextmanager
def worker_processes(count: int) -> Iterator[list[WorkerProcess]]:
    """Return so many processes that work, and end them with the context."""
    processes = [WorkerProcess() for _ in range(count)]
    try:
        yield processes
    finally:
        for process in processes:
            process.end()


def outcome(run: Callable[[], T]) -> T | Exception:
    """Return what a run returns, or what went wrong, as an exception that another process can read."""
    try:
        return run()
    except Exception as error:
        return error if isinstance(error, InputError) else RuntimeError(f"{type(error).__name__}: {error}")


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
    """
    waiting = deque(tasks)
    losses: Counter[str] = Counter()
    busy: dict[Future[Any], tuple[Executor, Task]] = {}
    idle = list(places)

    def hand_out() -> None:
        while waiting and idle:
            place, task = idle.pop(0), waiting.popleft()
            busy[submitted(place, work, task)] = place, task

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
