"""Processes of this machine, each with a pipe of its own: one that is killed costs what it was doing, nothing else.

A process leaves signals to its parent, and ends with it.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.util import Finalize
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from nrpa.base.errors import LostWorkersError
from nrpa.search.interrupt import ENDING, leave_to_parent

Calls = SimpleQueue["tuple[Future[Any], Any] | None"]


NAME = "nrpa-worker"
# The exit code of a process that, being started, reads a script that starts processes itself.
UNGUARDED = 86
GUARD = "a script needs if __name__ == '__main__': before what it does, as each worker process reads it first"
ALONE = "or search with one worker"


class WorkerProcess(Executor):
    """One process, started afresh ("spawn") when it is first needed, and again after it has died.

    Where none can be started, calls have the exception ``LostWorkersError``, whose message says what to do.
    """

    def __init__(self) -> None:
        self._calls: Calls = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._finalizer: Any = None

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """Hand a call to the process; if it dies, the future has the exception ``BrokenExecutor``."""
        if self._thread is None:
            self._begin()
        future: Future[Any] = Future()
        self._calls.put((future, (function, arguments, keywords)))
        return future

    def _begin(self) -> None:
        theirs, ours = multiprocessing.Pipe(duplex=False)
        self._calls = SimpleQueue()
        # Before Python waits for its processes at the end, as it would for this one.
        self._finalizer = Finalize(self, _end, (self._calls, ours), exitpriority=0)
        self._thread = threading.Thread(target=_hand_over, args=(self._calls, theirs), name="nrpa-process", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """End the process at once, whatever it is doing."""
        if self._finalizer is not None:
            self._finalizer()
        self._thread = self._finalizer = None

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.end()


def _end(calls: Calls, lifeline: Connection) -> None:
    with suppress(Empty):
        while call := calls.get_nowait():
            call[0].cancel()
    # The process watches the other end of this pipe, and ends when nobody holds ours.
    lifeline.close()
    calls.put(None)


class _Started(NamedTuple):
    process: SpawnProcess
    pipe: Connection


def _hand_over(calls: Calls, lifeline: Connection) -> None:
    """Let a process do what is in a queue until that is None; in a thread, as no signal raises anything there."""
    _block_signals()
    started: _Started | None = None
    while (call := calls.get()) is not None:
        future, content = call
        if future.set_running_or_notify_cancel():
            try:
                # Nothing comes through the pipe that was not asked for, but its end.
                if started is None or started.pipe.poll():
                    started = _start_again(started, lifeline)
                _do(future, content, started.pipe)
            except Exception as error:
                future.set_exception(error)
        del call, future, content
    lifeline.close()
    _ended(started)


def _block_signals() -> None:
    """Block signals in this thread, and so in the processes that it starts, until they ignore them."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        # Python's own process for what is shared ignores SIGINT and SIGTERM; to start it unblocks them.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, *ENDING))


def _start_again(before: _Started | None, lifeline: Connection) -> _Started:
    _ended(before)
    _require_possible()
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, lifeline), name=NAME)
    try:
        with _start_method_of_python():
            process.start()
    except OSError as error:
        ours.close()
        raise LostWorkersError(f"no worker process can be started ({error}); expected fewer workers") from None
    finally:
        theirs.close()
    started = _Started(process, ours)
    _require_ready(started)
    return started


@contextmanager
def _start_method_of_python() -> Iterator[None]:
    """Replace the default start method meanwhile, which a new process is told, where it would not know it: joblib's."""
    before = multiprocessing.get_start_method(allow_none=True)
    is_known = before in (None, "spawn", "fork", "forkserver")
    if not is_known:
        multiprocessing.set_start_method("spawn", force=True)
    try:
        yield
    finally:
        if not is_known:
            multiprocessing.set_start_method(before, force=True)


def _require_possible() -> None:
    """Raise LostWorkersError where this process cannot start workers; end a process that is itself being started."""
    current: Any = multiprocessing.current_process()
    if current.daemon:
        raise LostWorkersError(f"a daemon process cannot start worker processes; start it without daemon=True, {ALONE}")
    if getattr(current, "_inheriting", False):
        if current.name == NAME:
            os._exit(UNGUARDED)
        raise LostWorkersError(f"no worker process can be started: {GUARD}; {ALONE}")
    main = sys.modules["__main__"]
    file: Any = getattr(main, "__file__", None)
    if getattr(main, "__spec__", None) is None and file is not None and not os.path.exists(file):
        what = f"worker processes cannot read the program again ({file}); expected a script in a file"
        raise LostWorkersError(f"{what}, {ALONE}")


def _require_ready(started: _Started) -> None:
    """Wait until a process works. Raises LostWorkersError where it has ended by itself, as any other would."""
    try:
        started.pipe.recv_bytes()
    except (EOFError, OSError):
        _ended(started)
        code = started.process.exitcode or 0
        if code > 0:
            why = GUARD if code == UNGUARDED else f"it ended with exit code {code} while it read the script"
            raise LostWorkersError(f"no worker process can be started: {why}; {ALONE}") from None
        raise BrokenExecutor("its process has died") from None


def _do(future: Future[Any], content: Any, pipe: Connection) -> None:
    """Let a process do one call. Raises what keeps the call or its answer from being sent."""
    sent = pickle.dumps(content)
    try:
        pipe.send_bytes(sent)
        received = pipe.recv_bytes()
    except (EOFError, OSError):
        raise BrokenExecutor("its process has died") from None
    answer, error = pickle.loads(received)
    if error is None:
        future.set_result(answer)
    else:
        future.set_exception(error)


def _ended(started: _Started | None) -> None:
    if started is not None:
        started.pipe.close()
        started.process.join()


def serve(pipe: Connection, lifeline: Connection) -> None:
    """Do what comes through a pipe, call by call, until it is closed, or the lifeline is, or the parent has died."""
    leave_to_parent()
    if hasattr(signal, "pthread_sigmask"):
        # They were blocked, so that none of them came before.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, *ENDING))
    _end_with_parent(lifeline)
    with suppress(EOFError, OSError):
        pipe.send_bytes(b"ready")
        while True:
            pipe.send_bytes(_done(pipe.recv_bytes()))


def _done(content: bytes) -> bytes:
    try:
        function, arguments, keywords = pickle.loads(content)
        return pickle.dumps((function(*arguments, **keywords), None))
    except BaseException as error:
        return pickle.dumps((None, picklable(error)))


def picklable(error: BaseException) -> BaseException:
    """Return an exception that another process can read: the same one, or one with its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _end_with_parent(lifeline: Connection) -> None:
    """End this process at once when the other end of a pipe is closed, or the parent dies, however."""
    parent = multiprocessing.parent_process()
    watched: list[Any] = [lifeline, *([] if parent is None else [parent.sentinel])]

    def watch() -> None:
        wait(watched)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
