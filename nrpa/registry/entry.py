"""A problem or a solver by name, and where its class is."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """A problem or a solver, not yet imported.

    - ``name``: What it is called at the command line.
    - ``where``: ``package.module:Class``.
    - ``summary``: What it is, in a line.
    - ``package``: The installed package that brings it, empty for nrpa itself.
    """

    name: str
    where: str
    summary: str
    package: str = ""

    def load(self) -> Any:
        """Import the module and return the class. What the import raises is raised as it is."""
        module, _, attribute = self.where.partition(":")
        return getattr(import_module(module), attribute)
