"""What a worker does, in whatever process: one run of a solver, whose result it returns."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from nrpa.bench.distribute import outcome
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class, read_problem
from nrpa.search.problem_pickle import unpacked
from nrpa.search.run import solve
from nrpa.solvers.interface import Solver

Named = tuple[str, str, tuple[tuple[str, Any], ...]]
"""A problem by what it is at the command line: the problem, the instance, the options."""


class Task(NamedTuple):
    """One run of a problem, packed or named, by a key, and its limits, as ``solve`` takes them."""

    key: Any
    problem: bytes | Named
    solver: Solver
    seed: int
    limits: dict[str, Any]


def work(task: Task) -> Any:
    """Do one run; return its result, None if it was interrupted, or what went wrong."""
    return outcome(lambda: _result(task))


def _result(task: Task) -> Any:
    problem = unpacked(task.problem) if isinstance(task.problem, bytes) else _read(*task.problem)
    result = solve(problem, task.solver, seed=task.seed, **task.limits)
    return None if result.status == "interrupted" else result


@cache
def _read(problem: str, instance: str, options: tuple[tuple[str, Any], ...]) -> BaseProblem:
    return read_problem(problem_class(problem), instance, dict(options))
