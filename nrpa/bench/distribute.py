"""Runs handed out to workers: so many at once, each again where its worker is lost; what a worker does."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeVar

from nrpa.base.errors import InputError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class, read_problem
from nrpa.search.executors import unpacked
from nrpa.search.processes import WorkerProcess
from nrpa.search.result import Result
from nrpa.search.retry import handed_out
from nrpa.search.solve import solve
from nrpa.solvers.interface import Solver

logger = logging.getLogger("nrpa")

TRIES = 3
# For the time left, what is known of a run before counts as much as so many runs: the first ones compile.
KNOWN_BEFORE = 10

Item = TypeVar("Item")
T = TypeVar("T")
# A problem by what it is at the command line: the problem, the instance, the options.
Named = tuple[str, str, tuple[tuple[str, Any], ...]]


@dataclass(frozen=True)
class RunsProgress:
    """How far an experiment or a match is, in runs or games: those ``earlier`` were done before it was continued."""

    done: int
    earlier: int
    total: int
    running: int
    seconds: float
    left: float | None


@dataclass
class Teller:
    """Tells how far an experiment or a match is; ``each``: seconds of a run over how many go on at once, if known."""

    on_run: Callable[[RunsProgress], object] | None
    earlier: int
    total: int
    each: float | None = None

    def __post_init__(self) -> None:
        self._done, self._began = self.earlier, time.monotonic()

    def tell(self, running: int) -> None:
        """Tell how far it is."""
        if self.on_run is None:
            return
        seconds, new = time.monotonic() - self._began, self._done - self.earlier
        known, sure = (0.0, 0) if self.each is None else (self.each, KNOWN_BEFORE)
        left = (self.total - self._done) * (seconds + known * sure) / (new + sure) if new + sure else None
        self.on_run(RunsProgress(self._done, self.earlier, self.total, running, seconds if new else 0.0, left))

    def expect(self, rest: int) -> None:
        """Say how many runs are left, where that turns out."""
        self.total = self._done + rest

    def count(self, running: int) -> None:
        """Count a run that is done, and tell."""
        self._done += 1
        self.tell(running)


class Here(Executor):
    """Does each task in this process, before anything else goes on."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """Return a future that is done, of the task's result or of the exception that ended it."""
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **named))
        except Exception as error:
            done.set_result(error)
        return done


@contextmanager
def worker_processes(count: int) -> Iterator[list[WorkerProcess]]:
    """Return so many processes that work, and end them with the context."""
    processes = [WorkerProcess() for _ in range(count)]
    try:
        yield processes
    finally:
        for process in processes:
            process.end()


@contextmanager
def places(count: int) -> Iterator[Sequence[Executor]]:
    """Return where so many tasks are done at once: this process where it is one alone."""
    with worker_processes(count if count > 1 else 0) as own:
        yield own or [Here()]


def outcome(run: Callable[[], T]) -> T | Exception:
    """Return the result of a run, or its error as an exception that another process can read."""
    try:
        return run()
    except Exception as error:
        return error if isinstance(error, InputError) else RuntimeError(f"{type(error).__name__}: {error}")


def distribute(
    work: Callable[[Item], Any],
    tasks: Sequence[Item],
    executors: Sequence[Executor],
    keep: Callable[[Item, Any, int], object],
    begun: Callable[[int], object],
    name: Callable[[Item], str],
) -> None:
    """Do runs, one on each executor at a time; one that is lost with its worker is run again, three times at most."""
    remedy, is_here = "the same command goes on", isinstance(executors[0], Here)
    if is_here:  # its first task is done when it has been handed out
        begun(int(bool(tasks)))

    def worker_of(task: Item) -> str:
        return f"the worker of {name(task)}"

    done = handed_out(work, tasks, executors, worker_of, TRIES, remedy, None if is_here else begun)
    for task, answer, running in done:
        if isinstance(answer, Exception):
            raise answer
        keep(task, answer, running)


class Task(NamedTuple):
    """One run of a problem, as it is, packed or named, by a key, and its limits, as ``solve`` takes them."""

    key: Any
    problem: BaseProblem | bytes | Named
    solver: Solver
    seed: int
    limits: dict[str, Any]


def work(task: Task) -> Any:
    """Do one run in a process of its own; return its result, or what went wrong. One that is interrupted is lost."""
    try:
        return outcome(lambda: solved(task))
    except KeyboardInterrupt:
        raise CancelledError("it was interrupted") from None


def solved(task: Task) -> Result:
    """Do one run. Raises KeyboardInterrupt if it was interrupted."""
    problem = unpacked(task.problem) if isinstance(task.problem, bytes) else task.problem
    problem = _read(*problem) if isinstance(problem, tuple) else problem
    result = solve(problem, task.solver, seed=task.seed, **task.limits)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result


@cache
def _read(problem: str, instance: str, options: tuple[tuple[str, Any], ...]) -> BaseProblem:
    return read_problem(problem_class(problem), instance, dict(options))
