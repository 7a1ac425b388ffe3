"""Workers, each with a search of its own, that do slices of it: a pool, and the one in this process, of threads."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from nrpa.base.errors import InputError, LostWorkersError
from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.validate import require_no_class
from nrpa.solvers.interface import UNLIMITED, Improvement

if TYPE_CHECKING:
    from nrpa.search.executors import Executors
    from nrpa.solvers.search import State

executors = lazy("nrpa.search.executors")

SHORTEST, LONGEST = 0.05, 0.25


class Slice(NamedTuple):
    """The task of a worker: so many more playouts and top-level searches, at most until a score is reached."""

    playouts: int
    searches: int = UNLIMITED
    score: float = float("inf")


class Threads:
    """A thread for each worker: for kernels that run without Python's lock.

    What it offers, ``nrpa.search.executors.Executors`` does as well.
    """

    def __init__(self, searches: Sequence[Any]) -> None:
        self.standing = searches  # what has ``playouts``, ``finished``, ``proven`` and ``chosen`` of each search
        self.seconds = [0.0] * len(searches)  # how long each worker has searched, without waiting for the others
        self._pool = ThreadPoolExecutor(len(searches), thread_name_prefix="nrpa")
        self._finalizer = weakref.finalize(self, self._pool.shutdown, wait=False)

    @property
    def slice_seconds(self) -> float:
        """How long a slice should take: at the end of each, the workers wait for the last, so ever longer."""
        return min(LONGEST, max(SHORTEST, max(self.seconds) / 20))

    def run(self, slices: dict[int, Slice]) -> dict[int, list[Improvement]]:
        """Let each worker do its slice; return the improvements by worker. Raises what a worker raised."""
        futures = {worker: self._pool.submit(self._advance, worker, todo) for worker, todo in slices.items()}
        wait(futures.values())
        return {worker: future.result() for worker, future in futures.items()}

    def _advance(self, worker: int, todo: Slice) -> list[Improvement]:
        begun = perf_counter()
        found: list[Improvement] = self.standing[worker].advance(*todo)
        self.seconds[worker] += perf_counter() - begun
        return found

    def kept(self) -> list[Any]:
        """Return a copy of each worker's memory."""
        return [copy.deepcopy(search.memory) for search in self.standing]

    def go_back(self, worker: int, kept: Any) -> None:
        """Bring a worker back to where it was."""
        self.standing[worker].take_over(kept)

    def states(self) -> list[State]:
        """Return the state of each worker's search."""
        return [search.state() for search in self.standing]

    def restart(self, worker: int, search: Any) -> None:
        """Let a worker go on with the memory of another search."""
        self.standing[worker].take_over(search.memory)

    def searches(self) -> list[Any]:
        """Return the search of each worker."""
        return list(self.standing)

    def close(self) -> None:
        """End the threads."""
        self._finalizer()


def require_executor(given: Any) -> None:
    """Raise InputError unless ``given`` can take work as a ``concurrent.futures.Executor`` does."""
    require_no_class(given)
    if not callable(getattr(given, "submit", None)):
        raise InputError(f"executor must be a concurrent.futures.Executor, not {given!r:.60}")


def submitted(executor: Any, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
    """Hand a call to an executor."""
    try:
        future = executor.submit(function, *arguments)
    except RuntimeError as error:
        raise LostWorkersError(f"the executor takes no work ({error})") from None
    if not isinstance(future, Future):
        what = f"submit of {type(executor).__name__} returned {future!r:.60}"
        raise InputError(f"executor: {what}; expected a concurrent.futures.Future")
    return future


def pool_of(
    problem: BaseProblem, searches: Sequence[Any], executor: Executor | None, ahead: bool = True
) -> Threads | Executors:
    """Return workers for searches: threads, or an executor's, or processes where the problem holds Python's lock.

    ``ahead`` says whether a worker may do more than it was asked for.
    """
    if executor is None and not problem.holds_gil:
        return Threads(searches)
    made: Executors = executors.Executors(problem, searches, executor, ahead)
    return made
