"""Time to target: which share of the runs has reached a value by when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nrpa.bench.compare import bound_text, least_score, shares
from nrpa.bench.records import Records
from nrpa.bench.table import marks_of, names
from nrpa.plots.anytime import rows_of
from nrpa.plots.picture import new_axes, plain
from nrpa.plots.style import line_style
from nrpa.plots.ticks import mark_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DODGE = 1.07


def time_to_target(
    records: Records, target: float | Sequence[float], ax: Axes | None = None, *, instance: str | None = None
) -> Axes:
    """Draw for each variant the share of its runs that have reached a value by each budget.

    The bars are Wilson's 95 % intervals. They stand side by side; the marks are those of the axis. Runs that never
    reach it keep the line below 1.

    Parameters
    ----------
    records : Records
        What was measured, as ``nrpa.bench.read_records`` returns it.
    target : float
        The value that counts as reached, or better, in terms of ``records.objective``; without one, a score.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Without it, a figure is made.
    instance : str, optional
        Which instance, if the records are of several.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the picture.

    Raises
    ------
    InputError
        If the instance is unknown, the target is not a number, or it has another sign than all values of the runs.
    """
    rows, name = rows_of(records, instance)
    least = least_score(rows, target, records.objective)
    axes = new_axes() if ax is None else ax
    variants = names(rows, "variant")
    for k, variant in enumerate(variants):
        found = list(shares(rows, name, variant, least).items())
        beside = DODGE ** (k - (len(variants) - 1) / 2)
        middle = [s.share for _, s in found]
        bars = [[max(s.share - s.low, 0) for _, s in found], [max(s.high - s.share, 0) for _, s in found]]
        axes.errorbar(
            [mark * beside for mark, _ in found], middle, bars, label=variant, elinewidth=0.8, **line_style(k)
        )
    mark_ticks(axes, marks_of(rows, name), records.unit)
    axes.set_ylim(-0.03, 1.03)
    axes.set_ylabel(f"share of runs with {bound_text(target, records.objective)}")
    axes.set_title(f"{name}, bars: 95 % interval", fontsize="medium")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize="small", handlelength=3)
    return plain(axes)
