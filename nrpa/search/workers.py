"""Workers: each with a search and a stream of its own, the best of which is kept; or a team that shares one search.

The playouts of all workers count as if they were done in turns: playout k (from 1) of worker w (from 0) of W workers is
playout (k - 1) W + w + 1 of the whole. So what is found, and when, does not depend on who was faster, on the size of
slices or on the engine: same seed, same number of workers, same playouts, same result. After a limit on searches, some
have done fewer playouts than others; they then catch up, and playouts count in the order in which they are done.
"""

from __future__ import annotations

import copy
import math
import weakref
from bisect import bisect_left
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError, LostWorkersError
from nrpa.base.lazy import lazy
from nrpa.base.one_at_a_time import OneAtATime
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.validate import require_no_class
from nrpa.solvers.interface import UNLIMITED, Improvement, Search, Solver

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


def pool_of(problem: BaseProblem, searches: Sequence[Any], executor: Executor | None) -> Threads | Executors:
    """Return workers for searches: threads, or an executor's, or processes where the problem holds Python's lock."""
    if executor is None and not problem.holds_gil:
        return Threads(searches)
    made: Executors = executors.Executors(problem, searches, executor)
    return made


def share(total: int, worker: int, workers: int) -> int:
    """Return how many of ``total`` playouts, done in turns, are those of ``worker``.

    >>> [share(7, worker, 3) for worker in range(3)]
    [3, 2, 2]
    """
    return max(0, -(-(total - worker) // workers))


def gained(turns: int, done: Sequence[int], most: Sequence[float]) -> int:
    """Return how many playouts workers that had ``done`` so many have more after so many turns, each at most so many.

    >>> gained(7, [1, 1, 1], [3, 3, 1])
    3
    """
    shares = [min(share(turns, worker, len(done)), each) for worker, each in enumerate(most)]
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


class OnPool:
    """What is shared out among the workers of a pool."""

    _pool: Threads | Executors

    @property
    def slice_seconds(self) -> float:
        """How long a slice should take, in seconds, so that handing it out costs little."""
        return self._pool.slice_seconds

    @property
    def rates(self) -> list[float]:
        done = zip(self._pool.standing, self._pool.seconds, strict=True)
        return [each.playouts / seconds if seconds else 0.0 for each, seconds in done]

    def close(self) -> None:
        self._pool.close()


class ParallelSearch(OnPool, Search):
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
        self._pool = pool_of(problem, searches, executor)

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
        return self._pool.standing[0].chosen

    def front(self) -> list[tuple[tuple[float, ...], Any]] | None:
        fronts = [each.front() for each in self.searches()]
        return None if None in fronts else [pair for front in fronts for pair in front or ()]

    def searches(self) -> list[Any]:
        """Return the searches of the workers, as they stand between two calls of ``advance``."""
        return self._pool.searches()

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
            {worker: Slice(shares[worker], left[worker], score) for worker in going_on if shares[worker]}
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
        return improvements

    def _searches_left(self, searches: int) -> list[int]:
        """Return how many of so many more top-level searches are those of each worker."""
        if searches >= UNLIMITED:
            return [UNLIMITED] * self.workers
        finished = [each.finished for each in self._pool.standing]
        last = turns_for(finished, searches, range(self.workers))
        return [max(0, share(last, worker, self.workers) - done) for worker, done in enumerate(finished)]

    def _missing(self, done: Sequence[int]) -> list[int]:
        return [max(0, share(self.turns, worker, self.workers) - own) for worker, own in enumerate(done)]

    def _merged(self, found: dict[int, list[Improvement]], enough: float) -> list[tuple[int, Improvement]]:
        """Return the improvements of all workers that are some of the whole, until one is enough, with their turns."""
        turns = [
            ((improvement.playouts - 1) * self.workers + worker + 1, improvement._replace(worker=worker))
            for worker, improvements in found.items()
            for improvement in improvements
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
        beyond = [worker for worker, own in enumerate(self._done) if own > share(self.turns, worker, self.workers)]
        for worker in beyond:
            self._pool.go_back(worker, kept[worker])
        missing = self._missing(self._done)
        self._pool.run({worker: Slice(missing[worker]) for worker in beyond if missing[worker]})


def shared_by(search: Any, workers: int, executor: Executor | None) -> bool:
    """Let workers share a search if they can; return whether they can."""
    if search.shared is None:
        return False
    search.team = search.shared.team = Team(search.shared, workers, executor)
    return True


def started(
    problem: BaseProblem, solver: Solver, seed: int, workers: int, executor: Executor | None, options: dict[str, Any]
) -> Search:
    """Return the search of several workers, or of those of an executor, which has not begun.

    They share it if they can; else each has one of its own, their streams spawned from that of the seed.
    """
    if executor is not None:
        require_executor(executor)
    search = solver.start(problem, seed, **options)
    if shared_by(search, workers, executor):
        return search
    if workers == 1:
        return ParallelSearch(problem, [search], executor)
    streams = np.random.SeedSequence(seed).spawn(workers)
    return ParallelSearch(problem, [solver.start(problem, stream, **options) for stream in streams], executor)


class Team(OnPool):
    """Workers that share one search (``nrpa.solvers.tempering.search``): each has a part of it until a round ends.

    What is found does not depend on their number, on slices, or on who was faster: a part has its own random numbers.
    """

    def __init__(self, search: Any, workers: int, executor: Executor | None) -> None:
        self.workers = workers  # as asked for; those beyond the number of parts have nothing to do
        self._search = search
        self._parts = search.parts(workers)
        self._pool = pool_of(search.problem, self._parts.searches, executor)
        if isinstance(self._pool, Threads):
            for part in self._parts.searches:
                part.prepare(search.machine_code)

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
