"""Ctrl-C, SIGTERM and SIGHUP as one more limit, also while numba compiles.

An exception that a signal raises anywhere in numba may be swallowed or turned into another one; between two functions
it passes. This module imports no numba: a process that has not loaded it compiles nothing.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any

# What ``timeout`` and a terminal that is closed send, where the system has it.
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
# ``timeout`` sends SIGTERM to the process and to its group; a closed terminal sends SIGHUP, and so does its shell.
ECHO_SECONDS = 1.0
# What numba calls what it reports.
COMPILE, LOCK = "numba:compile", "numba:compiler_lock"


class Interrupt:
    """A context in which the first Ctrl-C, SIGTERM or SIGHUP is noted, and a second one raises KeyboardInterrupt.

    A second SIGTERM or SIGHUP within a second is ignored, as an echo of the first. Apart from Ctrl-C, a signal that is
    ignored (``nohup``), or that the program handles itself, is left alone, unless ``AsCtrlC`` handles it. Outside the
    main thread, where Python takes no signals, the context does nothing. Nested contexts share what is noted.

    - ``requested``: Whether one was noted.
    """

    def __init__(self) -> None:
        self.requested = False
        self._noted = 0.0
        self._breaks_off = False
        self._previous: dict[int, Any] = {}
        self._enclosing: Interrupt | None = None

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is not threading.main_thread():
            return self
        enclosing = _owner(signal.getsignal(signal.SIGINT))
        if isinstance(enclosing, Interrupt):
            self._enclosing, self.requested, self._noted = enclosing, enclosing.requested, enclosing._noted
        for number in (signal.SIGINT, *ENDING):
            handler = signal.getsignal(number)
            if number == signal.SIGINT or handler is signal.SIG_DFL or _owner(handler) is not None:
                self._previous[number] = signal.signal(number, self._note)
        return self

    @property
    def signals(self) -> Collection[int]:
        """The signals that are noted."""
        return self._previous.keys()

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._previous.items():
            if handler is not None:
                signal.signal(number, handler)
        if self._enclosing is not None and self.requested:
            self._enclosing.requested, self._enclosing._noted = True, self._noted

    @contextmanager
    def while_compiling(self) -> Iterator[None]:
        """Let what is noted raise KeyboardInterrupt where numba begins with its next function."""
        self._breaks_off = True
        try:
            yield
        finally:
            self._breaks_off = False

    def _note(self, number: int, frame: FrameType | None) -> None:
        if not self.requested:
            self.requested, self._noted = True, monotonic()
            if self._breaks_off and is_compiling():
                break_off()
        elif number == signal.SIGINT or monotonic() - self._noted > ECHO_SECONDS:
            raise KeyboardInterrupt


class AsCtrlC:
    """A context in which SIGTERM and SIGHUP raise KeyboardInterrupt as Ctrl-C does, where they would end the process.

    While numba compiles, the first of these signals waits until it begins with its next function or has compiled all; a
    second one, which is no echo of the first, raises at once. Outside the main thread the context does nothing.
    """

    def __init__(self, last: int | None = None) -> None:
        self._last = last
        self._is_over = False
        self._noted: float | None = None
        self._previous: dict[int, Any] = {}

    def __enter__(self) -> AsCtrlC:
        if threading.current_thread() is threading.main_thread():
            if self._last is not None:
                # Python puts back the system's own handler in its last moments, unless this is it.
                atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
            for number in (signal.SIGINT, *ENDING):
                handler = signal.getsignal(number)
                if handler in (signal.SIG_DFL, signal.default_int_handler):
                    self._previous[number] = signal.signal(number, self._raise)
        return self

    def __exit__(self, *exception: object) -> None:
        self._is_over = True
        for number, handler in self._previous.items():
            if self._last is None:
                signal.signal(number, handler)
            else:
                signal.signal(number, self._end if number == signal.SIGINT else signal.SIG_IGN)

    def _end(self, number: int, frame: FrameType | None) -> None:
        os._exit(self._last or 0)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        if self._is_over:
            return
        if not is_compiling():
            raise KeyboardInterrupt
        if self._noted is None:
            self._noted = monotonic()
            break_off()
        elif number == signal.SIGINT or monotonic() - self._noted > ECHO_SECONDS:
            raise KeyboardInterrupt


def leave_to_parent() -> None:
    """Ignore Ctrl-C, SIGTERM and SIGHUP, in a process that its parent ends."""
    for number in (signal.SIGINT, *ENDING):
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def ignored_by_children() -> Iterator[None]:
    """Let processes that are started meanwhile ignore Ctrl-C, SIGTERM and SIGHUP from their first moment on."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, *ENDING)}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)


def _owner(handler: Any) -> Interrupt | AsCtrlC | None:
    owner = getattr(handler, "__self__", None)
    return owner if isinstance(owner, Interrupt | AsCtrlC) else None


def is_compiling() -> bool:
    """Return whether this thread is compiling."""
    lock = getattr(sys.modules.get("numba.core.compiler_lock"), "global_compiler_lock", None)
    return lock is not None and bool(lock.is_locked())


def break_off() -> None:
    """Raise KeyboardInterrupt in this thread, which is compiling, before the next function, or when all are done."""
    event: Any = sys.modules["numba.core.event"]

    class Breaker(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            if is_compiling() and event.kind == COMPILE:
                raise_now()

        def on_end(self, event: Any) -> None:
            if not is_compiling() and event.kind == LOCK:
                raise_now()

    breaker = Breaker()

    def raise_now() -> None:
        for kind in (COMPILE, LOCK):
            event.unregister(kind, breaker)
        raise KeyboardInterrupt

    for kind in (COMPILE, LOCK):
        event.register(kind, breaker)
