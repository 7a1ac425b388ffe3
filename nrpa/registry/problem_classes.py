"""The problems by name, and problems made of an instance.

A problem of nrpa says itself what it is: ``PROBLEMS`` and ``KIND`` of its folder in ``problems``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from nrpa import problems as folders
from nrpa.base.errors import ProblemError
from nrpa.base.values import shortened
from nrpa.io.source import Origin
from nrpa.modelling.base_problem import BaseProblem, errors_of_reading
from nrpa.registry.entries import Entry, Registered
from nrpa.registry.users_classes import compiled_class, users_class, what_to_write
from nrpa.registry.users_file import is_users

# What ends the name of a problem whose class in plain Python is compiled as it stands.
COMPILED = ":compiled"
# What stands for rules elsewhere, and is no problem until it has them.
PROGRAM = "a program of your own that answers lines of JSON: its command"
ELSEWHERE = (Entry("program", "nrpa.adapters.program:Program", PROGRAM),)


def _problem_fault(found: Any) -> str:
    is_problem = isinstance(found, type) and issubclass(found, BaseProblem)
    return "" if is_problem else "is not a subclass of nrpa.Problem or nrpa.CompiledProblem"


def _of_folders() -> Iterator[Entry]:
    """Yield the problems of nrpa, from what their folders say."""
    for folder in iter_modules(folders.__path__):
        package: Any = import_module(f"{folders.__name__}.{folder.name}") if folder.ispkg else None
        for name, (where, summary) in getattr(package, "PROBLEMS", {}).items():
            yield Entry(name, f"{package.__name__}.{where}", summary, kind=package.KIND)


problems = Registered("problem", "nrpa.problems", sorted(_of_folders()), _problem_fault, ELSEWHERE)


def problem_class(name: str) -> type[BaseProblem]:
    """Import and return the class of a problem. Raises InputError if there is none, or it cannot be imported.

    With COMPILED at the end of the name, it is the class compiled as it stands (``nrpa.compiled``).

    >>> problem_class("tsptw")
    <class 'nrpa.problems.tsptw.problem.TSPTW'>
    """
    if name.endswith(COMPILED):
        return compiled_class(problem_class(name.removesuffix(COMPILED)))
    if is_users(name):
        return users_class(name)
    found: type[BaseProblem] = problems.load(name, also=", or path/to/file.py:Class")
    return found


def read_problem(found: type[BaseProblem], instance: str, options: dict[str, Any]) -> BaseProblem:
    """Return a problem with its instance, if it reads any, under the name of the instance where it has no other."""
    if not found.reads_instances():
        return found(**options)
    call = reader_of(found)
    with errors_of_reading(instance, call):
        problem = found.load(instance, **options)
    if not isinstance(problem, BaseProblem):
        hint = what_to_write(found.__name__) if hasattr(found, "described") else ""
        raise ProblemError(f"{call} returned {shortened(repr(problem))}; expected a problem{hint}")
    if isinstance(problem.origin, Origin) and not problem.label:
        problem.origin = dataclasses.replace(problem.origin, label=instance)
    return problem


def reader_of(found: type[BaseProblem]) -> str:
    """Return what reads an instance: the class's method ``load``, or the function that the class stands for."""
    return found.__name__ if hasattr(found, "described") else f"{found.__name__}.load"


def summary_of(name: str) -> str:
    """Return what a problem is, in a line. Raises InputError as ``problem_class`` does."""
    if name in problems.bundled:
        return problems.bundled[name].summary
    return first_line(problem_class(name))


def first_line(found: type) -> str:
    """Return the first line of a docstring."""
    return (found.__doc__ or "").strip().partition("\n")[0].rstrip(".")
