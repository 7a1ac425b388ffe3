"""Tree parallelisation: threads that walk down one tree at once.

What is found depends on who was faster, so the same seed may give another result. One worker does what the search alone
does.

References
----------
G. Chaslot, M. Winands and J. van den Herik, *Parallel Monte-Carlo Tree Search*, CG 2008: tree parallelisation, with a
global mutex and virtual loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.engine.random import random_states
from nrpa.engine.recording import allocate_incumbent, allocate_tally
from nrpa.engine.status import IMPROVED, LACKS_ROOM, STOPPED
from nrpa.solvers.interface import UNLIMITED, Improvement
from nrpa.solvers.pool import Pool, Slice, share_of_turns
from nrpa.solvers.search import Budget, Capacity, SearchState
from nrpa.solvers.tree.search import TreeSearch

APART = "expected parallel='root'"


class Walker(TreeSearch):
    """A worker in a tree: its memory has the arrays of the tree, and some of its own."""

    def __init__(self, whole: TreeSearch, lock: np.ndarray) -> None:
        super().__init__(whole.problem, whole._solver, whole.memory)
        self.status = IMPROVED
        self.team = None
        self._whole = whole
        self._lock = lock
        self._tally, self._random = allocate_tally(), whole.memory.random

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        """Do so many playouts; ``status`` says what has ended them before."""
        found, end, self.status = list[Improvement](), self.playouts + playouts, IMPROVED
        while self.playouts < end and self.status == IMPROVED and not (found and self.score >= score):
            self.status = self.machine_code(*self._arguments, Budget(end - self.playouts, UNLIMITED))
            if self.status == IMPROVED:
                found.append(Improvement(self.playouts, self.score, self.moves))
        return found

    def state(self) -> SearchState:
        raise InputError(f"only threads can share a tree, not the workers of an executor; {APART}")

    def go_on_in(self, random: np.ndarray | None) -> None:
        """Go on in the tree as it is now, with these random numbers if they are others."""
        memory = self._whole.memory
        self._random = self._random if random is None else random
        own = memory._replace(best=allocate_incumbent(len(memory.best.move)), tally=self._tally, random=self._random)
        if self._random is not memory.random:
            own = own._replace(legal=memory.legal.copy(), trace=memory.trace.copy(), traced=memory.traced.copy())
        self.take_over(own)
        self.know(self._whole.score)

    def know(self, score: float) -> None:
        """Let only better scores be improvements."""
        self.memory.best.score[0], self.memory.best.found[0] = score, self._whole.memory.best.found[0]

    def grow_to(self, capacity: Capacity) -> None:
        self._whole.grow_to(capacity)


class Team:
    """Workers that share a tree."""

    def __init__(self, whole: TreeSearch, workers: int, pool_of: Callable[[Sequence[Any]], Pool]) -> None:
        if whole.problem.holds_gil:
            raise InputError(f"{whole.problem.name}: its playouts call Python, so threads cannot share a tree; {APART}")
        self.workers = workers
        self._whole = whole
        lock = np.zeros(1, np.int64)
        self._walkers = [Walker(whole, lock) for _ in range(workers)]
        for walker in self._walkers:
            walker.prepare(whole.machine_code)
        self.pool = pool_of(self._walkers)
        self._given: Any = None
        self._random: Any = None

    def advance(self, playouts: int, score: float) -> list[Improvement]:
        """Do so many playouts, each worker its share; when one reaches the score, the others end theirs."""
        whole, improvements = self._whole, list[Improvement]()
        end = whole.playouts + playouts
        while whole.playouts < end and not whole.proven and not (improvements and whole.score >= score):
            if self._given is not whole.memory:
                self._hand_out()
            improvements += self._run(end - whole.playouts, score)
            ended = {walker.status: walker for walker in self._walkers}
            if STOPPED in ended:
                self._given = None
                break
            if min(ended) < 0:
                ended[min(ended)]._mend(min(ended))
            elif LACKS_ROOM in ended:
                whole._makes_room(LACKS_ROOM)
        return improvements

    def _run(self, playouts: int, score: float) -> list[Improvement]:
        whole, before = self._whole, [walker.playouts for walker in self._walkers]
        shares = [share_of_turns(playouts, worker, self.workers) for worker in range(self.workers)]
        found = self.pool.run({worker: Slice(share, score=score) for worker, share in enumerate(shares) if share})
        done = sum(walker.playouts for walker in self._walkers) - sum(before)
        turns = [
            each._replace(playouts=(each.playouts - before[worker] - 1) * self.workers + worker + 1, worker=worker)
            for worker, improvements in found.items()
            for each in improvements
        ]
        improvements = list[Improvement]()
        for each in sorted(turns, key=attrgetter("playouts")):
            if each.score > whole.score or not whole.memory.best.found[0]:
                whole._keep(each.moves, each.score)
                improvements.append(each._replace(playouts=whole.playouts + min(each.playouts, done)))
        whole.memory.tally.playouts[0] += done
        whole.memory.tally.last_score[0] = self._walkers[0].last_score
        for walker in self._walkers:
            walker.know(whole.score)
        return improvements

    def _hand_out(self) -> None:
        """Let each worker go on in the tree as it is now."""
        memory = self._given = self._whole.memory
        streams: Any = [None] * self.workers
        if self._random is not memory.random:
            self._random = memory.random
            streams = [memory.random, *random_states(np.random.SeedSequence(memory.random.tolist()), self.workers)[1:]]
        for walker, stream in zip(self._walkers, streams, strict=True):
            walker.go_on_in(stream)
