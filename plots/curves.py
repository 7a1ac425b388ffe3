"""Curves of runs: convergence of one run and of variants, and which share of the runs has reached a value by when."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from nrpa.base.errors import InputError, escaped
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
from nrpa.plots.picture import (
    DISTINCT,
    Axes,
    name_of_solved,
    new_axes,
    new_figure,
    of_axes,
    set_frame,
    without_formulas,
)
from nrpa.search.curve import LEAST_SECONDS, seconds_text
from nrpa.search.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STATISTICS = ("mean", "median")
# Beyond it, matplotlib finds no place for ticks.
LARGEST_LIMIT = 1e300
DODGE = 1.07
NEAR, ORDERS = 0.25, 100.0
SHORT = 4.0
# What is left free at both ends of an axis, so that no marker is cut: in parts of it, and of the low axis of faults.
MARGIN, LOW_MARGIN = 0.04, 0.18
MOST_LABELS = 8
# Up to so much between the ends of an axis, each decade has three labels.
MOST_DECADES = 150.0
# Lines can be told apart in black and white, too.
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


@of_axes
def anytime(
    records: Records | Sequence[Records],
    ax: Axes | None = None,
    *,
    instance: str | None = None,
    statistic: str = "mean",
    reference: float | None = None,
    ylim: tuple[float, float] | None = None,
) -> Axes:
    """Draw a line for each variant of an experiment over the budgets, on a log axis; a panel for each instance.

    All values are in terms of ``records.objective``, such as costs, of several parts the first; without one they are
    scores. Where runs have faults, such as missed windows, a panel on top has their number, and the cost is drawn from
    where no run has one any more.

    Parameters
    ----------
    records : Records
        What was measured, as ``nrpa.bench.read_records`` returns it; a list of them, for several problems.
    instance : str, optional
        Which instance alone, if the records are of several.
    statistic : {"mean", "median"}
        The mean with 2σ/√n as its band (on a log axis that of its logarithm), or the median with the quartiles.
    reference : float, optional
        A value, such as the best known. The picture then shows how far the runs fall short of it, on a log axis that
        ends in 0. Without it and ``ylim``, the best known value is taken where no run beats it and the distances from
        it differ by orders of magnitude.
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

    def draw(mine: Records, name: str, axes: Axes) -> None:
        figure, rows = next(iter(by_figure(mine.objective, mine.rows).items()))
        unit = (mine.objective or SCORES).of(figure)
        if reference is not None:
            require_same_side("the reference", reference, (row.score for row in rows), mine.objective)
        of_variant = {variant: _Values.of(rows, name, variant, statistic, unit) for variant in names(rows, "variant")}
        from_here = reference
        if reference is None and ylim is None:
            from_here = _far_reference([*of_variant.values()], mine.best_known(name), unit)
        if all(np.isnan(each).all() for found in of_variant.values() for each in found.values):
            unit, from_here = Objective(unit.faults_name, -1), None
            of_variant = {variant: found.of_faults() for variant, found in of_variant.items()}
        what = _draw_values(axes, of_variant, statistic, unit, from_here)
        band_text = "quartiles" if statistic == "median" else "2σ/√n"
        runs = "–".join(map(str, sorted({*runs_of(rows).values()})))
        _of_variants(axes, rows, mine, f"{runs} runs, band: {band_text}", what)
        if unit.penalty:
            _draw_faults(axes, of_variant, unit)
        if ylim is not None:
            axes.set_ylim(*sorted(ylim))

    return _each_instance(records, instance, ax, draw)


