"""Threads: a lock that refuses where others wait, and attributes that each thread has for itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from nrpa.base.errors import InputError


class OneAtATime:
    """A lock for one thread at a time, with the sentence that refuses a second thread."""

    def __init__(self, refusal: str) -> None:
        self._refusal = refusal
        self._lock = threading.Lock()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Hold the lock in a context. Raises InputError where it is held already, by whichever thread."""
        if not self._lock.acquire(blocking=False):
            raise InputError(self._refusal)
        try:
            yield
        finally:
            self._lock.release()

    def __reduce__(self) -> tuple[type[OneAtATime], tuple[str]]:
        """Return what is pickled or copied: a lock that nobody holds."""
        return OneAtATime, (self._refusal,)


class PerThread(threading.local):
    """Attributes that each thread has for itself; a pickle has none of them."""

    def __reduce__(self) -> tuple[type[PerThread], tuple[()]]:
        return PerThread, ()
