"""Processes of this machine, each a pool of its own: one that is killed costs what it was doing, and nothing else."""

from __future__ import annotations

import multiprocessing
import weakref
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Any

from nrpa.search.interrupt import ignored_by_children
from nrpa.search.worker_process import serve_parent


class WorkerProcess(Executor):
    """One process, started afresh ("spawn") when it is first needed, and again after it has died.

    It leaves Ctrl-C to its parent and ends with it.
    """

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._kept: Connection | None = None
        self._finalizer: Any = None

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """Hand a call to the process; if it dies, the future has the exception ``BrokenProcessPool``."""
        if self._pool is not None:
            try:
                return self._pool.submit(function, *arguments, **keywords)
            except BrokenProcessPool:
                self.end()
        # The process, and the one that Python keeps for its semaphores, would else be ended by what is meant for us.
        with ignored_by_children():
            return self._started().submit(function, *arguments, **keywords)

    def _started(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        theirs, ours = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=serve_parent, initargs=(theirs,))
        self._finalizer = weakref.finalize(self, _end, self._pool, theirs, ours)
        return self._pool

    def end(self) -> None:
        """End the process at once, whatever it is doing."""
        if self._finalizer is not None:
            self._finalizer()
        self._pool = self._finalizer = None

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the process; with ``wait``, when it has done what it was given."""
        if wait and self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=cancel_futures)
        self.end()


def _end(pool: ProcessPoolExecutor, theirs: Connection, ours: Connection) -> None:
    # The process watches the other end of this pipe, and ends when nobody holds ours.
    ours.close()
    theirs.close()
    pool.shutdown(wait=False, cancel_futures=True)
