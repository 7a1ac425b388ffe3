"""Means, differences and shares of runs with their intervals, and the tables of them as papers print them."""

from __future__ import annotations

import math
import os
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nrpa.base.errors import InputError, escaped
from nrpa.base.lazy import lazy
from nrpa.base.values import aligned
from nrpa.bench.continued import SCORES, decimals_of, read_lines
from nrpa.bench.records import Record
from nrpa.modelling.objective import Objective


class Cell(NamedTuple):
    """A cell of a table.

    Attributes
    ----------
    mean : float
        The mean score.
    half_width : float
        2σ/√n, σ being the sample standard deviation; nan for one run.
    runs : int
        n, the number of runs.
    """

    mean: float
    half_width: float
    runs: int


def scores(rows: Iterable[Record]) -> dict[tuple[str, float, str], dict[int, float]]:
    """Return scores by (instance, mark, variant), then by seed."""
    found: dict[tuple[str, float, str], dict[int, float]] = defaultdict(dict)
    for row in rows:
        found[row.instance, row.mark, row.variant][row.seed] = row.score
    return dict(found)


def cells(rows: Iterable[Record]) -> dict[tuple[str, float, str], Cell]:
    """Return the cells of a table.

    Parameters
    ----------
    rows : iterable of Record
        The rows.

    Returns
    -------
    dict of tuple to Cell
        The cell for each (instance, mark, variant).

    Examples
    --------
    >>> rows = [Record("A", "rc204.1", seed, 0.01, 100, score) for seed, score in ((1, -900.0), (2, -904.0))]
    >>> cells(rows)
    {('rc204.1', 0.01, 'A'): Cell(mean=-902.0, half_width=4.0, runs=2)}
    """
    return {key: cell(list(found.values())) for key, found in scores(rows).items()}


def cell(values: Sequence[float] | np.ndarray) -> Cell:
    """Return the cell of some scores.

    >>> cell([1.0, 3.0])
    Cell(mean=2.0, half_width=2.0, runs=2)
    >>> cell([1.0])
    Cell(mean=1.0, half_width=nan, runs=1)
    """
    array = np.asarray(values, np.float64)
    n = len(array)
    half = 2 * float(array.std(ddof=1)) / n**0.5 if n > 1 else float("nan")
    return Cell(float(array.mean()), half, n)


class Table(NamedTuple):
    """What is shown of an instance: the names of the columns, and a line for each budget mark."""

    instance: str
    title: str
    head: list[str]
    lines: list[list[str]]

    def text(self) -> str:
        """Return the table as text."""
        return f"{escaped(f'{self.instance}: {self.title}')}\n{aligned([self.head, *self.lines])}"


def marks_of(rows: Iterable[Record], instance: str) -> list[float]:
    """Return the budget marks of an instance."""
    return sorted({row.mark for row in rows if row.instance == instance})


def by_figure(objective: Objective | None, rows: Iterable[Record]) -> dict[str, list[Record]]:
    """Return for each figure of an objective the rows with its values in place of their scores."""
    found: dict[str, list[Record]] = defaultdict(list)
    for row in rows:
        for name, value in (objective or SCORES).figures(row.score).items():
            found[name].append(row._replace(score=value))
    return found


def table_text(
    rows: Sequence[Record],
    axis: str,
    digits: int | None = None,
    objective: Objective | None = None,
    published: Mapping[tuple[str, float, str], str] | None = None,
) -> str:
    """Return a table of the means for each instance, as the papers print them.

    Parameters
    ----------
    rows : sequence of Record
        The rows.
    axis : str
        What the marks count: "seconds", "playouts", or ``Records.unit``.
    digits : int, optional
        Decimals of the means; 2, or more where the objective has more.
    objective : Objective, optional
        What is shown in place of the scores: ``Records.objective``.
    published : mapping of tuple to str, optional
        Published cells for (instance, mark, variant), which are shown after ours (``read_published``).

    Returns
    -------
    str
        The tables. Where runs lack a mark, the cell says how many it stands for.

    Examples
    --------
    >>> rows = [Record("A", "rc204.1", seed, 0.01, 100, score) for seed, score in ((1, -900.0), (2, -904.0))]
    >>> print(table_text(rows, "seconds", digits=0))
    rc204.1: mean score of 2 runs (2σ/√n)
    seconds         A
       0.01  -902 (4)
    >>> print(table_text(rows, "seconds", digits=0, objective=Objective("cost", sign=-1)))
    rc204.1: mean cost of 2 runs (2σ/√n)
    seconds        A
       0.01  902 (4)
    """
    return each_instance(rows, lambda mine: mean_table(mine, axis, digits, objective, published))


