"""Where the slices of a parallel search run: threads of this process, or any ``concurrent.futures.Executor``.

A slice is memory in, memory and improvements out. So a process that dies costs a slice, not the search.
"""

from __future__ import annotations

import copy
import pickle
import signal
import weakref
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from functools import lru_cache
from multiprocessing import get_context
from typing import Any, NamedTuple, Protocol

from nrpa.base.errors import InputError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.worker_process import serve_parent
from nrpa.solvers.interface import Improvement

TRIES = 5


class Slice(NamedTuple):
    """What one worker is to do: so many more playouts and top-level searches, at most until a score is reached."""

    playouts: int
    searches: int
    score: float


class Engine(Protocol):
    """Workers, each with a search of its own.

    Attributes
    ----------
    playouts, finished : list of int
        How many playouts and top-level searches each worker has done.
    slice_seconds : float
        How long a slice should take, in seconds.
    """

    playouts: list[int]
    finished: list[int]
    slice_seconds: float

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

    slice_seconds = 0.05

    def __init__(self, searches: Sequence[Any]) -> None:
        self._searches = searches
        self._pool = ThreadPoolExecutor(len(searches), thread_name_prefix="nrpa")
        self._finalizer = weakref.finalize(self, self._pool.shutdown, wait=False)
        self._count()

    def _count(self) -> None:
        self.playouts = [search.playouts for search in self._searches]
        self.finished = [search.finished for search in self._searches]

    def run(self, slices: dict[int, Slice]) -> dict[int, list[Improvement]]:
        """Let each worker do its slice; return the improvements by worker. Raises what a worker raised."""
        futures = {
            worker: self._pool.submit(self._searches[worker].advance, todo.playouts, todo.searches, todo.score)
            for worker, todo in slices.items()
        }
        wait(futures.values())
        self._count()
        return {worker: future.result() for worker, future in futures.items()}

    def searches(self) -> list[Any]:
        """Return the search of each worker."""
        return list(self._searches)

    def snapshot(self) -> list[object]:
        """Return a copy of each worker's memory."""
        return [copy.deepcopy(search.memory) for search in self._searches]

    def restore(self, worker: int, snapshot: Any) -> None:
        """Bring a worker back to where it was."""
        self._searches[worker].restore(snapshot)
        self._count()

    def close(self) -> None:
        """End the threads."""
        self._finalizer()


class Processes:
    """Slices handed to an executor as bytes and taken back as bytes.

    Parameters
    ----------
    problem : BaseProblem
        What is searched. It must be picklable.
    searches : sequence of CompiledSearch
        One for each worker.
    executor : Executor or None
        Processes of this machine, one a worker, if None.

    Raises
    ------
    InputError
        If the problem cannot be pickled, or the executor takes no work.
    """

    slice_seconds = 0.25

    def __init__(self, problem: BaseProblem, searches: Sequence[Any], executor: Executor | None) -> None:
        self._model = problem.model
        try:
            self._problem = pickle.dumps(problem)
        except Exception as error:
            raise InputError(f"{problem.name}: cannot be sent to worker processes ({error})") from None
        self._frozen = [search.frozen() for search in searches]
        self.playouts = [search.playouts for search in searches]
        self.finished = [search.finished for search in searches]
        self._given = executor
        self._own: ProcessPoolExecutor | None = None
        self.run({worker: Slice(0, 0, 0.0) for worker in range(len(searches))})

    def _pool(self) -> Executor:
        if self._given is not None:
            return self._given
        if self._own is None:
            context = get_context("spawn")
            self._own = ProcessPoolExecutor(len(self._frozen), mp_context=context, initializer=_begin_work)
            self._finalizer = weakref.finalize(self, self._own.shutdown, wait=False, cancel_futures=True)
        return self._own

    def run(self, slices: dict[int, Slice]) -> dict[int, list[Improvement]]:
        """Let each worker do its slice; a slice that was lost with its process is done again.

        Raises what a worker raised; RuntimeError where slices are lost again and again.
        """
        found: dict[int, list[Improvement]] = {}
        left = dict(slices)
        for _ in range(TRIES):
            futures = {worker: self._submit(worker, todo) for worker, todo in left.items()}
            wait(futures.values())
            for worker, future in futures.items():
                lost = future.cancelled() or future.exception() is not None
                if not lost:
                    found[worker] = self._taken(worker, future.result())
                    del left[worker]
            if not left:
                return found
            self.close()
        raise RuntimeError(f"worker {min(left)}: its process died {TRIES} times in the same slice")

    def _submit(self, worker: int, todo: Slice) -> Future[Any]:
        try:
            return self._pool().submit(run_slice, self._problem, self._frozen[worker], todo)
        except RuntimeError as error:
            if self._given is not None:
                raise InputError(f"the executor takes no work ({error})") from None
            self.close()
            return self._pool().submit(run_slice, self._problem, self._frozen[worker], todo)

    def _taken(self, worker: int, answer: Any) -> list[Improvement]:
        if isinstance(answer, BaseException):
            raise answer
        frozen, playouts, finished, improvements = answer
        self._frozen[worker], self.playouts[worker], self.finished[worker] = frozen, playouts, finished
        return [found._replace(moves=self._model.numbers_of(found.moves)) for found in improvements]

    def searches(self) -> list[Any]:
        """Return the search of each worker, made of what it has in hand."""
        return [frozen.thawed(pickle.loads(self._problem)) for frozen in self._frozen]

    def snapshot(self) -> list[object]:
        """Return what each worker has in hand: it is never changed, only replaced."""
        return list(zip(self._frozen, self.playouts, self.finished, strict=True))

    def restore(self, worker: int, snapshot: Any) -> None:
        """Bring a worker back to where it was."""
        self._frozen[worker], self.playouts[worker], self.finished[worker] = snapshot

    def close(self) -> None:
        """End the processes that were made here; an executor that was given is left as it is."""
        if self._own is not None:
            self._finalizer()
            self._own = None


def _begin_work() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve_parent()


@lru_cache(maxsize=4)
def _problem(pickled: bytes) -> BaseProblem:
    problem: BaseProblem = pickle.loads(pickled)
    return problem


def run_slice(problem: bytes, frozen: Any, todo: Slice) -> Any:
    """Do one slice in this process; return the search, its counts and its improvements, or the exception.

    Moves of improvements are given as what they are, not by their numbers in this process. ``frozen`` stays as it is,
    also where the executor's threads share memory with it: a slice may have to be done again.
    """
    try:
        own = frozen._replace(made_of=copy.deepcopy(frozen.made_of))
        search = own.thawed(_problem(problem))
        improvements = search.advance(*todo)
        model = search.problem.model
        found = [improvement._replace(moves=model.things_of(improvement.moves)) for improvement in improvements]
        return search.frozen(), search.playouts, search.finished, found
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return RuntimeError(f"{type(error).__name__}: {error}")
        return error
