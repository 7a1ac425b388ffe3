"""Means, differences and shares of runs, with their intervals."""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.bench.records import Record

stats = lazy("scipy.stats")

CONFIDENCE = 0.95
# A spread of so much of the scores is none: sums of the same numbers in another order differ by that.
ROUNDING = 1e-13
# With fewer pairs that differ even a win in each of them can be chance: 2 / 2^5 is above 5 %. An interval of so few
# says little, too, as their spread is hardly known.
LEAST_DIFFERENT = 6


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


def mean_difference(
    first: dict[int, float], second: dict[int, float], *, paired: bool = False, confidence: float = CONFIDENCE
) -> Difference:
    """Return the mean of some scores minus that of others, with its t interval.

    Raises InputError if there are fewer than two runs of each, or fewer than two pairs.

    Source: B. L. Welch, *The generalization of "Student's" problem when several different population variances are
    involved*, Biometrika 34, 1947.

    >>> found = mean_difference({1: 5.0, 2: 7.0, 3: 6.0}, {1: 4.0, 2: 5.0, 3: 6.0}, paired=True)
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
        mark: mean_difference(a, b, paired=paired)
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
