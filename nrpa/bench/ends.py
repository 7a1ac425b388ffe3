"""How the runs of an experiment ended that end at a target or after some searches: a CSV with a row for each run."""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import fmean, median, variance
from typing import Any, NamedTuple

from nrpa.base.errors import InputError, escaped
from nrpa.base.numerals import number_of, whole_of
from nrpa.bench.continued import read_field, read_lines
from nrpa.bench.description import SCORES, order_of
from nrpa.bench.records import SEED_DIGITS, Key
from nrpa.bench.table import decimals_of
from nrpa.io.text import aligned
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.lexicographic import Lexicographic
from nrpa.modelling.objective import Objective
from nrpa.search.clock import WALL, of_clock
from nrpa.search.result import Result

BEST_KNOWN = "best known"
AT_THE_TARGET = ("target", "optimal")


class End(NamedTuple):
    """How a run ended; ``figures`` are those of its best solution, as ``cost=878.64 violations=0``."""

    variant: str
    instance: str
    seed: int
    status: str
    seconds: float
    playouts: int
    value: float
    figures: str

    @property
    def run(self) -> Key:
        """The run: variant, instance and seed."""
        return self.variant, self.instance, self.seed


def target_on(problem: BaseProblem, target: Any) -> float | list[float] | None:
    """Return the value at which a run ends, None where that is a proven bound; a known one with decimals is rounded.

    Raises InputError where there is none, or the problem's objective has no such value.
    """
    if not isinstance(target, str):
        if target is not None:
            problem.objective.score(target)
        of_problem: float | list[float] | None = target
        return of_problem
    known, objective = problem.best_known, problem.objective
    if known is None and problem.bound() is None:
        raise InputError(f"{problem.label}: has no best known value, which is the target")
    if known is None:
        return None
    rounding = 0.0 if known.value.is_integer() else 0.51 * 10.0**-objective.digits
    return known.value - objective.sign * rounding


def runs_path(path: str | os.PathLike[str]) -> Path:
    """Return where the ends of the runs go."""
    return Path(path).with_suffix(".runs.csv")


def end_of(result: Result, key: Key) -> End:
    """Return how a run ended."""
    figures = escaped(" ".join(f"{name}={value}" for name, value in result.figures.items()))
    return End(*key, result.status, round(result.seconds, 3), result.playouts, result.value, figures)


def read_ends(path: Path) -> list[End]:
    """Return the rows of a file, in the order in which the runs ended. Raises InputError if it is another file."""
    return [
        End(
            fields["variant"],
            fields["instance"],
            read_field(where, fields, "seed", lambda text: whole_of(text, SEED_DIGITS)),
            fields["status"],
            read_field(where, fields, "seconds", number_of),
            read_field(where, fields, "playouts", whole_of),
            read_field(where, fields, "value", number_of),
            fields["figures"],
        )
        for where, fields in read_lines(path, End._fields, writer="nrpa bench").fields
    ]


def ends_text(ends: Iterable[End], variants: Iterable[str], objective: Objective | None, clock: str = WALL) -> str:
    """Return a table of the variants, in this order: how many runs reached the target, by when, and what they found."""
    by_variant: dict[str, list[End]] = defaultdict(list)
    for end in ends:
        by_variant[end.variant].append(end)
    order = order_of(variants)
    name = (objective or SCORES).name
    titles = [f"median s{of_clock(clock)}", "longest", "median playouts", "most", f"mean {name}", "sum of instances"]
    lines = [["variant", "runs", "target", *titles]]
    for variant, found in sorted(by_variant.items(), key=lambda item: order(item[0])):
        values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for end in found:
            figures = objective.figures(end.value) if isinstance(objective, Lexicographic) else {name: end.value}
            for figure, value in figures.items():
                values[figure][end.instance].append(value)
        means = [_mean_texts(of_figure, decimals_of(objective, figure)) for figure, of_figure in values.items()]
        seconds, playouts = [end.seconds for end in found], [end.playouts for end in found]
        reached = sum(end.status in AT_THE_TARGET for end in found)
        row = [f"{median(seconds):.2f}", f"{max(seconds):.2f}", f"{median(playouts):,.0f}", f"{max(playouts):,}"]
        lines.append([variant, str(len(found)), str(reached), *row, *map(", ".join, zip(*means, strict=True))])
    return aligned(lines)


def _mean_texts(values: Mapping[str, list[float]], digits: int) -> tuple[str, str]:
    """Return the mean of the means of the instances, with its interval, and their sum."""
    means = [fmean(each) for each in values.values()]
    mean = f"{fmean(means):.{digits}f}"
    if all(len(each) > 1 for each in values.values()):
        spread = math.sqrt(sum(variance(each) / len(each) for each in values.values())) / len(means)
        mean += f" ({2 * spread:.{digits}f})"
    return mean, f"{sum(means):.{digits}f}"
