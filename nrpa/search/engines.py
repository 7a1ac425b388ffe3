"""Where the slices of a parallel search run: threads of this process, or any ``concurrent.futures.Executor``.

A slice is memory in, memory and improvements out. So a process that dies costs a slice, not the search.
"""

from __future__ import annotations

import copy
import hashlib
import pickle
import weakref
from collections.abc import Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from nrpa.base.errors import InputError, LostWorkersError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.parcel import packed, unpacked, unpacked_anew
from nrpa.search.processes import WorkerProcess
from nrpa.solvers.interface import Improvement

if TYPE_CHECKING:
    from nrpa.solvers.search import CompiledSearch

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
    seconds : list of float
        How long each worker has searched, without the time that it waited for the others.
    proven : list of bool
        Whether each has proved that nothing is better than its best.
    slice_seconds : float
        How long a slice should take, in seconds.
    """

    playouts: list[int]
    finished: list[int]
    seconds: list[float]
    proven: list[bool]
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
        self.seconds = [0.0] * len(searches)
        self._count()

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
        self._searches[worker].restore(snapshot)
        self._count()

    def close(self) -> None:
        """End the threads."""
        self._finalizer()


class Executors:
    """Slices handed to executors as bytes and taken back as bytes.

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
        self._problem = packed(problem, elsewhere=executor is not None)
        self._frozen = [_frozen(problem, search) for search in searches]
        self.playouts = [search.playouts for search in searches]
        self.finished = [search.finished for search in searches]
        self.proven = [getattr(search, "proven", False) for search in searches]
        self.seconds = [0.0] * len(searches)
        self._own = [WorkerProcess() for _ in searches] if executor is None else []
        self._executors: list[Any] = [*self._own] if executor is None else [executor] * len(searches)
        self.run({worker: Slice(0, 0, 0.0) for worker in range(len(searches))})

    def run(self, slices: dict[int, Slice]) -> dict[int, list[Improvement]]:
        """Let each worker do its slice; a slice that was lost with its process is done again.

        Nothing has changed where this raises: what a worker raised, or LostWorkersError where a slice is lost again and
        again.
        """
        answers: dict[int, Answer] = {}
        left = dict(slices)
        lost: BaseException | None = None
        for _ in range(TRIES):
            futures = {worker: self._submit(worker, todo) for worker, todo in left.items()}
            wait(futures.values())
            for worker, future in futures.items():
                error = _error(future)
                if error is None:
                    answers[worker] = _answer(future)
                    del left[worker]
                else:
                    lost = error
            if not left:
                return {worker: self._taken(worker, answers[worker]) for worker in slices}
        raise LostWorkersError(
            f"the same slice of worker {min(left) + 1} was lost {TRIES} times ({type(lost).__name__}: {lost})"
        )

    def _submit(self, worker: int, todo: Slice) -> Future[Any]:
        try:
            submitted: Future[Any] = self._executors[worker].submit(
                run_slice, self._problem, self._frozen[worker], todo
            )
        except RuntimeError as error:
            raise LostWorkersError(f"the executor takes no work ({error})") from None
        return submitted

    def _taken(self, worker: int, answer: Answer) -> list[Improvement]:
        self._frozen[worker], self.playouts[worker], self.finished[worker] = answer.frozen, *answer.counts
        self.seconds[worker] += answer.seconds
        self.proven[worker] = answer.proven
        return [found._replace(moves=self._model.numbers_of(found.moves)) for found in answer.improvements]

    def searches(self) -> list[Any]:
        """Return the search of each worker, made of what it has in hand."""
        return [pickle.loads(frozen).thawed(unpacked_anew(self._problem)) for frozen in self._frozen]

    def snapshot(self) -> list[object]:
        """Return what each worker has in hand: it is never changed, only replaced."""
        return list(zip(self._frozen, self.playouts, self.finished, self.proven, strict=True))

    def restore(self, worker: int, snapshot: Any) -> None:
        """Bring a worker back to where it was."""
        self._frozen[worker], self.playouts[worker], self.finished[worker], self.proven[worker] = snapshot

    def close(self) -> None:
        """End the processes that were made here; an executor that was given is left as it is."""
        for process in self._own:
            process.end()


class Answer(NamedTuple):
    """What comes back of a slice: the search as bytes, its counts, what it found, how long, whether that is proven."""

    frozen: bytes
    counts: tuple[int, int]
    improvements: list[Improvement]
    seconds: float
    proven: bool


def _frozen(problem: BaseProblem, search: Any) -> bytes:
    try:
        return pickle.dumps(search.frozen())
    except Exception as error:
        raise InputError(f"{problem.name}: its moves cannot be sent to worker processes ({error})") from None


def _answer(future: Future[Any]) -> Answer:
    """Return the answer. Raises what the worker raised."""
    answer = future.result()
    if isinstance(answer, Exception):
        raise answer
    taken: Answer = answer
    return taken


def _error(future: Future[Any]) -> BaseException | None:
    return CancelledError("cancelled") if future.cancelled() else future.exception()


def run_slice(problem: bytes, frozen: bytes, todo: Slice) -> Answer | Exception:
    """Do one slice in this process; return the search as it is then and what it found, or the exception.

    Moves of improvements are given as what they are, not by their numbers in this process.

    Parameters
    ----------
    problem : bytes
        What ``nrpa.search.parcel.packed`` made of it.
    frozen : bytes
        The search, without the problem.
    todo : Slice
        How far it goes.
    """
    try:
        search = thawed(problem, frozen)
        begun = perf_counter()
        improvements = search.advance(*todo)
        seconds = perf_counter() - begun
        model = search.problem.model
        found = [improvement._replace(moves=model.things_of(improvement.moves)) for improvement in improvements]
        counts = search.playouts, search.finished
        return Answer(pickle.dumps(search.frozen()), counts, found, seconds, search.proven)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return RuntimeError(f"{type(error).__name__}: {error}")
        return error


_machine_code: dict[tuple[bytes, type], Any] = {}


def thawed(problem: bytes, frozen: bytes) -> CompiledSearch:
    """Return the search, with the machine code that an earlier slice of its kind has loaded in this process."""
    try:
        made, search = unpacked(problem), pickle.loads(frozen)
    except InputError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the problem or the solver cannot be made in a worker process ({what})") from None
    made_again: CompiledSearch = search.thawed(made)
    key = hashlib.sha256(problem).digest(), type(made_again)
    made_again.prepare(_machine_code.get(key))
    _machine_code[key] = made_again.machine_code
    return made_again
