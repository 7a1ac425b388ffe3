"""Solvers by name."""

from __future__ import annotations

import dataclasses
from typing import Any

from nrpa.registry.bundled import SOLVERS
from nrpa.registry.table import Table
from nrpa.solvers.interface import Solver


def _fault(found: Any) -> str:
    is_solver = isinstance(found, type) and dataclasses.is_dataclass(found) and hasattr(found, "start")
    return "" if is_solver else "is not a dataclass with a method start"


solvers = Table("solver", "nrpa.solvers", SOLVERS, _fault)


def solver_class(name: str) -> type[Solver]:
    """Import and return the class of a solver. Raises InputError if there is none, or it cannot be imported."""
    found: type[Solver] = solvers.load(name)
    return found
