"""Workers that go on with pieces of a search: threads, processes, or any ``concurrent.futures.Executor``.

A piece is a frozen search in, and a frozen search with its improvements out. So a process that dies costs a piece.
"""

from __future__ import annotations

import pickle
import weakref
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import Any, NamedTuple

from nrpa.base.errors import LostWorkersError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.executors import TRIES, thawed
from nrpa.search.parcel import packed
from nrpa.search.processes import WorkerProcess
from nrpa.solvers.interface import Improvement
from nrpa.solvers.nrpa_search import NRPASearch, copied, forget_best, path
from nrpa.solvers.search import Frozen

FIRST_PLAYOUTS = 100


class Piece(NamedTuple):
    """What was done of a task.

    Attributes
    ----------
    frozen : Frozen
        The search.
    playouts : int
        So many playouts.
    found : list of Improvement
        The improvements in them, numbered from 1.
    has_ended : bool
        Whether the search of the task's level is over.
    seconds : float
        How long it took.
    """

    frozen: Frozen
    playouts: int
    found: list[Improvement]
    has_ended: bool
    seconds: float


class _Sent(NamedTuple):
    """A piece under way: its label, the search, how many playouts, the how-many-eth try, and which process has it."""

    label: Any
    content: Any
    playouts: int
    tries: int
    executor: Executor | None


class Crew:
    """So many workers, each with one piece at a time.

    Parameters
    ----------
    problem : BaseProblem
        What is searched.
    level : int
        The level of the tasks.
    workers : int
        How many.
    executor : Executor or None
        Where they run. None: threads of this process, or processes of this machine where the problem's kernels hold
        Python's lock.

    Attributes
    ----------
    workers : int
        How many.
    slice_seconds : float
        How long a piece should take, in seconds.

    Raises
    ------
    InputError
        If the problem cannot be pickled where it has to be.
    """

    def __init__(self, problem: BaseProblem, level: int, workers: int, executor: Executor | None) -> None:
        self.workers = workers
        self._problem = problem
        self._level = level
        self._given = executor
        self._in_threads = executor is None and not problem.holds_gil
        self.slice_seconds = 0.02 if self._in_threads else 0.2
        self._threads: Executor | None = None
        self._processes = [WorkerProcess() for _ in range(0 if executor or self._in_threads else workers)]
        self._free = list(self._processes)
        self._running: dict[Future[Any], _Sent] = {}
        self._rate = 0.0
        self._benches: list[NRPASearch] = []
        if not self._in_threads:
            self._parcel = packed(problem, elsewhere=executor is not None)

    @property
    def idle(self) -> int:
        """How many workers have nothing to do."""
        return self.workers - len(self._running)

    def warm(self, frozen: Frozen) -> None:
        """Let every worker elsewhere load its machine code, and wait for it. Raises what a worker raised."""
        if self._in_threads:
            return
        for worker in range(self.workers):
            self._submit(_Sent(worker, pickle.dumps(frozen), 0, 1, None))
        while self._running:
            for _, answer in self.ended():
                if isinstance(answer, Exception):
                    raise answer

    def begin(self, label: Any, frozen: Frozen) -> None:
        """Give a worker a piece of a task.

        Parameters
        ----------
        label : object
            What ``ended`` gives back with it.
        frozen : Frozen
            The search, which does not change.

        Raises
        ------
        LostWorkersError
            If the executor takes no work.
        """
        playouts = max(1, int(self._rate * self.slice_seconds)) if self._rate else FIRST_PLAYOUTS
        content = frozen if self._in_threads else pickle.dumps(frozen)
        self._submit(_Sent(label, content, min(playouts, self._problem.max_slice or playouts), 1, None))

    def _submit(self, sent: _Sent) -> None:
        executor: Any = sent.executor or self._executor()
        try:
            if self._in_threads:
                future = executor.submit(self._in_thread, sent.content, sent.playouts)
            else:
                future = executor.submit(elsewhere, self._parcel, sent.content, self._level, sent.playouts)
        except RuntimeError as error:
            raise LostWorkersError(f"the executor takes no work ({error})") from None
        self._running[future] = sent._replace(executor=executor if executor in self._processes else None)

    def _executor(self) -> Executor:
        if self._given is not None:
            return self._given
        if self._processes:
            return self._free.pop()
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="nrpa")
            self._finalizer = weakref.finalize(self, self._threads.shutdown, wait=False, cancel_futures=True)
        return self._threads

    def _in_thread(self, frozen: Frozen, playouts: int) -> Piece | Exception:
        try:
            bench: Any = self._benches.pop()
        except IndexError:
            bench = frozen.thawed(self._problem)
        try:
            _, memory = frozen.made_of
            bench.take_over(copied(memory))
            return piece(bench, self._level, playouts)
        except Exception as error:
            return error
        finally:
            self._benches.append(bench)

    def ended(self) -> list[tuple[Any, Piece | Exception]]:
        """Wait until a worker has ended a piece; return all that have, or what a piece raised, with their labels.

        Returns
        -------
        list of (label, Piece or Exception)
            Moves of improvements are given as what they are, where they are not numbers.

        Raises
        ------
        LostWorkersError
            Where a piece is lost again and again with the process that had it.
        """
        answers: list[tuple[Any, Piece | Exception]] = []
        while not answers and self._running:
            done, _ = wait(self._running, return_when=FIRST_COMPLETED)
            for future in done:
                sent = self._running.pop(future)
                if future.cancelled() or future.exception() is not None:
                    if sent.tries == TRIES:
                        raise LostWorkersError(f"a worker's process died {TRIES} times in the same piece of the search")
                    self._submit(sent._replace(tries=sent.tries + 1))
                    continue
                self._free += [process for process in self._processes if process is sent.executor]
                answer = future.result()
                answers.append((sent.label, answer))
                if isinstance(answer, Piece) and answer.seconds > 0:
                    self._rate = answer.playouts / answer.seconds
        return answers

    def close(self) -> None:
        """End the threads or processes that were made here; an executor that was given is left as it is."""
        for future in self._running:
            future.cancel()
        for process in self._processes:
            process.end()
        if self._threads is not None:
            self._finalizer()
            self._threads = None


def piece(search: NRPASearch, level: int, playouts: int) -> Piece:
    """Go on with a search until that of ``level`` in progress ends, at most so many playouts.

    Where it has ended, the best of all is forgotten: the next one may be begun from another past that leads to the same
    place, and would say nothing of what is not better than the best of that past.
    """
    begun, place, before = perf_counter(), path(search.memory, level), search.playouts
    improvements = search.advance_within(level, playouts)
    found = [
        each._replace(playouts=each.playouts - before, moves=search.problem.model.things_of(each.moves))
        for each in improvements
    ]
    has_ended = path(search.memory, level) != place
    if has_ended:
        forget_best(search.memory)
    return Piece(search.frozen(), search.playouts - before, found, has_ended, perf_counter() - begun)


def elsewhere(problem: bytes, frozen: bytes, level: int, playouts: int) -> Piece | Exception:
    """Do a piece in this process, whichever it is; return it, or the exception that ended it."""
    try:
        search: Any = thawed(problem, frozen)
        return piece(search, level, playouts)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return RuntimeError(f"{type(error).__name__}: {error}")
        return error
