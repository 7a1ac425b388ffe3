"""Modules that are imported when they are first used: ``nrpa --help`` and ``nrpa list`` need not wait for numba."""

from __future__ import annotations

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