class _Values(NamedTuple):
    """The values of all runs of a variant at the marks that all of them have, and how many faults each mark has."""

    marks: np.ndarray
    values: list[np.ndarray]
    faults: np.ndarray
    statistic: str
    style: dict[str, Any]

    @classmethod
    def of(cls, rows: Sequence[Record], instance: str, variant: str, statistic: str, unit: Objective) -> _Values:
        """Return those of a variant. Values with faults are left empty, where the band would have one."""
        found = scores(row for row in rows if row.variant == variant)
        runs = runs_of(rows)[variant]
        marks = [m for m in marks_of(rows, instance) if len(found.get((instance, m, variant), ())) == runs]
        values = [np.array(list(found[instance, m, variant].values())) for m in marks]
        faults = [np.array([unit.faults(value) for value in of_mark]) for of_mark in values]
        worst = [np.quantile(each, 0.75 if statistic == "median" else 1.0, method="higher") for each in faults]
        drawn = [np.array([np.nan]) if some else of_mark for of_mark, some in zip(values, worst, strict=True)]
        middle = np.array([np.median(each) if statistic == "median" else each.mean() for each in faults])
        style = _line_style(names(rows, "variant").index(variant))
        return cls(np.array(marks), drawn, middle, statistic, style)

    def of_faults(self) -> _Values:
        """Return the numbers of faults as the values."""
        return self._replace(values=[np.array([number]) for number in self.faults])

    def band(self, unit: Objective, reference: float | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return mean or median and the ends of the band; of the distances from a reference, those of a log axis."""
        values = self.values if reference is None else [_distances(each, reference, unit) for each in self.values]
        if self.statistic == "median":
            middle, low, high = (np.array([np.quantile(each, q) for each in values]) for q in (0.5, 0.25, 0.75))
            return middle, low, high
        means = [cell(each) for each in values]
        middle, half = np.array([each.mean for each in means]), np.nan_to_num([each.half_width for each in means])
        if reference is None:
            return middle, middle - half, middle + half
        factor = np.exp(np.divide(half, middle, out=np.zeros(len(half)), where=middle > 0))
        return middle, middle / factor, middle * factor


def _distances(values: np.ndarray, reference: float, unit: Objective) -> np.ndarray:
    """Return how far values fall short of a reference, which is rounded to the digits of its figure."""
    short: np.ndarray = unit.sign * (reference - values)
    return np.where(np.abs(short) <= (0.51 * 10.0**-unit.digits if reference % 1 else 0.0), 0.0, short)


def _far_reference(found: Sequence[_Values], best_known: float | None, unit: Objective) -> float | None:
    """Return the best known value where no run beats it and distances from it differ by orders of magnitude."""
    if best_known is None:
        return None
    short = [_distances(each, best_known, unit) for of_variant in found for each in of_variant.values]
    if any((each < 0).any() for each in short):
        return None
    means = [mean for each in short if (mean := each.mean()) > 0]
    return best_known if means and max(means) > ORDERS * min(means) else None


def _draw_values(
    axes: Axes, of_variant: dict[str, _Values], statistic: str, unit: Objective, reference: float | None
) -> str:
    """Draw a line and a band for each variant, and return what they are of."""
    what, lowest, top = f"{statistic} {unit.name}", np.inf, 0.0
    for variant, found in of_variant.items():
        middle, low, high = found.band(unit, reference)
        if reference is not None:
            middle, low = (np.where(middle < 0, np.nan, each) for each in (middle, low))
            lowest = min([lowest, *middle[middle > 0]])
            top = max([top, *high[high > 0]])
        is_drawn, is_above = np.isfinite(middle).any(), bool(unit.penalty and found.faults.any())
        label = variant if is_drawn else f"{variant} (above)" if is_above else "_nolegend_"
        axes.plot(found.marks, middle, label=label, **found.style)
        axes.fill_between(found.marks, low, high, color=found.style["color"], alpha=0.18, linewidth=0)
    if reference is None:
        return what
    if not np.isfinite(lowest):
        raise InputError(f"no {statistic} {unit.name} falls short of the reference {reference:.12g}")
    linear = 10.0 ** math.floor(math.log10(lowest))
    axes.set_yscale("symlog", linthresh=linear, linscale=0.3)
    axes.set_ylim(-0.4 * linear, top * 1.5)
    return f"{what} {'above' if unit.sign < 0 else 'short of'} {reference:.12g}"


def _draw_faults(axes: Axes, of_variant: dict[str, _Values], unit: Objective) -> None:
    """Draw on top how many faults runs have, if any has one."""
    if not any(found.faults.any() for found in of_variant.values()):
        return
    above = _faults_above(axes, unit)
    for found in of_variant.values():
        above.plot(found.marks, found.faults, **found.style)
    _leave_margins(above, max(found.faults.max(initial=0) for found in of_variant.values()))


def _leave_margins(above: Axes, most: float) -> None:
    """Show numbers of faults from 0 to the most of them, the markers at both ends whole."""
    above.set_ylim(-LOW_MARGIN * most, (1 + LOW_MARGIN) * most)


def _faults_above(axes: Axes, unit: Objective) -> Axes:
    """Take the upper fifth of axes for numbers of faults; the title moves there."""
    figure, place = cast("Figure", axes.figure), axes.get_subplotspec()
    if place is None:
        above = axes.inset_axes((0, 1.04, 1, 0.3), sharex=axes)
    else:
        parts = place.subgridspec(2, 1, height_ratios=(1, 4))
        axes.set_subplotspec(parts[1])
        above = figure.add_subplot(parts[0], sharex=axes)
    above.tick_params(labelbottom=False, which="both", bottom=False)
    above.locator_params(axis="y", nbins=2, integer=True)
    above.set_ylabel(unit.faults_name.replace(" ", "\n", 1), fontsize="x-small")
    above.set_title(axes.get_title(), fontsize="medium")
    axes.set_title("")
    above.grid(alpha=0.3)
    return without_formulas(above)


@of_axes
def time_to_target(
    records: Records | Sequence[Records],
    target: float | Sequence[float],
    ax: Axes | None = None,
    *,
    instance: str | None = None,
) -> Axes:
    """Draw for each variant the share of its runs that have reached a value by each budget; a panel for each instance.

    The bars are Wilson's 95 % intervals; of marks in a row with the same share, the last has the one bar. They stand
    side by side; the marks are those of the axis. Runs that never reach it keep the line below 1.

    Parameters
    ----------
    records : Records
        What was measured, as ``nrpa.bench.read_records`` returns it; a list of them, for several problems.
    target : float
        The value that counts as reached, or better, in terms of ``records.objective``; without one, a score.
    instance : str, optional
        Which instance alone, if the records are of several.

    Raises
    ------
    InputError
        If the instance is unknown, the target is not a number, or it has another sign than all values of the runs.
    """

    def draw(mine: Records, name: str, axes: Axes) -> None:
        rows = mine.rows
        least = least_score(rows, target, mine.objective)
        variants = names(rows, "variant")
        for k, variant in enumerate(variants):
            found = list(shares(rows, name, variant, least).items())
            beside = DODGE ** (k - (len(variants) - 1) / 2)
            middle = [s.share for _, s in found]
            bars = np.array([[max(s.share - s.low, 0), max(s.high - s.share, 0)] for _, s in found]).T
            bars[:, np.flatnonzero(np.diff(middle) == 0)] = np.nan
            axes.errorbar(
                [mark * beside for mark, _ in found], middle, bars, label=variant, elinewidth=0.8, **_line_style(k)
            )
        axes.set_ylim(-0.03, 1.03)
        what = f"share of runs with {bound_text(target, mine.objective)}"
        _of_variants(axes, rows, mine, "bars: 95 % interval", what)

    return _each_instance(records, instance, ax, draw)


def _each_instance(
    records: Records | Sequence[Records],
    instance: str | None,
    ax: Axes | None,
    draw: Callable[[Records, str, Axes], None],
) -> Axes:
    """Draw each instance in a panel of its own, or one alone; return the first axes."""
    given = [records] if isinstance(records, Records) else list(records)
    known = {
        (place, name): of_file._replace(rows=[row for row in of_file.rows if row.instance == name])
        for place, of_file in enumerate(given)
        for name in names(of_file.rows, "instance")
    }
    every = ", ".join(name for _, name in known)
    chosen = {key: mine for key, mine in known.items() if instance in (None, key[1])}
    if not chosen:
        raise InputError(f"there is no instance {instance!r}; expected one of {every}")
    if ax is not None and len(chosen) > 1:
        raise InputError(f"there are {len(chosen)} instances, and axes for one; choose one of {every}")
    all_axes = [ax] if ax is not None else list(new_figure(len(chosen)).axes)
    for ((_, name), mine), axes in zip(chosen.items(), all_axes, strict=True):
        draw(mine, name, axes)
    return all_axes[0]


@of_axes
def convergence(result: Result, ax: Axes | None = None, *, problem: BaseProblem | None = None) -> Axes:
    """Draw the best value of a run against the seconds, on a log axis unless all times are of one size.

    Of an ``nrpa.Lexicographic`` objective, the first part is drawn. A panel on top has the faults of the first
    solutions, such as missed windows, if their scores have penalties. Where the run began far off otherwise, the
    picture is cut to within a quarter of the final value.

    Parameters
    ----------
    result : Result
        The run.
    problem : BaseProblem, optional
        Gives the values their own terms, and the best known value as a line. Without it, scores are drawn.
    """
    axes = new_axes() if ax is None else ax
    objective = SCORES if problem is None else problem.objective
    seconds = [max(point.seconds, LEAST_SECONDS) for point in result.improvements]
    figures = [objective.figures(point.score) for point in result.improvements]
    values = [next(iter(each.values())) for each in figures]
    objective = objective.of(next(iter(figures[0])))
    faults = [objective.faults(value) for value in values]
    known = None if problem is None else problem.best_known
    if faults[-1]:
        objective, values, known = Objective(objective.faults_name, -1), [*map(float, faults)], None
    end, first = max(result.seconds, seconds[-1]), 0 if faults[-1] else faults.index(0)
    axes.step([*seconds[first:], end], [*values[first:], values[-1]], where="post", color="black")
    axes.plot(seconds[first:], values[first:], ".", color="black")
    if known is not None:
        axes.axhline(known.value, color="tab:blue", linestyle="--", linewidth=1)
        style: dict[str, Any] = {"textcoords": "offset points", "ha": "left", "color": "tab:blue", "fontsize": "small"}
        text, across = f"best known {objective.text(known.value)}", axes.get_yaxis_transform()
        axes.annotate(text, (0, known.value), xycoords=across, xytext=(4, 4), **style)
    if result.seconds > SHORT * seconds[0]:
        axes.set_xscale("log")
    axes.locator_params(axis="y", integer=objective.digits == 0)
    if not faults[0]:
        _cut_to_last(axes, seconds, values, [] if known is None else [known.value])
    title = f"{name_of_solved(result.problem, result.instance)}, {result.solver}, seed {result.seed}"
    set_frame(axes, title, x=seconds_text(result.clock), y=f"best {objective.name}")
    axes.grid(alpha=0.3)
    if first:
        above = _faults_above(axes, objective)
        above.step([*seconds, end], [*faults, 0], where="post", color="black")
        _leave_margins(above, max(faults))
    if axes.get_xscale() == "log":
        decade_ticks(axes)
    else:
        axes.locator_params(axis="x", nbins=5)
    return without_formulas(axes)


def _of_variants(axes: Axes, rows: Sequence[Record], records: Records, title: str, what: str) -> None:
    """Finish a picture of an instance's variants: a log axis, its ticks on the budget marks, some of them labelled."""
    every_mark = marks_of(rows, rows[0].instance)
    drawn = np.concatenate([[], *(np.asarray(line.get_xdata(), float) for line in axes.lines)])
    low, high = (drawn.min(), drawn.max()) if len(drawn) else (every_mark[0], every_mark[-1])
    marks = [mark for mark in every_mark if low <= mark <= high]
    axes.set_xscale("log")
    axes.minorticks_off()
    every, last = -(-len(marks) // MOST_LABELS), len(marks) - 1
    unit = records.unit
    axes.set_xticks(marks, [_mark_text(mark, unit) if (last - k) % every == 0 else "" for k, mark in enumerate(marks)])
    around = max((high / low) ** MARGIN, DODGE)
    axes.set_xlim(low / around, high * around)
    solved = name_of_solved(records.problem.rpartition(":")[2], rows[0].instance)
    set_frame(axes, escaped(f"{solved}, {title}"), x=unit, y=what)
    axes.grid(alpha=0.3)
    if axes.get_legend_handles_labels()[1]:
        axes.legend(frameon=False, fontsize="small", handlelength=3)
    without_formulas(axes)


def _mark_text(mark: float, unit: str) -> str:
    exponent = int(mark).bit_length() - 1
    return f"$2^{{{exponent}}}$" if unit == "playouts" and mark == 2**exponent else f"{mark:g}"


def _line_style(k: int) -> dict[str, Any]:
    colour = DISTINCT[k % len(DISTINCT)]
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