def each_instance(rows: Iterable[Record], table: Callable[[list[Record]], Table]) -> str:
    """Return as text the table that is made of the rows of each instance, in the order in which they first occur."""
    found: dict[str, list[Record]] = defaultdict(list)
    for row in rows:
        found[row.instance].append(row)
    return "\n\n".join(table(mine).text() for mine in found.values())


def read_published(path: str | os.PathLike[str], axis: str) -> dict[tuple[str, float, str], str]:
    """Return the cells of a publication for (instance, mark, variant), as they are printed."""
    lines = read_lines(path, ("variant", "instance", axis, "cell"))
    return {
        (row.fields["instance"], row.number(axis), row.fields["variant"]): row.fields["cell"] for row in lines.fields
    }


def names(rows: Iterable[Record], field: str) -> list[str]:
    """Return the different values of a field in the order in which they first occur."""
    return list(dict.fromkeys(getattr(row, field) for row in rows))


def table_of(
    rows: Sequence[Record], axis: str, title: str, variants: Sequence[str], text: Callable[[str, float], str]
) -> Table:
    """Return a table of an instance, of which all ``rows`` are; ``text`` is that of the cell of a variant at a mark."""
    instance = rows[0].instance
    spec = ",.0f" if axis == "playouts" else ".2f"
    lines = [[f"{mark:{spec}}", *(text(each, mark) for each in variants)] for mark in marks_of(rows, instance)]
    return Table(instance, title, [axis, *variants], lines)


def mean_table(
    rows: Sequence[Record],
    axis: str,
    digits: int | None,
    objective: Objective | None,
    published: Mapping[tuple[str, float, str], str] | None = None,
) -> Table:
    """Return the table of the means of an instance, of which all ``rows`` are; published cells follow ours."""
    found = {name: cells(of_name) for name, of_name in by_figure(objective, rows).items()}
    runs = runs_of(rows)
    how_many = ", ".join(dict.fromkeys(map(str, runs.values())))

    def text(variant: str, mark: float) -> str:
        key = rows[0].instance, mark, variant
        texts = (cell_text(found[name].get(key), runs[variant], decimals_of(objective, name, digits)) for name in found)
        ours = ", ".join(texts)
        return f"{ours} / {published[key]}" if published and key in published else ours

    title = f"mean {(objective or SCORES).name} of {how_many} run{'s' * (how_many != '1')} (2σ/√n)"
    return table_of(rows, axis, title + " / published" * bool(published), [*runs], text)


def runs_of(rows: Sequence[Record]) -> dict[str, int]:
    """Return how many runs each variant of an instance has."""
    return {variant: len({row.seed for row in rows if row.variant == variant}) for variant in names(rows, "variant")}


def cell_text(cell: Cell | None, runs: int, digits: int) -> str:
    """Return a cell as it is printed."""
    if cell is None:
        return "-"
    text = f"{cell.mean:z.{digits}f}"
    if cell.runs > 1:
        text += f" ({cell.half_width:.{digits}f})"
    return text if cell.runs == runs else f"{text} n={cell.runs}"


stats = lazy("scipy.stats")

CONFIDENCE = 0.95
# A spread of so much of the scores is none: sums of the same numbers in another order differ by that.
ROUNDING = 1e-13
# With fewer pairs that differ even a win in each of them can be chance: 2 / 2^5 is above 5 %. An interval of so few
# says little, too, as their spread is hardly known.
LEAST_DIFFERENT = 6


class Difference(NamedTuple):
    """The mean score of one variant minus that of another.

    Attributes
    ----------
    mean : float
        The difference of the means.
    low, high : float
        The ends of its interval; the mean itself where the runs have no spread that an interval could be made of.
    runs : tuple of int
        The number of runs of each; of pairs, their number twice.
    differ : int
        Of pairs, how many differ; else the runs of the variant that has fewer.
    """

    mean: float
    low: float
    high: float
    runs: tuple[int, int]
    differ: int

    @property
    def is_proven(self) -> bool:
        """Whether the interval excludes 0, and at least 6 runs of each, or pairs that differ, say so."""
        return (self.low > 0 or self.high < 0) and self.differ >= LEAST_DIFFERENT

    def interval(self, number: Callable[[float], str]) -> str:
        """Return the interval as text, its ends written by ``number``."""
        return "no spread" if self.low == self.high else f"{number(self.low)}, {number(self.high)}"


