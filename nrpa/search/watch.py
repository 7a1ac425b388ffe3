"""A thread that lets a search give up the playout in progress, at the limit of time and on Ctrl-C.

While the main thread runs machine code, no signal handler of Python's runs; the byte that comes with a signal is read
here.
"""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Callable, Collection
from types import TracebackType

import numpy as np

from nrpa.search.curve import PROCESSOR, WALL

PERIOD = 0.05
END = b"\0"  # no signal has this number


def clock_of_this_thread(clock: str) -> Callable[[], float] | None:
    """Return what reads a clock of this thread from another one; None where the system has no such thing."""
    if clock == WALL:
        return time.perf_counter
    assert clock == PROCESSOR
    if not hasattr(time, "pthread_getcpuclockid"):
        return None
    number = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(number)


class Watch:
    """A context in which ``stop``, bool[1], is set again and again once ``is_over`` says so, or a signal has come.

    - ``signals``: Which signals; none of them is seen outside the main thread.
    """

    def __init__(self, stop: np.ndarray, is_over: Callable[[], bool], signals: Collection[int]) -> None:
        self._stop, self._is_over, self._signals = stop, is_over, signals
        self._requested = False
        self._before = -1
        self._ours, self._theirs = socket.socketpair()
        self._thread = threading.Thread(target=self._watch, name="nrpa-watch", daemon=True)

    def __enter__(self) -> Watch:
        self._stop[0] = False
        self._ours.settimeout(PERIOD)
        self._theirs.setblocking(False)
        if self._signals:
            self._before = signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._signals:
            signal.set_wakeup_fd(self._before)
        self._theirs.send(END)
        self._thread.join()
        self._ours.close()
        self._theirs.close()
        self._stop[0] = False

    def _watch(self) -> None:
        came = b""
        while END not in came:
            try:
                came = self._ours.recv(64)
            except TimeoutError:
                came = b""
            self._requested |= any(number in self._signals for number in came)
            if self._before >= 0 and came:
                self._hand_on(came)
            if self._requested or self._is_over():
                self._stop[0] = True

    def _hand_on(self, came: bytes) -> None:
        """Give the bytes of signals to who was to get them before, an event loop for instance."""
        signals = came.replace(END, b"")
        if signals:
            with socket.socket(fileno=self._before) as other:
                try:
                    other.send(signals)
                finally:
                    other.detach()
