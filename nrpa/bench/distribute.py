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
from nrpa.search.pool import submitted
from nrpa.search.processes import WorkerProcess

logger = logging.getLogger("nrpa")

TRIES = 3

Task = TypeVar("Task")
T = TypeVar("T")


@dataclass(frozen=True)
class Progress:
    """How far an experiment or a match is, in runs or games: those ``earlier`` were done before it was continued."""

    done: int
    earlier: int
    total: int
    running: int
    seconds: float
    left: float | None


@dataclass
class Teller:
    """Tells how far an experiment or a match is; ``at_first``: how many seconds are left at the start, if known."""

    on_run: Callable[[Progress], object] | None
    earlier: int
    total: int
    at_first: float | None = None

    def __post_init__(self) -> None:
        self._done, self._began = self.earlier, time.monotonic()

    def tell(self, running: int) -> None:
        """Tell how far it is."""
        if self.on_run is None:
            return
        seconds, new = time.monotonic() - self._began, self._done - self.earlier
        left = seconds / new * (self.total - self._done) if new else self.at_first
        self.on_run(Progress(self._done, self.earlier, self.total, running, seconds if new else 0.0, left))

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
    executors: Sequence[Executor],
    keep: Callable[[Task, Any, int], object],
    begun: Callable[[int], object],
    name: Callable[[Task], str],
) -> None:
    """Do runs, one on each executor at a time; one that is lost with its worker is run again, three times at most."""
    waiting = deque(tasks)
    losses: Counter[str] = Counter()
    busy: dict[Future[Any], tuple[Executor, Task]] = {}
    idle = list(executors)

    def hand_out() -> None:
        while waiting and idle:
            executor, task = idle.pop(0), waiting.popleft()
            busy[submitted(executor, work, task)] = executor, task

    try:
        hand_out()
        begun(len(busy))
        while busy:
            done, _ = wait(busy, return_when=FIRST_COMPLETED)
            for future in done:
                executor, task = busy.pop(future)
                idle.append(executor)
                answer = _answer(future)
                if answer is None:
                    losses[name(task)] += 1
                    if losses[name(task)] == TRIES:
                        lost = f"the worker of {name(task)} was lost {TRIES} times"
                        raise LostWorkersError(f"{lost}; the same command goes on")
                    logger.warning("the worker of %s was lost; it is run again", name(task))
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
