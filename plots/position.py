"""What moves have led to, as their problem draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nrpa.modelling.base_problem import BaseProblem
from nrpa.plots.panels import panels_of
from nrpa.plots.picture import new_figure, require_scored

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def position(problem: BaseProblem, solution: Any, ax: Axes | None = None) -> Axes:
    """Draw a solution, or the position of a game after its first moves.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    solution : object
        The solution in the problem's own form; of a game its moves so far.
    ax : matplotlib.axes.Axes, optional
        Where to draw the first panel that the problem has. Without it, all panels are drawn in a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the first panel.

    Raises
    ------
    InputError
        If the solution is too broken to be drawn: its check gives no score, or a move of a game is not legal.
    ProblemError
        If the problem's own ``panels`` are no functions.

    Examples
    --------
    >>> import nrpa
    >>> axes = position(nrpa.Hex(size=3, first="none"), ["b1", "a1"])
    >>> axes.get_title()
    'hex 3x3: 2 moves'
    """
    require_scored(problem, solution)
    panels = panels_of(problem)
    all_axes = [ax] if ax is not None else list(new_figure(len(panels)).axes)
    for panel, axes in zip(panels, all_axes, strict=False):
        panel(problem, solution, axes)
    return all_axes[0]
