"""Convergence curves of an experiment's variants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.bench.compare import require_same_side
from nrpa.bench.continued import SCORES
from nrpa.bench.records import Record, Records
from nrpa.bench.table import by_figure, marks_of, names, scores
from nrpa.plots.picture import new_axes, plain
from nrpa.plots.style import line_style
from nrpa.plots.ticks import mark_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STATISTICS = ("mean", "median")
# Beyond it, matplotlib finds no place for ticks.
LARGEST_LIMIT = 1e300


class Band(NamedTuple):
    """A curve with its band, each float64[marks]: budgets, mean or median of the runs, and ends of the band."""

    marks: np.ndarray
    middle: np.ndarray
    low: np.ndarray
    high: np.ndarray


def anytime(
    records: Records,
    ax: Axes | None = None,
    *,
    instance: str | None = None,
    statistic: str = "mean",
    reference: float | None = None,
    ylim: tuple[float, float] | None = None,
) -> Axes:
    """Draw a line for each variant of an experiment over the budgets, on a log axis.

    All values are in terms of ``records.objective``, such as costs, of several parts the first; without one they are
    scores.

    Parameters
    ----------
    records : Records
        What was measured, as ``nrpa.bench.read_records`` returns it.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Without it, a figure is made.
    instance : str, optional
        Which instance, if the records are of several.
    statistic : {"mean", "median"}
        The mean with 2σ/√n as its band, or the median with the quartiles.
    reference : float, optional
        A value, such as the best known. The picture then shows how far the runs fall short of it, on a log axis,
        which holds what differs by orders of magnitude. A mean that reaches the reference has no place there and is
        left out.
    ylim : tuple of float, optional
        Lowest and highest value to show.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the picture.

    Raises
    ------
    InputError
        If the instance or statistic is unknown, no curve falls short of the reference, the reference has another sign
        than all values, or the limits are no interval.
    """
    if statistic not in STATISTICS:
        raise InputError(f"statistic must be one of {', '.join(STATISTICS)}, not {statistic!r}")
    if reference is not None and not np.isfinite(reference):
        raise InputError(f"the reference must be a finite number, not {reference}")
    if ylim is not None and not (np.max(np.abs(ylim)) <= LARGEST_LIMIT and ylim[0] != ylim[1]):
        what = f"two different numbers from {-LARGEST_LIMIT:g} to {LARGEST_LIMIT:g}"
        raise InputError(f"the limits of y must be {what}, not {ylim[0]} and {ylim[1]}")
    rows, name = rows_of(records, instance)
    figure, rows = next(iter(by_figure(records.objective, rows).items()))
    unit = (records.objective or SCORES).of(figure)
    if reference is not None:
        require_same_side("the reference", reference, (row.score for row in rows), records.objective)
    axes = new_axes() if ax is None else ax
    floor, top = np.inf, 0.0
    for k, variant in enumerate(names(rows, "variant")):
        band = _band(rows, name, variant, statistic, reference, unit.sign)
        seen = band.middle > 0 if reference is not None else np.ones(len(band.middle), bool)
        axes.plot(band.marks[seen], band.middle[seen], label=variant, **line_style(k))
        low = band.low[seen]
        if reference is not None:
            floor = min([floor, *band.middle[seen], *low[low > 0]])
            top = max([top, *band.high[seen]])
            low = np.where(low > 0, low, np.finfo(float).tiny)
        axes.fill_between(band.marks[seen], low, band.high[seen], color=line_style(k)["color"], alpha=0.18, linewidth=0)
    if reference is not None and not np.isfinite(floor):
        raise InputError(f"no {statistic} {unit.name} falls short of the reference {reference:.12g}")
    mark_ticks(axes, marks_of(rows, name), records.unit)
    what = f"{statistic} {unit.name}"
    if reference is None:
        axes.set_ylabel(what)
    else:
        axes.set_yscale("log")
        axes.set_ylim(floor / 1.5, top * 1.5)
        axes.set_ylabel(f"{what} {'above' if unit.sign < 0 else 'short of'} {reference:.12g}")
    if ylim is not None:
        axes.set_ylim(*sorted(ylim))
    band_text = "2σ/√n" if statistic == "mean" else "quartiles"
    runs = "–".join(dict.fromkeys(str(n) for n in sorted(_runs(rows))))
    axes.set_title(f"{name}, {runs} runs, band: {band_text}", fontsize="medium")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize="small", handlelength=3)
    return plain(axes)


def rows_of(records: Records, instance: str | None) -> tuple[list[Record], str]:
    """Return the rows of one instance, and its name.

    Raises InputError if the instance is not there, or is not named although there are several.
    """
    known = names(records.rows, "instance")
    if instance is None:
        if len(known) != 1:
            raise InputError(f"there are {len(known)} instances; choose one of {', '.join(known)}")
        instance = known[0]
    if instance not in known:
        raise InputError(f"there is no instance {instance!r}; expected one of {', '.join(known)}")
    return [row for row in records.rows if row.instance == instance], instance


def _runs(rows: Sequence[Record]) -> set[int]:
    return {len({row.seed for row in rows if row.variant == variant}) for variant in names(rows, "variant")}


def _band(
    rows: Sequence[Record], instance: str, variant: str, statistic: str, reference: float | None, sign: int
) -> Band:
    """Return the curve of a variant over the marks that all its runs have."""
    found = scores(row for row in rows if row.variant == variant)
    runs = len({row.seed for row in rows if row.variant == variant})
    marks = [m for m in marks_of(rows, instance) if len(found.get((instance, m, variant), ())) == runs]
    values = [np.array(list(found[instance, m, variant].values())) for m in marks]
    if reference is not None:
        values = [sign * (reference - v) for v in values]
    if statistic == "median":
        middle, low, high = (np.array([np.quantile(v, q) for v in values]) for q in (0.5, 0.25, 0.75))
    else:
        middle = np.array([v.mean() for v in values])
        half = np.array([2 * v.std(ddof=1) / len(v) ** 0.5 if len(v) > 1 else 0.0 for v in values])
        low, high = middle - half, middle + half
    return Band(np.array(marks), middle, low, high)
