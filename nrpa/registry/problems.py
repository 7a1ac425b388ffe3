"""Problems by name."""

from __future__ import annotations

from typing import Any

from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry.bundled import PROBLEMS
from nrpa.registry.table import Table
from nrpa.registry.user_file import is_users, users_class


def _fault(found: Any) -> str:
    is_problem = isinstance(found, type) and issubclass(found, BaseProblem)
    return "" if is_problem else "is not a subclass of nrpa.Problem or nrpa.CompiledProblem"


problems = Table("problem", "nrpa.problems", PROBLEMS, _fault)


def problem_class(name: str) -> type[BaseProblem]:
    """Return the class of a problem, imported when asked for.

    Parameters
    ----------
    name : str
        A bundled problem, one of another installed package (entry points ``nrpa.problems``), or a user's own,
        ``path/to/file.py:Class``.

    Raises
    ------
    InputError
        If there is no such problem, or it cannot be imported.

    """
    if is_users(name):
        return users_class(name)
    found: type[BaseProblem] = problems.load(name, also=", or path/to/file.py:Class")
    return found


def read_problem(found: type[BaseProblem], instance: str, options: dict[str, Any]) -> BaseProblem:
    """Return the problem with the instance called so; a class that reads no instances is its own, however called."""
    return found.load(instance, **options) if found.reads_instances() else found(**options)


def summary_of(name: str) -> str:
    """Return in a line what a problem is: as it is listed, else the first line of its class's docstring."""
    if name in problems.bundled:
        return problems.bundled[name].summary
    return (problem_class(name).__doc__ or "").strip().partition("\n")[0].rstrip(".")
