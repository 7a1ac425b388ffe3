"""The problems that come with nrpa."""

from __future__ import annotations

from importlib import import_module

from nrpa.errors import InputError
from nrpa.problem import Problem
from nrpa.users import is_users, users_class

SUMMARIES = {
    "binpacking": "one-dimensional bin packing",
    "morpion": "Morpion Solitaire (Join Five)",
    "samegame": "SameGame: clear a board of coloured cells group by group",
    "tsptw": "travelling salesman with time windows",
}

_HOMES = {
    "binpacking": ("nrpa.problems.binpacking", "BinPacking"),
    "morpion": ("nrpa.problems.morpion", "Morpion"),
    "samegame": ("nrpa.problems.samegame", "SameGame"),
    "tsptw": ("nrpa.problems.tsptw", "TSPTW"),
}


def problem_class(name: str) -> type[Problem]:
    """Return the class of the bundled problem ``name``, or of a user's own, ``path/to/file.py:Class``.

    Imported when asked for. Raises InputError.
    """
    if is_users(name):
        return users_class(name)
    if name not in _HOMES:
        raise InputError(f"unknown problem {name!r}; expected one of {', '.join(_HOMES)}, or path/to/file.py:Class")
    module, attribute = _HOMES[name]
    found: type[Problem] = getattr(import_module(module), attribute)
    return found
