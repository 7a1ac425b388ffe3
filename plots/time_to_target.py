"""Time to target: which share of the runs has reached a score by when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nrpa.plots.anytime import rows_of
from nrpa.plots.picture import new_axes
from nrpa.plots.style import line_style

from nrpa.bench.compare import shares
from nrpa.bench.records import Records
from nrpa.bench.table import names

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def time_to_target(records: Records, target: float, ax: Axes | None = None, *, instance: str | None = None) -> Axes:
    """Draw for each variant the share of its runs with a score of at least ``target`` by each budget.

    The band is Wilson's 95 % interval. Runs that never reach it keep the line below 1. Returns the axes.

    Raises InputError for an unknown instance.
    """
    rows, name = rows_of(records, instance)
    axes = new_axes() if ax is None else ax
    for k, variant in enumerate(names(rows, "variant")):
        found = shares(rows, name, variant, target)
        marks, style = list(found), line_style(k)
        axes.plot(marks, [s.share for s in found.values()], drawstyle="steps-post", label=variant, **style)
        low, high = [s.low for s in found.values()], [s.high for s in found.values()]
        axes.fill_between(marks, low, high, step="post", color=style["color"], alpha=0.12, linewidth=0)
    axes.set_xscale("log")
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel(records.axis)
    axes.set_ylabel(f"share of runs ≥ {target:.12g}")
    axes.set_title(f"{name}, share of runs that reached {target:.12g}, band: 95 %", fontsize="medium")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize="small", handlelength=3)
    return axes
