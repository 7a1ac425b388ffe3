"""Whether numba compiles, and when that can be broken off.

An exception that a signal raises anywhere in numba may be swallowed or turned into another one; between two functions
it passes. This module imports no numba: a process that has not loaded it compiles nothing.
"""

from __future__ import annotations

import sys
from typing import Any


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


COMPILE, LOCK = "numba:compile", "numba:compiler_lock"
