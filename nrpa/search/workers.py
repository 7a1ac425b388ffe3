"""Workers: each with a search and a stream of its own, the best of which is kept; or a team that shares one search.

The playouts of all workers count as if they were done in turns: playout k (from 1) of worker w (from 0) of W workers is
playout (k - 1) W + w + 1 of the whole. So what is found, and when, does not depend on who was faster, on the size of
slices or on the engine: same seed, same number of workers, same playouts, same result. After a limit on searches, some
have done fewer playouts than others; they then catch up, and playouts count in the order in which they are done.
"""

from __future__ import annotations

import math
import os
from bisect import bisect_left
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.one_at_a_time import OneAtATime
from nrpa.base.values import whole
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.retry import require_executor
from nrpa.search.threads import Threads
from nrpa.solvers.interface import UNLIMITED, Improvement, Search, Solver
from nrpa.solvers.pool import Pool, Slice, share_of_turns

executors = lazy("nrpa.search.executors")

# More are a slip of the hand that would bring the machine down: 64 threads or processes for each of its cores.
MOST_A_CORE, MOST_ELSEWHERE = 64, 10_000


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def number_of_workers(given: int | str, elsewhere: bool = False) -> int:
    """Return the number of workers that a caller asks for. Raises InputError for anything else."""
    if given == "all":
        return cores()
    if isinstance(given, str):
        raise InputError(f'workers must be a whole number of at least 1, or "all", not {given!r:.40}')
    return whole("workers", given, most=MOST_ELSEWHERE if elsewhere else MOST_A_CORE * cores())


def require_work(workers: int, searches: int | None) -> None:
    """Raise InputError for more workers than ``searches``, the limit of top-level searches if there is one."""
    if searches is not None and 0 < searches < workers:
        raise InputError(
            f"{searches} search{'es' * (searches > 1)} cannot be shared by {workers} workers; "
            "expected at least as many searches as workers"
        )


def pool_of(problem: BaseProblem, executor: Executor | None, searches: Sequence[Any]) -> Pool:
    """Return workers for searches: threads, or an executor's, or processes where Python's lock is held."""
    if executor is None and not (problem.holds_gil or getattr(searches[0], "holds_gil", False)):
        return Threads(searches)
    made: Pool = executors.Executors(problem, searches, executor)
    return made


def gained(turns: int, done: Sequence[int], most: Sequence[float]) -> int:
    """Return how many more playouts each worker makes in so many turns, after those it has ``done``, up to its limit.

    >>> gained(7, [1, 1, 1], [3, 3, 1])
    3
    """
    shares = [min(share_of_turns(turns, worker, len(done)), each) for worker, each in enumerate(most)]
    return int(sum(max(0, own - before) for own, before in zip(shares, done, strict=True)))


def turns_for(done: Sequence[int], more: int, going_on: Sequence[int]) -> int:
    """Return the number of turns after which some workers have done so many more than they have ``done``.

    Those that have done less than their share of the turns so far come first.

    >>> turns_for([4, 4, 3], 2, [0, 1, 2])
    13
    >>> turns_for([9, 4], 3, [0, 1])
    14
    """
    most = [math.inf if worker in going_on else own for worker, own in enumerate(done)]
    turns = range((max(done) + more + 1) * len(done))
    return bisect_left(turns, more, key=lambda turn: gained(turn, done, most))


