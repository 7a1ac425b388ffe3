"""A problem that nrpa has not seen in other forms: as a function of a sequence, plain or jitted, and compiled.

A module whose problem is such a function has ``function(problem, data)``, which returns `nrpa.permutation`,
`nrpa.assignment` or `nrpa.subset`, what it takes, and the function. ``data`` makes lists of numbers for plain Python,
or arrays for numba; the text is the same.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba
import numpy as np

import nrpa

FUNCTION, JITTED, COMPILED = FORMS = ("function", "jitted", "compiled")


@dataclass(frozen=True)
class Function:
    """A function of a sequence: what makes it a problem, how long it is or its choices, the cost, its objective."""

    make: Callable[..., nrpa.BaseProblem]
    size: Any
    cost: Callable[[Any], Any]
    objective: nrpa.Objective

    @cached_property
    def problem(self) -> nrpa.BaseProblem:
        return self.make(self.size, self.cost, objective=self.objective)

    @cached_property
    def choices(self) -> list[Sequence[Any]] | None:
        """The values to choose from at each place, or None where it is an order."""
        if self.make is nrpa.permutation:
            return None
        counts = [2] * self.size if self.make is nrpa.subset else self.size
        return [range(each) if isinstance(each, int) else each for each in counts]

    def drawn(self) -> Any:
        """A random sequence: a list, or an array where numba compiles the cost."""
        choices = self.choices
        drawn = random.sample(range(self.size), self.size) if choices is None else [*map(random.choice, choices)]
        return np.array(drawn) if hasattr(self.cost, "py_func") else drawn


def formed(module: Any, problem: Any, form: str) -> Any:
    """The problem of a module in a form, or as it is where that is empty; None where it has no such form."""
    if form in (FUNCTION, JITTED):
        return function_of(module, problem, form == JITTED)
    if form == COMPILED:
        return compiled(problem)
    return problem


def function_of(module: Any, problem: Any, jit: bool) -> Function | None:
    """The function of a sequence that a problem is, or None."""
    if not hasattr(module, "function"):
        return None
    make, size, cost = module.function(problem, np.array if jit else lambda data: np.array(data).tolist())
    return Function(make, size, numba.njit(cost) if jit else cost, problem.objective)


def compiled(problem: Any) -> Any:
    """The class as it stands, compiled and tried; None where it is one of kernels, or is refused, which is printed."""
    if isinstance(problem, nrpa.CompiledProblem):
        return None
    try:
        made = nrpa.compiled(problem)
        nrpa.solve(made, seed=1, playouts=1)
    except nrpa.InputError as error:
        print(f"{type(problem).__name__} does not compile: {error}", file=sys.stderr)
        return None
    return made