class Share(NamedTuple):
    """The share of runs that have reached a target.

    Attributes
    ----------
    share : float
        ``reached`` / ``runs``.
    low, high : float
        The ends of Wilson's interval.
    reached : float
        The runs that have reached the target; in games the points, of which draws share one.
    runs : int
        All runs.
    """

    share: float
    low: float
    high: float
    reached: float
    runs: int


def difference(
    first: dict[int, float], second: dict[int, float], *, paired: bool = False, confidence: float = CONFIDENCE
) -> Difference:
    """Return the mean of some scores minus that of others, with its t interval.

    Raises InputError if there are fewer than two runs of each, or fewer than two pairs.

    Source: B. L. Welch, *The generalization of "Student's" problem when several different population variances are
    involved*, Biometrika 34, 1947.

    >>> found = difference({1: 5.0, 2: 7.0, 3: 6.0}, {1: 4.0, 2: 5.0, 3: 6.0}, paired=True)
    >>> found.mean, found.runs
    (1.0, (3, 3))
    >>> print(f"{found.low:.2f} to {found.high:.2f}")
    -1.48 to 3.48
    """
    if paired:
        seeds = sorted(first.keys() & second.keys())
        a, b = np.array([first[s] for s in seeds]), np.array([second[s] for s in seeds])
    else:
        a, b = np.array(list(first.values())), np.array(list(second.values()))
    if min(len(a), len(b)) < 2:
        raise InputError(f"an interval needs at least two {'pairs of runs' if paired else 'runs of each variant'}")
    mean, runs = float(a.mean() - b.mean()), (len(a), len(b))
    differ = int(np.count_nonzero(a != b)) if paired else min(runs)
    spread = (a - b).std(ddof=1) if paired else max(a.std(ddof=1), b.std(ddof=1))
    if spread <= ROUNDING * max(np.abs(a).max(), np.abs(b).max()):
        return Difference(mean, mean, mean, runs, differ)
    with warnings.catch_warnings():
        # Of runs that all end alike SciPy suspects that their spread was lost in rounding.
        warnings.simplefilter("ignore", RuntimeWarning)
        test = stats.ttest_rel(a, b) if paired else stats.ttest_ind(a, b, equal_var=False)
    interval = test.confidence_interval(confidence)
    return Difference(mean, float(interval.low), float(interval.high), runs, differ)


def differences(
    rows: Iterable[Record], instance: str, first: str, second: str, *, paired: bool = False
) -> dict[float, Difference]:
    """Return the differences of one variant from another at each mark that both have.

    Parameters
    ----------
    rows : iterable of Record
        The rows, of any instances and variants.
    instance : str
        The instance.
    first, second : str
        The variants; the scores of ``second`` are subtracted.
    paired : bool
        As in ``difference``.

    Returns
    -------
    dict of float to Difference
        The differences by mark, where there are at least two runs of each (or pairs).
    """
    found = scores(row for row in rows if row.instance == instance)
    marks = sorted(mark for _, mark, variant in found if variant == first and (instance, mark, second) in found)
    both = {mark: (found[instance, mark, first], found[instance, mark, second]) for mark in marks}
    return {
        mark: difference(a, b, paired=paired)
        for mark, (a, b) in both.items()
        if len(a.keys() & b.keys() if paired else min(a, b, key=len)) > 1
    }


def shares(rows: Iterable[Record], instance: str, variant: str, target: float) -> dict[float, Share]:
    """Return the shares of a variant's runs that have reached a score, by mark.

    Runs that never reach it count as such; so does a run that was cut short, from the mark where it ended.

    Parameters
    ----------
    rows : iterable of Record
        The rows, of any instances and variants.
    instance, variant : str
        The instance and the variant.
    target : float
        The least score that counts as reached.

    Returns
    -------
    dict of float to Share
        The shares by mark.

    Raises
    ------
    InputError
        If the target is not a number.
    """
    if math.isnan(target):
        raise InputError("the target must be a number, not nan")
    runs: dict[int, dict[float, float]] = defaultdict(dict)
    for row in rows:
        if (row.instance, row.variant) == (instance, variant):
            runs[row.seed][row.mark] = row.score
    marks = sorted({mark for run in runs.values() for mark in run})
    return {
        mark: share(sum(any(m <= mark and s >= target for m, s in run.items()) for run in runs.values()), len(runs))
        for mark in marks
    }


