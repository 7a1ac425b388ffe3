"""A process that works for another: it leaves signals to its parent, and ends with it."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from nrpa.search.interrupt import ENDING, leave_to_parent


def serve(pipe: Connection, lifeline: Connection) -> None:
    """Do what comes through a pipe, call by call, until it is closed, or the lifeline is, or the parent has died."""
    _leave_signals_to_parent()
    _end_with_parent(lifeline)
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_done(pipe.recv_bytes()))


def _done(content: bytes) -> bytes:
    """Return what a call returns or raises, pickled: the answer, and the exception or None."""
    try:
        function, arguments, keywords = pickle.loads(content)
        return pickle.dumps((function(*arguments, **keywords), None))
    except BaseException as error:
        return _pickled_error(error)


def _pickled_error(error: BaseException) -> bytes:
    try:
        return pickle.dumps((None, error))
    except Exception:
        return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))


def _leave_signals_to_parent() -> None:
    """Ignore Ctrl-C and its kind, which were blocked so that none of them came before."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave_to_parent()
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, *ENDING))


def _end_with_parent(lifeline: Connection) -> None:
    """End this process at once when the other end of a pipe is closed, or the parent dies, however."""
    parent = multiprocessing.parent_process()
    watched: list[Any] = [lifeline, *([] if parent is None else [parent.sentinel])]

    def watch() -> None:
        wait(watched)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
