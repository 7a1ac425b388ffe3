"""A run in one picture: its convergence and its solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nrpa.modelling.base_problem import BaseProblem
from nrpa.plots.convergence import convergence
from nrpa.plots.front import front
from nrpa.plots.panels import panels_of
from nrpa.plots.picture import new_figure
from nrpa.search.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def overview(result: Result, *, problem: BaseProblem) -> Axes:
    """Draw the convergence of a run beside its front, if it has one, and its solution.

    Parameters
    ----------
    result : Result
        The run.
    problem : BaseProblem
        The problem that it is of.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the convergence, the first of the figure.

    Raises
    ------
    ProblemError
        If the problem's own ``panels`` are no functions.
    """
    panels = panels_of(problem)
    first, *rest = new_figure(1 + bool(result.front) + len(panels)).axes
    convergence(result, first, problem=problem)
    if result.front:
        front(result, rest.pop(0))
    for panel, axes in zip(panels, rest, strict=True):
        panel(problem, result.solution, axes)
    return first
