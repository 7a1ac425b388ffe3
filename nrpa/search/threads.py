"""A pool of threads: for kernels that run without Python's lock."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nrpa.solvers.interface import Improvement
from nrpa.solvers.pool import Pool, Slice

if TYPE_CHECKING:
    from nrpa.solvers.search import SearchState

SHORTEST, LONGEST = 0.05, 0.25


class Threads(Pool):
    """A thread for each worker."""

    def __init__(self, searches: Sequence[Any]) -> None:
        self.standing: list[Any] = [*searches]
        self.seconds = [0.0] * len(searches)
        self.stop = searches[0].stop
        for search in searches:
            search.heed(self.stop)
        self._pool = ThreadPoolExecutor(len(searches), thread_name_prefix="nrpa")
        self._finalizer = weakref.finalize(self, self._pool.shutdown, wait=False)

    @property
    def slice_seconds(self) -> float:
        # At the end of each slice, the workers wait for the last, so slices become longer.
        return min(LONGEST, max(SHORTEST, max(self.seconds) / 20))

    def run(self, slices: dict[int, Slice]) -> dict[int, list[Improvement]]:
        futures = {worker: self._pool.submit(self._advance, worker, todo) for worker, todo in slices.items()}
        wait(futures.values())
        return {worker: future.result() for worker, future in futures.items()}

    def _advance(self, worker: int, todo: Slice) -> list[Improvement]:
        begun = perf_counter()
        found: list[Improvement] = self.standing[worker].advance(*todo)
        self.seconds[worker] += perf_counter() - begun
        return found

    def kept(self) -> list[Any]:
        return [copy.deepcopy(search.memory) for search in self.standing]

    def go_back(self, worker: int, kept: Any) -> None:
        self.standing[worker].take_over(kept)

    def states(self) -> list[SearchState]:
        return [search.state() for search in self.standing]

    def restart(self, worker: int, search: Any) -> None:
        search.prepare(self.standing[worker].machine_code)
        search.heed(self.stop)
        self.standing[worker] = search

    def close(self) -> None:
        self._finalizer()
