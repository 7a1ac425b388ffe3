"""Workers that share one search: each goes on with a part of it, and all meet at the end of a round.

What is found does not depend on their number, on slices, or on who was faster: a part has random numbers of its own.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

from nrpa.search.pool import Slice, Threads, pool_of, rates_of
from nrpa.solvers.interface import Improvement


class Team:
    """Workers for the parts of a search (``nrpa.solvers.tempering_search.TemperingSearch``)."""

    def __init__(self, search: Any, workers: int, executor: Executor | None) -> None:
        self.workers = workers  # as asked for; those beyond the number of parts have nothing to do
        self._search = search
        self._parts = search.parts(workers)
        self._pool = pool_of(search.problem, self._parts.searches, executor, ahead=False)
        if isinstance(self._pool, Threads):
            for part in self._parts.searches:
                part.prepare(search.machine_code)

    @property
    def slice_seconds(self) -> float:
        """How long a slice should take, in seconds, so that handing it out costs little."""
        return self._pool.slice_seconds

    @property
    def rates(self) -> list[float]:
        """Playouts per second of each worker while it searched; 0 before its first slice."""
        return rates_of(self._pool)

    def play(self, playouts: int) -> list[Improvement]:
        """Do so many playouts of the search; return what was better than all that its part knew of, in any order."""
        search, left, found = self._search, playouts, []
        while left:
            more = min(left, search.left_of_round)
            shares = self._parts.shares(more)
            answers = self._pool.run({part: Slice(share) for part, share in enumerate(shares) if share})
            for part, improvements in answers.items():
                found += self._parts.numbered(part, improvements)
            self._take_in(more)
            left -= more
        return found

    def _take_in(self, playouts: int) -> None:
        """Bring together what the workers have done; at the end of a round, let the parts meet."""
        search = self._search
        is_copied = self._parts.take_in(self._pool.states())
        search.memory.tally.playouts[0] += playouts
        meets = not search.left_of_round
        if meets:
            search.meet()
        # In one process, arrays are copied only where those of a part have grown, and are views no more.
        if is_copied and (meets or isinstance(self._pool, Threads)):
            self.hand_out()

    def hand_out(self) -> None:
        """Let each worker go on with its part of the search as that is now."""
        for part, search in enumerate(self._parts.searches):
            memory = self._parts.memory(part)
            self._pool.restart(part, search.part(memory))

    def close(self) -> None:
        """Let go of threads and processes."""
        self._pool.close()
