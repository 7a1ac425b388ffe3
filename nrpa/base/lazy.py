"""Modules that are imported when they are first used: ``nrpa --help`` and ``nrpa list`` need not wait for numba."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LazyModule:
    """A stand-in for a module, which is imported when one of its names is first asked for.

    Parameters
    ----------
    name : str
        The full name of the module.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        """Return what the module holds under that name."""
        return getattr(import_module(self._name), attribute)


def lazy(name: str) -> Any:
    """Return a stand-in for a module.

    Parameters
    ----------
    name : str
        The full name of the module.

    Returns
    -------
    LazyModule
        Has the names of the module; the first use of one imports it.

    Examples
    --------
    >>> rules = lazy("nrpa.problems.samegame.rules")
    >>> rules.CLEARED
    1000
    """
    return LazyModule(name)
