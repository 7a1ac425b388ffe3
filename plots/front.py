"""The front of a problem of two goals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nrpa.base.errors import InputError
from nrpa.plots.picture import new_axes, plain
from nrpa.search.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def front(result: Result, ax: Axes | None = None) -> Axes:
    """Draw what the solver ``pareto`` found: a point for each solution, by the first two goals.

    Parameters
    ----------
    result : Result
        The run.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Without it, a figure is made.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the picture.

    Raises
    ------
    InputError
        If the result has no front.
    """
    if not result.front:
        raise InputError("the result has no front; the solver pareto finds one")
    axes = new_axes() if ax is None else ax
    across, up = list(result.front[0]["figures"])[:2]
    points = sorted((each["figures"][across], each["figures"][up]) for each in result.front)
    axes.plot(*zip(*points, strict=True), "o", color="black", linestyle=":", linewidth=1)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(f"{len(points)} solutions, none beaten by another", fontsize="medium")
    axes.grid(alpha=0.3)
    return plain(axes)
