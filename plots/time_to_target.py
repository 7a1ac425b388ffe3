"""Time to target: which share of the runs has reached a score by when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nrpa.bench.compare import shares
from nrpa.bench.records import Records
from nrpa.bench.table import marks_of, names
from nrpa.plots.anytime import rows_of
from nrpa.plots.picture import new_axes
from nrpa.plots.style import line_style
from nrpa.plots.ticks import mark_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DODGE = 1.07


def time_to_target(records: Records, target: float, ax: Axes | None = None, *, instance: str | None = None) -> Axes:
    """Draw for each variant the share of its runs that have reached a score by each budget.

    The bars are Wilson's 95 % intervals. They stand side by side; the marks are those of the axis. Runs that never
    reach the score keep the line below 1.

    Parameters
    ----------
    records : Records
        What was measured, as ``nrpa.bench.read_records`` returns it.
    target : float
        The least score that counts as reached.
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
        If the instance is unknown or the target is not a number.
    """
    rows, name = rows_of(records, instance)
    axes = new_axes() if ax is None else ax
    variants = names(rows, "variant")
    for k, variant in enumerate(variants):
        found = list(shares(rows, name, variant, target).items())
        beside = DODGE ** (k - (len(variants) - 1) / 2)
        middle = [s.share for _, s in found]
        bars = [[max(s.share - s.low, 0) for _, s in found], [max(s.high - s.share, 0) for _, s in found]]
        axes.errorbar(
            [mark * beside for mark, _ in found], middle, bars, label=variant, elinewidth=0.8, **line_style(k)
        )
    mark_ticks(axes, marks_of(rows, name), records.axis)
    axes.set_ylim(-0.03, 1.03)
    axes.set_ylabel(f"share of runs that reached {target:.12g}")
    axes.set_title(f"{name}, bars: 95 % interval", fontsize="medium")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize="small", handlelength=3)
    return axes
