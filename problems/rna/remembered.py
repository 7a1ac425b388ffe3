"""Values that are dear to compute, kept for when they are asked for again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")


class Remembered(Generic[V]):
    """The values of a function of bytes. Safe to use from several threads."""

    def __init__(self, function: Callable[[bytes], V], most: int) -> None:
        self._function = function
        self._most = most
        self._known: dict[bytes, V] = {}
        self._lock = threading.Lock()

    def __call__(self, key: bytes) -> V:
        """Return the value of ``key``."""
        value = self._known.get(key)
        if value is None:
            value = self._function(key)
            with self._lock:
                if key not in self._known and len(self._known) == self._most:
                    del self._known[next(iter(self._known))]
                self._known[key] = value
        return value