def share(reached: float, runs: int) -> Share:
    """Return a share with Wilson's 95 % interval.

    Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, J. Am. Stat. Assoc.
    22, 1927.

    >>> found = share(5, 10)
    >>> print(f"{found.share:.2f}, {found.low:.2f} to {found.high:.2f}")
    0.50, 0.24 to 0.76
    """
    z = float(stats.norm.ppf((1 + CONFIDENCE) / 2))
    p, spread = reached / runs, z * z / runs
    middle, half = p + spread / 2, z * math.sqrt(max(0.0, p * (1 - p)) / runs + spread / (4 * runs))
    low, high = ((middle + side * half) / (1 + spread) for side in (-1, 1))
    return Share(p, max(0.0, low), min(1.0, high), reached, runs)


def require_variant(rows: Iterable[Record], name: str) -> None:
    """Raise InputError if there is no variant of that name."""
    known = names(rows, "variant")
    if name not in known:
        raise InputError(f"there is no variant {name!r}; expected one of {', '.join(known)}")


def difference_table(
    rows: Sequence[Record], axis: str, versus: str, paired: bool, digits: int | None, objective: Objective | None
) -> Table:
    """Return the table of the differences of an instance, of which all ``rows`` are."""
    objective = objective or SCORES
    shown = by_figure(objective, rows)
    others = [variant for variant in names(rows, "variant") if variant != versus]
    found = {
        (each, name): differences(of_name, rows[0].instance, each, versus, paired=paired)
        for each in others
        for name, of_name in shown.items()
    }

    def text(each: str, mark: float) -> str:
        texts = []
        for name in shown:
            places, known = decimals_of(objective, name, digits), found[each, name].get(mark)
            if known is None:
                texts.append("-")
                continue
            ends = known.interval(f"{{:z.{places}f}}".format)
            texts.append(f"{known.mean:+z.{places}f} [{ends}]{'*' if known.is_proven else ' '}")
        return ", ".join(texts)

    kind = ("paired by seed" if paired else "Welch") + ("; less is better" if objective.sign < 0 else "")
    enough = f"with {LEAST_DIFFERENT} {'pairs that differ' if paired else 'runs of each'} or more"
    title = f"mean {objective.name} minus that of {versus} [95 % interval, {kind}], * where it excludes 0, {enough}"
    return table_of(rows, axis, title, others, text)


def share_table(
    rows: Sequence[Record], axis: str, target: float | Sequence[float], objective: Objective | None
) -> Table:
    """Return the table of the shares of an instance, of which all ``rows`` are."""
    least = (objective or SCORES).score(target)
    found = {each: shares(rows, rows[0].instance, each, least) for each in names(rows, "variant")}
    title = f"share of runs with {bound_text(target, objective)} [95 % interval, Wilson]"

    def text(each: str, mark: float) -> str:
        known = found[each].get(mark)
        return f"{known.reached}/{known.runs} [{known.low:.2f}, {known.high:.2f}]" if known else "-"

    return table_of(rows, axis, title, [*found], text)


def least_score(rows: Iterable[Record], target: float | Sequence[float], objective: Objective | None) -> float:
    """Return the least score that reaches a target."""
    known = objective or SCORES
    least = known.score(target)
    if isinstance(target, (int, float)):
        require_same_side("the target", target, (known.value(row.score) for row in rows), objective)
    return least


def require_same_side(what: str, value: float, figures: Iterable[float], objective: Objective | None) -> None:
    """Raise InputError if a value has another sign than all that it is compared with: a score given as a cost."""
    if objective is not None and objective.sign > 0:
        return
    found = list(figures)
    if not found or not (value < 0 < min(found) or max(found) < 0 < value):
        return
    name = (objective or SCORES).name
    why = "" if objective is not None else ", as no description of the experiment says which problem it is of"
    raise InputError(
        f"{what} {value:.12g} has the wrong sign: it is a {name} here{why}, and those of the runs "
        f"are {min(found):.12g} to {max(found):.12g}; expected one such as {-value:.12g}"
    )


def bound_text(target: float | Sequence[float], objective: Objective | None) -> str:
    """Return what a run that reaches a target has found, in words."""
    known = objective or SCORES
    if isinstance(target, (int, float)):
        return f"{known.name} {'≤' if known.sign < 0 else '≥'} {target:.12g}"
    return f"{known.name} {', '.join(f'{value:.12g}' for value in target)} or better"
