"""Threads that share one tree: tree parallelisation, where all walk down it, and leaf parallelisation.

In that, the first worker walks down, all play from its leaf, and count one after the other: same seed, same number of
workers, same result. In tree parallelisation, what is found depends on who was faster. One worker does what the search
alone does.

References
----------
G. Chaslot, M. Winands and J. van den Herik, *Parallel Monte-Carlo Tree Search*, CG 2008: with virtual loss.

M. Enzenberger and M. Müller, *A Lock-free Multithreaded Monte-Carlo Tree Search Algorithm*, ACG 2009: choosing without
a lock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.engine.random import random_states
from nrpa.engine.recording import allocate_incumbent, allocate_tally
from nrpa.engine.status import IMPROVED, LACKS_ROOM, STOPPED
from nrpa.solvers.interface import UNLIMITED, Improvement
from nrpa.solvers.pool import Pool, Slice, share_of_turns
from nrpa.solvers.search import Budget, Capacity, SearchState
from nrpa.solvers.tree.kernel import LEFT, NO_MORE, PLAYERS, TICKET
from nrpa.solvers.tree.search import TreeSearch

if TYPE_CHECKING:
    from nrpa.solvers.tree.kernel import TreeSettings, TreeWork

APART = "expected parallel='root'"


class Walker(TreeSearch):
    """A worker in a tree: its memory has the arrays of the tree, and some of its own."""

    work: TreeWork

    def __init__(self, whole: TreeSearch, place: int, lock: np.ndarray, gate: np.ndarray, first: Walker | None) -> None:
        super().__init__(whole.problem, whole._solver, whole.memory)
        self.status = IMPROVED
        self._whole, self._place, self._lock, self._gate = whole, place, lock, gate
        self._first = first or self
        self._tally, self._random = allocate_tally(), whole.memory.random

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        """Do so many playouts; ``status`` says what has ended them before."""
        found, end, self.status, best = list[Improvement](), self.playouts + playouts, IMPROVED, self.memory.best
        while self.playouts < end and self.status == IMPROVED and not (found and self.score >= score):
            before = bool(best.found[0]), self.score
            self.status = self.machine_code(*self._arguments, Budget(end - self.playouts, UNLIMITED))
            if (bool(best.found[0]), self.score) != before:
                found.append(Improvement(self.playouts, self.score, self.moves))
        if self._gate.size and self._first is self:
            self._gate[TICKET] = NO_MORE
        return found

    def _work(self) -> tuple[TreeWork, TreeSettings]:
        work, settings = super()._work()
        work.place[0] = self._place
        if self._first is not self:
            led = self._first.work
            work = work._replace(path=led.path, led=led.steps)
        self.work = work
        return work, settings

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


class Walkers:
    """Workers that share a tree."""

    def __init__(self, whole: TreeSearch, workers: int, pool_of: Callable[[Sequence[Any]], Pool]) -> None:
        if whole.problem.holds_gil:
            raise InputError(f"{whole.problem.name}: its playouts call Python, so threads cannot share a tree; {APART}")
        self.workers = workers
        self._whole = whole
        self._gate = np.zeros(7 if whole._solver.parallel == "leaf" else 0, np.int64)
        lock, self._walkers = np.zeros(1, np.int64), list[Walker]()
        for place in range(workers):
            self._walkers.append(Walker(whole, place, lock, self._gate, self._walkers[0] if place else None))
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
        if self._gate.size:
            self._gate[:] = 0
            self._gate[PLAYERS], self._gate[LEFT], score = self.workers, playouts, np.inf
            shares = [shares[0]] * self.workers
            for walker in self._walkers:
                walker.work.place[1] = 0
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
