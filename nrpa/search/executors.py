"""A pool on any ``concurrent.futures.Executor``, and on processes of this machine; a problem on its way there.

A slice takes the state of a search as bytes, and returns the next one with the improvements: a process that dies costs
a slice, not the search.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import suppress
from functools import lru_cache, partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nrpa.base.errors import CRASH_HINT, InputError
from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import file_of_module, import_file
from nrpa.search.processes import WorkerProcess, picklable
from nrpa.search.retry import handed_out
from nrpa.solvers.interface import Improvement
from nrpa.solvers.pool import Pool, Slice

if TYPE_CHECKING:
    from nrpa.solvers.search import ResumableSearch, SearchState

TRIES = 5
cloudpickle = lazy("numba.cloudpickle")


class SliceTask(NamedTuple):
    """A slice on its way to another process: whose it is, and the state of the search as bytes."""

    worker: int
    state: bytes
    todo: Slice
    stop: str  # the file of the pool's ``stop``


class SliceAnswer(NamedTuple):
    """What comes back of a slice: the search as bytes, its counts, what it chose and found, and how long."""

    state: bytes
    playouts: int
    finished: int
    proven: bool
    improvements: list[Improvement]
    seconds: float
    chosen: str | None


class Executors(Pool):
    """Workers on executors: their searches are bytes here.

    Raises InputError if the problem cannot be pickled, or the executor takes no work.
    """

    slice_seconds = 0.25

    def __init__(self, problem: BaseProblem, searches: Sequence[Any], executor: Executor | None) -> None:
        self._given = problem
        self._run_slice = partial(run_slice, packed(problem, elsewhere=executor is not None))
        self.standing: list[SliceAnswer] = [_begun(problem, search) for search in searches]
        self.seconds = [0.0] * len(searches)
        self._stop_file = _stop_file()
        weakref.finalize(self, os.unlink, self._stop_file)
        self.stop = _mapped(self._stop_file)
        self._own = [WorkerProcess() for _ in searches] if executor is None else []
        self._executors: Sequence[Executor] = self._own if executor is None else [executor] * len(searches)
        # So that every worker loads its machine code.
        self.run(dict.fromkeys(range(len(searches)), Slice(0)))

    def run(self, slices: dict[int, Slice]) -> dict[int, list[Improvement]]:
        """Let each worker do its slice; one that was lost with its process is done again.

        Nothing has changed where this raises: what a worker raised, or LostWorkersError where a slice is lost again and
        again.
        """
        tasks = [
            SliceTask(worker, self.standing[worker].state, todo, self._stop_file) for worker, todo in slices.items()
        ]
        done = handed_out(self._run_slice, tasks, self._executors, _name, TRIES, CRASH_HINT)
        answers = {task.worker: answer for task, answer, _ in done}
        for worker in slices:
            self._require_answer(answers[worker])
        return {worker: self._taken(worker, answers[worker]) for worker in slices}

    def _require_answer(self, found: Any) -> None:
        """Raise what the search raised; InputError for what is no answer."""
        if isinstance(found, Exception):
            raise found
        if not isinstance(found, SliceAnswer):
            what = f"a future of {type(self._executors[0]).__name__} has the result {found!r:.60}"
            raise InputError(f"executor: {what}; expected what the function returns that was submitted")

    def _taken(self, worker: int, answer: SliceAnswer) -> list[Improvement]:
        """Make a slice the search's own; return what was found, with the numbers that moves have in this process."""
        self.standing[worker] = answer
        self.seconds[worker] += answer.seconds
        numbers_of = self._given.model.numbers_of
        return [found._replace(moves=numbers_of(found.moves)) for found in answer.improvements]

    def kept(self) -> list[Any]:
        """Return the last answer of each worker: it is never changed, only replaced."""
        return list(self.standing)

    def go_back(self, worker: int, kept: Any) -> None:
        self.standing[worker] = kept

    def states(self) -> list[SearchState]:
        return [pickle.loads(each.state) for each in self.standing]

    def restart(self, worker: int, search: Any) -> None:
        self.go_back(worker, _begun(self._given, search))

    def close(self) -> None:
        """End the processes that were made here; an executor that was given is left as it is."""
        for process in self._own:
            process.end()


def _name(task: SliceTask) -> str:
    return f"a slice of worker {task.worker + 1}"


def _begun(problem: BaseProblem, search: Any) -> SliceAnswer:
    """Return a search as if it had come back from a worker."""
    try:
        return _answer(search, [], 0.0)
    except Exception as error:
        raise InputError(f"{problem.name}: its moves cannot be sent to worker processes ({error})") from None


def _answer(search: ResumableSearch, found: list[Improvement], seconds: float) -> SliceAnswer:
    counts = search.playouts, search.finished, search.proven
    return SliceAnswer(pickle.dumps(search.state()), *counts, found, seconds, search.chosen)


def run_slice(problem: bytes, task: SliceTask) -> SliceAnswer | BaseException:
    """Do one slice in this process; return the search as it is then and what it found, or the exception.

    Moves of improvements are given as what they are, not by their numbers in this process.
    """
    try:
        search = _search_of(problem, task.state)
        with suppress(OSError):  # on another machine
            search.heed(_mapped(task.stop))
        begun = perf_counter()
        improvements = search.advance(*task.todo)
        seconds = perf_counter() - begun
        model = search.problem.model
        found = [improvement._replace(moves=model.things_of(improvement.moves)) for improvement in improvements]
        return _answer(search, found, seconds)
    except Exception as error:
        return picklable(error)


def _stop_file() -> str:
    """Make a file that processes of this machine can read while a search of theirs goes on; return its path."""
    number, path = tempfile.mkstemp(prefix="nrpa-stop-")
    with os.fdopen(number, "wb") as file:
        file.write(bytes(1))
    return path


def _mapped(path: str) -> np.ndarray:
    return np.asarray(np.memmap(path, np.bool_, "r+"))


_machine_code: dict[tuple[bytes, type], Any] = {}


def _search_of(problem: bytes, state: bytes) -> ResumableSearch:
    """Return the search, with the machine code that an earlier slice of its kind has loaded in this process."""
    try:
        made, kept = unpacked(problem), pickle.loads(state)
    except InputError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the problem or the solver cannot be made in a worker process ({what})") from None
    search: ResumableSearch = kept.search(made)
    key = hashlib.sha256(problem).digest(), type(search)
    search.prepare(_machine_code.get(key))
    _machine_code[key] = search.machine_code
    return search


def packed(content: Any, *problems: BaseProblem, elsewhere: bool = False) -> bytes:
    """Return a problem, or what holds some, as bytes that ``unpacked`` takes in another process."""
    problems = problems or (content,)
    modules = {cls.__module__ for problem in problems for cls in type(problem).__mro__}
    by_value = "__main__" in modules and (elsewhere or not hasattr(sys.modules["__main__"], "__file__"))
    dumps: Any = cloudpickle.dumps if by_value else pickle.dumps
    try:
        data = dumps(content)
    except Exception as error:
        raise InputError(f"{problems[0].name}: cannot be sent to worker processes ({error})") from None
    files = sorted(filter(None, map(file_of_module, modules)))
    return pickle.dumps((files, data))


def unpacked(parcel: bytes) -> Any:
    """Return what was packed, made once in each thread: plain-Python problems number their moves as they go."""
    return _unpacked(parcel, threading.get_ident())


@lru_cache(maxsize=16)
def _unpacked(parcel: bytes, thread: int) -> Any:
    files, data = pickle.loads(parcel)
    for file in files:
        import_file(file)
    return pickle.loads(data)
