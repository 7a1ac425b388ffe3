"""The problems that come with nrpa."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from nrpa.base.errors import InputError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry.user_file import is_users, users_class

SUMMARIES = {
    "binpacking": "one-dimensional bin packing",
    "fold": "RNA folding: the structure of least energy of a sequence",
    "morpion": "Morpion Solitaire (Join Five)",
    "rna": "RNA inverse folding: a sequence for a structure",
    "samegame": "SameGame: clear a board of coloured cells group by group",
    "tsptw": "travelling salesman with time windows",
}

_HOMES = {
    "binpacking": ("nrpa.problems.binpacking", "BinPacking"),
    "fold": ("nrpa.problems.fold", "Folding"),
    "morpion": ("nrpa.problems.morpion", "Morpion"),
    "rna": ("nrpa.problems.rna", "InverseFolding"),
    "samegame": ("nrpa.problems.samegame", "SameGame"),
    "tsptw": ("nrpa.problems.tsptw", "TSPTW"),
}


def problem_class(name: str) -> type[BaseProblem]:
    """Return the class of the bundled problem ``name``, or of a user's own, ``path/to/file.py:Class``.

    Imported when asked for. Raises InputError.
    """
    if is_users(name):
        return users_class(name)
    if name not in _HOMES:
        raise InputError(f"unknown problem {name!r}; expected one of {', '.join(_HOMES)}, or path/to/file.py:Class")
    module, attribute = _HOMES[name]
    found: type[BaseProblem] = getattr(import_module(module), attribute)
    return found


def read_problem(found: type[BaseProblem], instance: str, options: dict[str, Any]) -> BaseProblem:
    """Return the problem with the instance called so; a class that reads no instances is its own, however called."""
    return found.load(instance, **options) if found.reads_instances() else found(**options)
