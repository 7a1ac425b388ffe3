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
    """Return the class of a problem, imported when it is asked for.

    Parameters
    ----------
    name : str
        A bundled problem, one of another installed package (entry points ``nrpa.problems``), or a user's own,
        ``path/to/file.py:Class``.

    Returns
    -------
    type
        The class, a subclass of ``BaseProblem``.

    Raises
    ------
    InputError
        If there is no such problem, or it cannot be imported.

    Examples
    --------
    >>> problem_class("tsptw")
    <class 'nrpa.problems.tsptw.problem.TSPTW'>
    """
    if is_users(name):
        return users_class(name)
    found: type[BaseProblem] = problems.load(name, also=", or path/to/file.py:Class")
    return found


def read_problem(found: type[BaseProblem], instance: str, options: dict[str, Any]) -> BaseProblem:
    """Return a problem with its instance.

    Parameters
    ----------
    found : type
        The class of the problem.
    instance : str
        What the instance is called at the command line; not used for a class that reads no instances.
    options : dict
        The problem's options by name.

    Returns
    -------
    BaseProblem
        The problem.

    Raises
    ------
    InputError
        If there is no such instance, it cannot be read, or an option cannot have its value.
    """
    return found.load(instance, **options) if found.reads_instances() else found(**options)


def summary_of(name: str) -> str:
    """Return what a problem is, in a line.

    Parameters
    ----------
    name : str
        The problem, as for ``problem_class``.

    Returns
    -------
    str
        The line in which it is listed; of other packages' and users' problems the first line of the class's docstring.

    Raises
    ------
    InputError
        If there is no such problem, or it cannot be imported.
    """
    if name in problems.bundled:
        return problems.bundled[name].summary
    return (problem_class(name).__doc__ or "").strip().partition("\n")[0].rstrip(".")
