"""The convergence curve of one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective
from nrpa.plots.picture import new_axes, plain
from nrpa.plots.ticks import decade_ticks
from nrpa.search.clock import seconds_text
from nrpa.search.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SCORE = Objective("score", sign=1)
NEAR = 0.25
SHORT = 4.0


def convergence(result: Result, ax: Axes | None = None, *, problem: BaseProblem | None = None) -> Axes:
    """Draw the best value of a run against the seconds, on a log axis unless all times are of one size.

    Of an ``nrpa.Lexicographic`` objective, the first part is drawn. Where the run began far off (windows missed, say),
    the picture is cut to within a quarter of the final value.

    Parameters
    ----------
    result : Result
        The run.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Without it, a figure is made.
    problem : BaseProblem, optional
        Gives the values their own terms, and the best known value as a line. Without it, scores are drawn.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the picture.
    """
    axes = new_axes() if ax is None else ax
    objective = _SCORE if problem is None else problem.objective
    seconds = [max(point.seconds, 1e-4) for point in result.improvements]
    figures = [objective.figures(point.score) for point in result.improvements]
    values = [next(iter(each.values())) for each in figures]
    objective = objective.of(next(iter(figures[0])))
    axes.step([*seconds, max(result.seconds, seconds[-1])], [*values, values[-1]], where="post", color="black")
    axes.plot(seconds, values, ".", color="black")
    known = None if problem is None else problem.best_known
    if known is not None:
        axes.axhline(known.value, color="tab:blue", linestyle="--", linewidth=1)
        axes.annotate(
            f"best known {objective.text(known.value)}",
            (0, known.value),
            xycoords=axes.get_yaxis_transform(),
            xytext=(4, 4),
            textcoords="offset points",
            ha="left",
            color="tab:blue",
            fontsize="small",
        )
    if result.seconds > SHORT * seconds[0]:
        axes.set_xscale("log")
    axes.locator_params(axis="y", integer=objective.digits == 0)
    _cut(axes, seconds, values, [] if known is None else [known.value])
    if axes.get_xscale() == "log":
        decade_ticks(axes)
    else:
        axes.locator_params(axis="x", nbins=5)
    axes.set_xlabel(seconds_text(result.clock))
    axes.set_ylabel(f"best {objective.name}")
    named = " ".join(filter(None, (result.problem, result.instance)))
    axes.set_title(f"{named}, {result.solver}, seed {result.seed}", fontsize="medium")
    axes.grid(alpha=0.3)
    return plain(axes)


def _cut(axes: Axes, seconds: list[float], values: list[float], also: list[float]) -> None:
    """Leave out values that are far from the last, if there are any, and the time before the first that is near.

    The values of ``also`` stay in sight.
    """
    last = values[-1]
    near = [k for k, value in enumerate(values) if abs(value - last) <= NEAR * abs(last)]
    if len(near) in (1, len(values)):
        return
    shown = [values[k] for k in near] + also
    margin = 0.06 * (max(shown) - min(shown)) or 1.0
    axes.set_ylim(min(shown) - margin, max(shown) + margin)
    axes.set_xlim(left=seconds[near[0]] / 1.5)
