"""What is made when it is first used: modules, so that `nrpa --help` need not wait for numba, and what is cached."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any


class LazyModule:
    """A stand-in for a module, which is imported when one of its names is first asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def module(self) -> ModuleType:
        """The module."""
        return import_module(self._name)

    def __reduce__(self) -> Any:
        return lazy, (self._name,)

    def __getattr__(self, attribute: str) -> Any:
        """Return what the module holds under that name."""
        return getattr(self.module, attribute)


def lazy(name: str) -> Any:
    """Return a stand-in for a module.

    >>> rules = lazy("nrpa.problems.samegame.rules")
    >>> rules.CLEARED
    1000
    """
    return LazyModule(name)


def without_cached(thing: Any) -> dict[str, Any]:
    """Return the attributes of an object but those of a ``cached_property``, which are worked out again.

    As ``__getstate__`` it makes pickles, and so hashes of them, the same before and after use.
    """
    cls = type(thing)
    return {name: value for name, value in vars(thing).items() if not isinstance(vars_of(cls, name), cached_property)}


def vars_of(cls: type, name: str) -> Any:
    """Return what a class or one above it has under a name, as it was written; None if nothing."""
    return next((vars(each)[name] for each in cls.__mro__ if name in vars(each)), None)
