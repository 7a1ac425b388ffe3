"""Attributes that are computed once, whichever thread asks first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801
    """A property whose first value stays, as with `functools.cached_property`, but safe in several threads.

    From Python 3.12 on, that of the library may compute twice, and two threads then hold different objects: of
    addresses and slots that belong together, each would have some.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._lock = threading.RLock()
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Remember under which name the value is kept."""
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> once[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> once[T] | T:
        """Return the value; it is looked up without this method from the second time on."""
        if instance is None:
            return self
        with self._lock:
            kept = vars(instance)
            if self._name not in kept:
                kept[self._name] = self._compute(instance)
            value: T = kept[self._name]
            return value

    if TYPE_CHECKING:

        def __set__(self, instance: object, value: T) -> None: ...
