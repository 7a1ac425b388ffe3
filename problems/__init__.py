"""The problems that come with nrpa."""

from __future__ import annotations

from importlib import import_module

from nrpa.errors import InputError
from nrpa.problem import Problem

SUMMARIES = {
    "morpion": "Morpion Solitaire (Join Five)",
    "samegame": "SameGame: clear a board of coloured cells group by group",
    "tsptw": "travelling salesman with time windows",
}

_HOMES = {
    "morpion": ("nrpa.problems.morpion", "Morpion"),
    "samegame": ("nrpa.problems.samegame", "SameGame"),
    "tsptw": ("nrpa.problems.tsptw", "TSPTW"),
}


def problem_class(name: str) -> type[Problem]:
    """Return the class of the bundled problem ``name``, imported when asked for. Raises InputError."""
    if name not in _HOMES:
        raise InputError(f"unknown problem {name!r}; expected one of {', '.join(_HOMES)}")
    module, attribute = _HOMES[name]
    found: type[Problem] = getattr(import_module(module), attribute)
    return found
