"""A table of problems or solvers by name: those of nrpa, and other packages' through entry points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from nrpa.base.errors import InputError, UnknownNameError, did_you_mean


class Entry(NamedTuple):
    """A problem or a solver, not yet imported: ``package.module:Class``, of nrpa itself or another package.

    The kind is that of a problem of nrpa, such as routing.
    """

    name: str
    where: str
    summary: str
    package: str = ""
    kind: str = ""

    def load(self) -> Any:
        """Import the module and return the class. What the import raises is raised as it is."""
        module, _, attribute = self.where.partition(":")
        return getattr(import_module(module), attribute)


class Registered:
    """The problems, or the solvers, by name; ``bundled`` are those that come with nrpa."""

    def __init__(
        self, kind: str, group: str, bundled: Iterable[Entry], fault: Callable[[Any], str], more: Iterable[Entry] = ()
    ) -> None:
        self.bundled = {entry.name: entry for entry in bundled}
        self._own = self.bundled | {entry.name: entry for entry in more}
        self._kind = kind
        self._group = group
        self._fault = fault

    def entries(self) -> dict[str, Entry]:
        """Return all entries by name, those of nrpa first; nothing is imported."""
        found = dict(self._own)
        for name, points in sorted(self._others().items()):
            if name not in found:
                packages, alone = _packages(points), len(points) == 1
                text = f"of the package {packages}" if alone else f"of several packages, {packages}: unusable"
                found[name] = Entry(name, points[0].value, text, packages)
        return found

    def left_out(self) -> list[str]:
        """Return a sentence for each entry point whose name nrpa has taken itself."""
        return [
            f"the {self._kind} {name!r} of the package {_packages(points)} is left out: nrpa has its own of that name"
            for name, points in sorted(self._others().items())
            if name in self._own
        ]

    def load(self, name: str, also: str = "") -> Any:
        """Import and return the class with a name."""
        if name in self._own:
            return self._own[name].load()
        points = self._others().get(name, [])
        if not points:
            hint, names = did_you_mean(name, self.entries()), ", ".join(self.entries())
            raise UnknownNameError(
                f"unknown {self._kind} {name!r}; expected one of {names}{also}{f'; {hint}' if hint else ''}"
            )
        if len(points) > 1:
            several = _packages(points)
            raise InputError(f"the {self._kind} {name!r} is in several packages, {several}; uninstall all but one")
        return self._loaded(points[0])

    def _loaded(self, point: EntryPoint) -> Any:
        what = f"the {self._kind} {point.name!r} of the package {_packages([point])}"
        try:
            found = point.load()
        except Exception as error:
            raise InputError(f"{what} cannot be imported ({type(error).__name__}: {error})") from None
        fault = self._fault(found)
        if not fault and found.name != point.name:
            fault = f"calls itself {found.name!r}; expected the same name"
        if fault:
            raise InputError(f"{what} {fault}")
        return found

    def _others(self) -> dict[str, list[EntryPoint]]:
        found: dict[str, list[EntryPoint]] = defaultdict(list)
        for point in entry_points(group=self._group):
            found[point.name].append(point)
        return found


def _packages(points: list[EntryPoint]) -> str:
    """Return whose entry points are: the distributions, with their versions."""
    named = ((point.dist, point.value) for point in points)
    return " and ".join(sorted(f"{dist.name} {dist.version}" if dist else value for dist, value in named))
