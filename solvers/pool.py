"""The protocol of a pool of workers, threads or processes, and a worker's task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from nrpa.solvers.interface import UNLIMITED, Improvement


class Slice(NamedTuple):
    """The task of a worker: so many more playouts and top-level searches, at most until a score is reached."""

    playouts: int
    searches: int = UNLIMITED
    score: float = float("inf")


def share_of_turns(total: int, worker: int, workers: int) -> int:
    """Return how many of ``total`` playouts, done in turns, are those of ``worker``.

    >>> [share_of_turns(7, worker, 3) for worker in range(3)]
    [3, 2, 2]
    """
    return max(0, -(-(total - worker) // workers))


class Pool(Protocol):
    """Workers, each with a search of its own, or with a part of one that they share.

    ``nrpa.search.threads`` and ``nrpa.search.executors`` are the two that there are.

    - ``standing``: What has ``playouts``, ``finished``, ``proven`` and ``chosen`` of the search of each worker.
    - ``seconds``: How long each worker has searched, without waiting for the others.
    - ``stop``: bool[1], as that of a search: it is that of all workers.
    """

    standing: Sequence[Any]
    seconds: list[float]
    stop: np.ndarray

    @property
    def slice_seconds(self) -> float:
        """How long a slice should take, in seconds, so that handing it out costs little."""

    @property
    def rates(self) -> list[float]:
        """Playouts per second of each worker while it searched."""
        done = zip(self.standing, self.seconds, strict=True)
        return [each.playouts / seconds if seconds else 0.0 for each, seconds in done]

    def run(self, slices: dict[int, Slice]) -> dict[int, list[Improvement]]:
        """Let workers do their slices; return the improvements by worker. Raises what a worker raised."""

    def kept(self) -> list[Any]:
        """Return for each worker what ``go_back`` takes."""

    def go_back(self, worker: int, kept: Any) -> None:
        """Bring a worker back to where it was."""

    def states(self) -> list[Any]:
        """Return the ``SearchState`` of the search of each worker."""

    def restart(self, worker: int, search: Any) -> None:
        """Let a worker go on with another search."""

    def close(self) -> None:
        """End threads and processes that were made for the pool."""
