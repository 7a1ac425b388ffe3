"""Curves of runs: convergence of one run and of variants, and which share of the runs has reached a value by when."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.bench.records import SCORES, Record, Records
from nrpa.bench.statistics import cell, scores, shares
from nrpa.bench.table import (
    bound_text,
    by_figure,
    least_score,
    marks_of,
    names,
    require_same_side,
    runs_of,
)
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective
from nrpa.plots.picture import Axes, new_axes, of_axes, set_frame, without_formulas
from nrpa.search.curve import seconds_text
from nrpa.search.result import Result

STATISTICS = ("mean", "median")
# Beyond it, matplotlib finds no place for ticks.
LARGEST_LIMIT = 1e300
DODGE = 1.07
_SCORE = Objective("score", sign=1)
NEAR = 0.25
SHORT = 4.0
MOST_LABELS = 8
# Up to so much between the ends of an axis, each decade has three labels.
MOST_DECADES = 150.0
# Lines can be told apart in black and white and by the colour-blind.
_COLOURS = ("#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


@of_axes
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
    rows, name = _rows_of(records, instance)
    figure, rows = next(iter(by_figure(records.objective, rows).items()))
    unit = (records.objective or SCORES).of(figure)
    if reference is not None:
        require_same_side("the reference", reference, (row.score for row in rows), records.objective)
    axes = new_axes() if ax is None else ax
    floor, top = np.inf, 0.0
    for k, variant in enumerate(names(rows, "variant")):
        marks, middle, low, high = _band(rows, name, variant, statistic, reference, unit.sign)
        seen = middle > 0 if reference is not None else np.ones(len(middle), bool)
        marks, middle, low, high = marks[seen], middle[seen], low[seen], high[seen]
        axes.plot(marks, middle, label=variant, **_line_style(k))
        if reference is not None:
            floor = min([floor, *middle, *low[low > 0]])
            top = max([top, *high])
            low = np.where(low > 0, low, np.finfo(float).tiny)
        axes.fill_between(marks, low, high, color=_line_style(k)["color"], alpha=0.18, linewidth=0)
    if reference is not None and not np.isfinite(floor):
        raise InputError(f"no {statistic} {unit.name} falls short of the reference {reference:.12g}")
    what = f"{statistic} {unit.name}"
    if reference is not None:
        what += f" {'above' if unit.sign < 0 else 'short of'} {reference:.12g}"
    band_text = "2σ/√n" if statistic == "mean" else "quartiles"
    runs = "–".join(map(str, sorted({*runs_of(rows).values()})))
    _of_variants(axes, rows, records.unit, f"{name}, {runs} runs, band: {band_text}", what)
    if reference is not None:
        axes.set_yscale("log")
        axes.set_ylim(floor / 1.5, top * 1.5)
    if ylim is not None:
        axes.set_ylim(*sorted(ylim))
    return axes


@of_axes
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
    instance : str, optional
        Which instance, if the records are of several.

    Raises
    ------
    InputError
        If the instance is unknown, the target is not a number, or it has another sign than all values of the runs.
    """
    rows, name = _rows_of(records, instance)
    least = least_score(rows, target, records.objective)
    axes = new_axes() if ax is None else ax
    variants = names(rows, "variant")
    for k, variant in enumerate(variants):
        found = list(shares(rows, name, variant, least).items())
        beside = DODGE ** (k - (len(variants) - 1) / 2)
        middle = [s.share for _, s in found]
        bars = [[max(s.share - s.low, 0) for _, s in found], [max(s.high - s.share, 0) for _, s in found]]
        axes.errorbar(
            [mark * beside for mark, _ in found], middle, bars, label=variant, elinewidth=0.8, **_line_style(k)
        )
    axes.set_ylim(-0.03, 1.03)
    what = f"share of runs with {bound_text(target, records.objective)}"
    return _of_variants(axes, rows, records.unit, f"{name}, bars: 95 % interval", what)


