"""A class that is known by a name, and where to find it."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """A problem or a solver, not yet imported.

    Attributes
    ----------
    name : str
        What it is called at the command line.
    where : str
        ``package.module:Class``.
    summary : str
        What it is, in a line.
    package : str
        The installed package that brings it; empty for what comes with nrpa.
    """

    name: str
    where: str
    summary: str
    package: str = ""

    def load(self) -> Any:
        """Import the module and return the class. What the import raises is raised as it is."""
        module, _, attribute = self.where.partition(":")
        return getattr(import_module(module), attribute)
