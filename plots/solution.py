"""The solution of a result, as its problem draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nrpa.plots.picture import new_figure
from nrpa.problems import problem_class

from nrpa.errors import InputError
from nrpa.problem import Problem
from nrpa.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def solution(
    result: Result, ax: Axes | None = None, *, problem: Problem | None = None, instance: str | None = None
) -> Axes:
    """Draw the solution of a result and return the axes, the first of several.

    Without ``ax``, a new figure with all panels that the problem has; with it, the first panel. problem: read again
    by the result's own account if None, from ``instance`` where that is given.

    Raises InputError when the instance is not there or not the one the result is of, or the solution is no solution.
    """
    problem = reread(result, instance) if problem is None else problem
    verdict = problem.check(result.solution)
    if verdict.score is None:
        raise InputError(f"the solution cannot be drawn: {verdict.faults[0]}")
    panels = problem.panels()
    all_axes = [ax] if ax is not None else list(new_figure(len(panels)).axes)
    for panel, axes in zip(panels, all_axes, strict=False):
        panel(problem, result.solution, axes)
    return all_axes[0]


def reread(result: Result, instance: str | None = None) -> Problem:
    """Return the problem that a result is of."""
    found = problem_class(result.problem)
    own = {option.name for option in found.cli_options}
    options = {key: value for key, value in result.options.items() if key in own}
    problem = found.load(result.instance if instance is None else instance, **options)
    if problem.sha256 != result.sha256:
        raise InputError(f"{problem.label}: is not the instance that the result is of")
    return problem