@of_axes
def convergence(result: Result, ax: Axes | None = None, *, problem: BaseProblem | None = None) -> Axes:
    """Draw the best value of a run against the seconds, on a log axis unless all times are of one size.

    Of an ``nrpa.Lexicographic`` objective, the first part is drawn. Where the run began far off (windows missed, say),
    the picture is cut to within a quarter of the final value.

    Parameters
    ----------
    result : Result
        The run.
    problem : BaseProblem, optional
        Gives the values their own terms, and the best known value as a line. Without it, scores are drawn.
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
        style: dict[str, Any] = {"textcoords": "offset points", "ha": "left", "color": "tab:blue", "fontsize": "small"}
        text, across = f"best known {objective.text(known.value)}", axes.get_yaxis_transform()
        axes.annotate(text, (0, known.value), xycoords=across, xytext=(4, 4), **style)
    if result.seconds > SHORT * seconds[0]:
        axes.set_xscale("log")
    axes.locator_params(axis="y", integer=objective.digits == 0)
    _cut_to_last(axes, seconds, values, [] if known is None else [known.value])
    if axes.get_xscale() == "log":
        decade_ticks(axes)
    else:
        axes.locator_params(axis="x", nbins=5)
    named = " ".join(filter(None, (result.problem, result.instance)))
    title = f"{named}, {result.solver}, seed {result.seed}"
    set_frame(axes, title, x=seconds_text(result.clock), y=f"best {objective.name}")
    axes.grid(alpha=0.3)
    return without_formulas(axes)


def _band(
    rows: Sequence[Record], instance: str, variant: str, statistic: str, reference: float | None, sign: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the marks that all runs of a variant have, their mean or median, and the ends of the band."""
    found = scores(row for row in rows if row.variant == variant)
    runs = runs_of(rows)[variant]
    marks = [m for m in marks_of(rows, instance) if len(found.get((instance, m, variant), ())) == runs]
    values = [np.array(list(found[instance, m, variant].values())) for m in marks]
    if reference is not None:
        values = [sign * (reference - v) for v in values]
    if statistic == "median":
        middle, low, high = (np.array([np.quantile(v, q) for v in values]) for q in (0.5, 0.25, 0.75))
    else:
        means = [cell(v) for v in values]
        middle = np.array([each.mean for each in means])
        half = np.nan_to_num([each.half_width for each in means])
        low, high = middle - half, middle + half
    return np.array(marks), middle, low, high


def _rows_of(records: Records, instance: str | None) -> tuple[list[Record], str]:
    """Return the rows of one instance, and its name, which must be given where there are several."""
    known = names(records.rows, "instance")
    if instance is None:
        if len(known) != 1:
            raise InputError(f"there are {len(known)} instances; choose one of {', '.join(known)}")
        instance = known[0]
    if instance not in known:
        raise InputError(f"there is no instance {instance!r}; expected one of {', '.join(known)}")
    return [row for row in records.rows if row.instance == instance], instance


def _of_variants(axes: Axes, rows: Sequence[Record], unit: str, title: str, what: str) -> Axes:
    """Finish a picture of an instance's variants: a log axis, its ticks on the budget marks, some of them labelled."""
    marks = marks_of(rows, rows[0].instance)
    axes.set_xscale("log")
    axes.minorticks_off()
    every, last = -(-len(marks) // MOST_LABELS), len(marks) - 1
    axes.set_xticks(marks, [_mark_text(mark, unit) if (last - k) % every == 0 else "" for k, mark in enumerate(marks)])
    set_frame(axes, title, x=unit, y=what)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize="small", handlelength=3)
    return without_formulas(axes)


def _mark_text(mark: float, unit: str) -> str:
    exponent = int(mark).bit_length() - 1
    return f"$2^{{{exponent}}}$" if unit == "playouts" and mark == 2**exponent else f"{mark:g}"


def _line_style(k: int) -> dict[str, Any]:
    colour = _COLOURS[k % len(_COLOURS)]
    return {
        "color": colour,
        "linestyle": _DASHES[k % len(_DASHES)],
        "marker": _MARKERS[k % len(_MARKERS)],
        "markersize": 4.5,
        "markerfacecolor": "white" if k % 2 else colour,
        "linewidth": 1.4,
    }


def _cut_to_last(axes: Axes, seconds: list[float], values: list[float], also: list[float]) -> None:
    """Leave out values that are far from the last, and the time before the first that is near; ``also`` stay."""
    last = values[-1]
    near = [k for k, value in enumerate(values) if abs(value - last) <= NEAR * abs(last)]
    if len(near) in (1, len(values)):
        return
    shown = [values[k] for k in near] + also
    margin = 0.06 * (max(shown) - min(shown)) or 1.0
    axes.set_ylim(min(shown) - margin, max(shown) + margin)
    axes.set_xlim(left=seconds[near[0]] / 1.5)


def decade_ticks(axes: Axes) -> None:
    """Label a logarithmic x axis at 1, 2 and 5 of each power of ten; at 1 only where it has more than two of them.

    An axis so short that it has fewer than two of these is labelled at 1, 2, 3 … 9 of each power of ten.
    """
    from matplotlib.ticker import FixedLocator, NullLocator

    low, high = axes.get_xlim()
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if high / low <= MOST_DECADES else (1,)
    powers = [10.0**power for power in range(first, last + 1)]
    places = [step * power for power in powers for step in steps if low <= step * power <= high]
    if len(places) < 2:
        places = [step * power for power in powers for step in range(1, 10) if low <= step * power <= high]
    axes.xaxis.set_major_locator(FixedLocator(places))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlim(low, high)
