"""Which problems and solvers there are, by name: those of nrpa, of other packages, and a user's own file."""

from __future__ import annotations

import dataclasses
from typing import Any

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.values import shortened
from nrpa.io.source import Origin
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry.bundled import PROBLEMS, SOLVERS
from nrpa.registry.table import Table
from nrpa.registry.user_file import is_users, users_class
from nrpa.solvers.interface import Solver


def _problem_fault(found: Any) -> str:
    is_problem = isinstance(found, type) and issubclass(found, BaseProblem)
    return "" if is_problem else "is not a subclass of nrpa.Problem or nrpa.CompiledProblem"


problems = Table("problem", "nrpa.problems", PROBLEMS, _problem_fault)


def problem_class(name: str) -> type[BaseProblem]:
    """Import and return the class of a problem. Raises InputError if there is none, or it cannot be imported.

    >>> problem_class("tsptw")
    <class 'nrpa.problems.tsptw.problem.TSPTW'>
    """
    if is_users(name):
        return users_class(name)
    found: type[BaseProblem] = problems.load(name, also=", or path/to/file.py:Class")
    return found


def read_problem(found: type[BaseProblem], instance: str, options: dict[str, Any]) -> BaseProblem:
    """Return a problem with its instance, if it reads any, under the name of the instance where it has no other."""
    if not found.reads_instances():
        return found(**options)
    try:
        problem = found.load(instance, **options)
    except InputError:
        raise
    except (ValueError, LookupError, OSError) as error:
        what = f"{found.__name__}.load cannot read it ({type(error).__name__}: {error})"
        raise InputError(f"{instance}: {what}") from error
    if not isinstance(problem, BaseProblem):
        raise ProblemError(f"{found.__name__}: load returned {shortened(repr(problem))}; expected a problem")
    if isinstance(problem.origin, Origin) and not problem.label:
        problem.origin = dataclasses.replace(problem.origin, label=instance)
    return problem


def summary_of(name: str) -> str:
    """Return what a problem is, in a line. Raises InputError as ``problem_class`` does."""
    if name in problems.bundled:
        return problems.bundled[name].summary
    return (problem_class(name).__doc__ or "").strip().partition("\n")[0].rstrip(".")


def _solver_fault(found: Any) -> str:
    is_solver = isinstance(found, type) and dataclasses.is_dataclass(found) and hasattr(found, "start")
    return "" if is_solver else "is not a dataclass with a method start"


solvers = Table("solver", "nrpa.solvers", SOLVERS, _solver_fault)


def solver_class(name: str) -> type[Solver]:
    """Import and return the class of a solver. Raises InputError if there is none, or it cannot be imported."""
    found: type[Solver] = solvers.load(name)
    return found
