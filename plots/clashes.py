"""The picture of what clashes in a tour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nrpa.base.errors import InputError
from nrpa.plots.picture import Axes, new_axes, of_axes
from nrpa.plots.tours import draw_schedule

if TYPE_CHECKING:
    from nrpa.bench.explain import Explanation
    from nrpa.problems.tsptw.problem import TSPTW


@of_axes
def clash(explanation: Explanation, ax: Axes | None = None, *, problem: TSPTW) -> Axes:
    """Draw when the cities that clash are served in the best tour of them alone.

    Parameters
    ----------
    explanation : Explanation
        What ``nrpa.explain`` found.
    problem : TSPTW
        The problem that was explained.

    Raises
    ------
    InputError
        If it is no explanation of cities that clash.
    """
    best = explanation.tried.best
    if not explanation.clash or best is None or not hasattr(problem, "visits"):
        raise InputError("expected an explanation of cities that clash in a tour")
    alone = problem.without([city for city in problem.parts() if city not in explanation.clash])
    axes = new_axes() if ax is None else ax
    draw_schedule(alone, best.solution, axes)
    names = [explanation.clash[city - 1].removeprefix("city ") for city in best.solution]
    axes.set_yticks(np.arange(1, len(names) + 2), [*names, "0"])
    return axes
