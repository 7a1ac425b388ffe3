"""Where the slices of a parallel search run, and the one engine in this process: threads."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from nrpa.solvers.interface import Improvement

SHORTEST, LONGEST = 0.05, 0.25


class Slice(NamedTuple):
    """What one worker is to do: so many more playouts and top-level searches, at most until a score is reached."""

    playouts: int
    searches: int
    score: float


class Engine(Protocol):
    """Workers, each with a search of its own."""

    @property
    def playouts(self) -> list[int]:
        """How many playouts each worker has done."""
        ...

    @property
    def finished(self) -> list[int]:
        """How many top-level searches each worker has done."""
        ...

    @property
    def seconds(self) -> list[float]:
        """How long each worker has searched, without the time that it waited for the others."""
        ...

    @property
    def proven(self) -> list[bool]:
        """Whether each worker has proved that nothing is better than its best."""
        ...

    @property
    def slice_seconds(self) -> float:
        """How long a slice should take, in seconds."""
        ...

    def run(self, slices: dict[int, Slice]) -> dict[int, list[Improvement]]:
        """Let each worker do its slice; return the improvements, by worker, numbered by the worker's own playouts."""
        ...

    def searches(self) -> list[Any]:
        """Return the search of each worker."""
        ...

    def snapshot(self) -> list[object]:
        """Return what ``restore`` takes, for each worker."""
        ...

    def restore(self, worker: int, snapshot: Any) -> None:
        """Bring a worker back to where it was."""
        ...

    def close(self) -> None:
        """Let go of what was made for the workers."""
        ...


class Threads:
    """A thread for each worker: for kernels that run without Python's lock."""

    def __init__(self, searches: Sequence[Any]) -> None:
        self._searches = searches
        self._pool = ThreadPoolExecutor(len(searches), thread_name_prefix="nrpa")
        self._finalizer = weakref.finalize(self, self._pool.shutdown, wait=False)
        self.seconds = [0.0] * len(searches)
        self._count()

    @property
    def slice_seconds(self) -> float:
        """How long a slice should take: at the end of each, the workers wait for the last, so ever longer."""
        return min(LONGEST, max(SHORTEST, max(self.seconds) / 20))

    def _count(self) -> None:
        self.playouts = [search.playouts for search in self._searches]
        self.finished = [search.finished for search in self._searches]
        self.proven = [getattr(search, "proven", False) for search in self._searches]

    def run(self, slices: dict[int, Slice]) -> dict[int, list[Improvement]]:
        """Let each worker do its slice; return the improvements by worker. Raises what a worker raised."""
        futures = {worker: self._pool.submit(self._advance, worker, todo) for worker, todo in slices.items()}
        wait(futures.values())
        self._count()
        return {worker: future.result() for worker, future in futures.items()}

    def _advance(self, worker: int, todo: Slice) -> list[Improvement]:
        begun = perf_counter()
        found: list[Improvement] = self._searches[worker].advance(*todo)
        self.seconds[worker] += perf_counter() - begun
        return found

    def searches(self) -> list[Any]:
        """Return the search of each worker."""
        return list(self._searches)

    def snapshot(self) -> list[object]:
        """Return a copy of each worker's memory."""
        return [copy.deepcopy(search.memory) for search in self._searches]

    def restore(self, worker: int, snapshot: Any) -> None:
        """Bring a worker back to where it was."""
        self._searches[worker].take_over(snapshot)
        self._count()

    def close(self) -> None:
        """End the threads."""
        self._finalizer()