class ParallelSearch(Search):
    """Several searches of one problem that look like one."""

    def __init__(
        self,
        problem: BaseProblem,
        searches: Sequence[Search],
        executor: Executor | None = None,
        best: Improvement | None = None,
        turns: int = 0,
    ) -> None:
        self._alone = OneAtATime("this search is advanced by another thread; one at a time can, so start one for each")
        self.turns = turns  # how many playouts have been shared out among the workers
        self.best = best or Improvement(0, searches[0].score, searches[0].moves)
        self._problem = problem
        for search in searches:
            search.load_code(whole=True)
        self._pool = pool_of(problem, executor, searches)

    @property
    def slice_seconds(self) -> float:
        return self._pool.slice_seconds

    @property
    def rates(self) -> list[float]:
        return self._pool.rates

    @property
    def stop(self) -> np.ndarray:
        return self._pool.stop

    def close(self) -> None:
        self._pool.close()

    @property
    def workers(self) -> int:
        return len(self._pool.standing)

    @property
    def _done(self) -> list[int]:
        return [each.playouts for each in self._pool.standing]

    @property
    def playouts(self) -> int:
        return sum(self._done)

    @property
    def finished(self) -> int:
        return sum(each.finished for each in self._pool.standing)

    @property
    def score(self) -> float:
        return self.best.score

    @property
    def moves(self) -> np.ndarray:
        return self.best.moves.copy()

    @property
    def proven(self) -> bool:
        return any(each.proven for each in self._pool.standing)

    @property
    def chosen(self) -> str | None:
        chosen: str | None = self._pool.standing[0].chosen
        return chosen

    def front(self) -> list[tuple[tuple[float, ...], Any]] | None:
        fronts = [each.front() for each in self.searches()]
        return None if None in fronts else [pair for front in fronts for pair in front or ()]

    def searches(self) -> list[Any]:
        """Return the searches of the workers, as they stand between two calls of ``advance``."""
        return [state.search(self._problem) for state in self._pool.states()]

    def advance(self, playouts: int, searches: int = UNLIMITED, score: float = math.inf) -> list[Improvement]:
        """Run exactly ``playouts`` playouts, shared out in turns, and return the improvements of the best in them.

        Stops early when ``searches`` more top-level searches are finished, also shared out in turns, or at the playout
        that reaches ``score``: what other workers did beyond it is undone.
        """
        with self._alone():
            return self._advance(playouts, searches, score)

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        done, left = self._done, self._searches_left(searches)
        kept = self._pool.kept() if score < math.inf else []
        going_on = [worker for worker in range(self.workers) if left[worker]]
        self.turns = turns_for(done, playouts, going_on)
        shares = self._missing(done)
        found = self._pool.run(
            {worker: Slice(shares[worker], left[worker], score) for worker in going_on if shares[worker] > 0}
        )
        merged = self._merged(found, score)
        if kept and merged and merged[-1][1].score >= score:
            self.turns = merged[-1][0]
            self._undo_beyond(kept)
        now = self._done
        improvements = [
            improvement._replace(playouts=sum(done) + gained(turn, done, now)) for turn, improvement in merged
        ]
        self.best = improvements[-1] if improvements else self.best
        cut = [each._replace(worker=worker) for worker, own in found.items() for each in own if each.cut]
        better = [each._replace(playouts=sum(now)) for each in cut if each.score > self.best.score]
        return improvements + sorted(better, key=attrgetter("score"))

    def _searches_left(self, searches: int) -> list[int]:
        """Return how many of so many more top-level searches are those of each worker."""
        if searches >= UNLIMITED:
            return [UNLIMITED] * self.workers
        finished = [each.finished for each in self._pool.standing]
        last = turns_for(finished, searches, range(self.workers))
        return [max(0, share_of_turns(last, worker, self.workers) - done) for worker, done in enumerate(finished)]

    def _missing(self, done: Sequence[int]) -> list[int]:
        """Return how many playouts each worker has still to do of the turns; below 0 for one that has gone beyond."""
        return [share_of_turns(self.turns, worker, self.workers) - own for worker, own in enumerate(done)]

    def _merged(self, found: dict[int, list[Improvement]], enough: float) -> list[tuple[int, Improvement]]:
        """Return the improvements of all workers that are some of the whole, until one is enough, with their turns."""
        turns = [
            ((improvement.playouts - 1) * self.workers + worker + 1, improvement._replace(worker=worker))
            for worker, improvements in found.items()
            for improvement in improvements
            if not improvement.cut
        ]
        merged: list[tuple[int, Improvement]] = []
        best = self.best.score
        for turn, improvement in sorted(turns, key=itemgetter(0)):
            if improvement.score > best and not (merged and best >= enough):
                best = improvement.score
                merged.append((turn, improvement))
        return merged

    def _undo_beyond(self, kept: Sequence[Any]) -> None:
        """Bring the workers that went beyond their shares back, and let them do what was theirs."""
        beyond = [worker for worker, missing in enumerate(self._missing(self._done)) if missing < 0]
        for worker in beyond:
            self._pool.go_back(worker, kept[worker])
        missing = self._missing(self._done)
        self._pool.run({worker: Slice(missing[worker]) for worker in beyond if missing[worker] > 0})


def shared_out(search: Any, workers: int, executor: Executor | None) -> bool:
    """Let workers share a search if they can; return whether they can."""
    shared = search.shared
    if shared is not None:
        shared.share_out(workers, partial(pool_of, shared.problem, executor))
    return shared is not None


def started(
    problem: BaseProblem, solver: Solver, seed: int, workers: int, executor: Executor | None, options: dict[str, Any]
) -> Search:
    """Return the search of several workers, or of those of an executor, which has not begun.

    They share it if they can; else each has one of its own, their streams spawned from that of the seed.
    """
    if executor is not None:
        require_executor(executor)
    search = solver.start(problem, seed, **options)
    if shared_out(search, workers, executor):
        return search
    if workers == 1:
        return ParallelSearch(problem, [search], executor)
    streams = np.random.SeedSequence(seed).spawn(workers)
    return ParallelSearch(problem, [solver.start(problem, stream, **options) for stream in streams], executor)


def searches_of(search: Search) -> list[Any]:
    """Return the search of each worker that has one of its own, as it stands between two calls of ``advance``."""
    return search.searches() if isinstance(search, ParallelSearch) else [search]
