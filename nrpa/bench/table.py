"""The tables of an experiment, as papers print them."""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median, variance
from typing import NamedTuple

from nrpa.base.errors import InputError, escaped
from nrpa.base.lazy import lazy
from nrpa.base.values import aligned
from nrpa.bench.description import order_of
from nrpa.bench.records import AT_THE_TARGET, SCORES, End, Record
from nrpa.bench.statistics import LEAST_DIFFERENT, Cell, Difference, cells, differences, shares
from nrpa.io.csv_lines import read_lines
from nrpa.modelling.objective import Lexicographic, Objective
from nrpa.search.curve import WALL, of_clock

stats = lazy("scipy.stats")

DIGITS = 2


class TextTable(NamedTuple):
    """What is shown of an instance: the names of the columns, and a line for each budget mark."""

    instance: str
    title: str
    head: list[str]
    lines: list[list[str]]

    def text(self) -> str:
        """Return the table as text."""
        return f"{escaped(f'{self.instance}: {self.title}')}\n{aligned([self.head, *self.lines])}"


def marks_of(rows: Iterable[Record], instance: str, published: Iterable[tuple[str, float, str]] = ()) -> list[float]:
    """Return the budget marks of an instance: those of its rows, and those published for one of their variants."""
    mine = [row for row in rows if row.instance == instance]
    variants = {row.variant for row in mine}
    also = {mark for name, mark, variant in published if name == instance and variant in variants}
    return sorted({row.mark for row in mine} | also)


def mark_text(mark: float, axis: str) -> str:
    """Return a mark as it is printed."""
    return f"{mark:{',.0f' if axis == 'playouts' else '.2f'}}"


def by_figure(objective: Objective | None, rows: Iterable[Record]) -> dict[str, list[Record]]:
    """Return for each figure of an objective the rows with its values in place of their scores."""
    found: dict[str, list[Record]] = defaultdict(list)
    for row in rows:
        for name, value in (objective or SCORES).figures(row.score).items():
            found[name].append(row._replace(score=value))
    return found


def fault_rows(objective: Objective | None, rows: Iterable[Record]) -> list[Record]:
    """Return rows with the number of faults in place of their scores; none where scores have no penalties."""
    if objective is None or not objective.penalty:
        return []
    return [row._replace(score=objective.faults(objective.value(row.score))) for row in rows]


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


def each_instance(rows: Iterable[Record], table: Callable[[list[Record]], TextTable]) -> str:
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
    rows: Sequence[Record],
    axis: str,
    title: str,
    variants: Sequence[str],
    text: Callable[[str, float], str],
    published: Iterable[tuple[str, float, str]] = (),
) -> TextTable:
    """Return a table of an instance, of which all ``rows`` are; ``text`` is that of the cell of a variant at a mark."""
    instance = rows[0].instance
    marks = marks_of(rows, instance, published)
    lines = [[mark_text(mark, axis), *(text(each, mark) for each in variants)] for mark in marks]
    return TextTable(instance, title, [axis, *variants], lines)


def mean_table(
    rows: Sequence[Record],
    axis: str,
    digits: int | None,
    objective: Objective | None,
    published: Mapping[tuple[str, float, str], str] | None = None,
) -> TextTable:
    """Return the table of the means of an instance, of which all ``rows`` are; published cells follow ours."""
    found = {name: cells(of_name) for name, of_name in by_figure(objective, rows).items()}
    faults = cells(fault_rows(objective, rows))
    runs = runs_of(rows)
    how_many = ", ".join(dict.fromkeys(map(str, runs.values())))

    def text(variant: str, mark: float) -> str:
        key = rows[0].instance, mark, variant
        texts = (cell_text(found[name].get(key), runs[variant], decimals_of(objective, name, digits)) for name in found)
        ours = ", ".join(texts)
        if objective is not None and not published and key in faults and faults[key].mean:
            ours = objective.faults_text(faults[key].mean)
        return f"{ours} / {published[key]}" if published and key in published else ours

    title = f"mean {(objective or SCORES).name} of {how_many} run{'s' * (how_many != '1')} (2σ/√n)"
    return table_of(rows, axis, title + " / published" * bool(published), [*runs], text, published or ())


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


def require_variant(rows: Iterable[Record], name: str) -> None:
    """Raise InputError if there is no variant of that name."""
    known = names(rows, "variant")
    if name not in known:
        raise InputError(f"there is no variant {name!r}; expected one of {', '.join(known)}")


def difference_table(
    rows: Sequence[Record], axis: str, versus: str, paired: bool, digits: int | None, objective: Objective | None
) -> TextTable:
    """Return the table of the differences of an instance, of which all ``rows`` are."""
    objective = objective or SCORES
    shown = by_figure(objective, rows)
    others = [variant for variant in names(rows, "variant") if variant != versus]
    found = {
        (each, name): differences(of_name, rows[0].instance, each, versus, paired=paired)
        for each in others
        for name, of_name in shown.items()
    }
    counted = fault_rows(objective, rows)
    faulty = {(row.mark, row.variant) for row in counted if row.score}

    def text(each: str, mark: float) -> str:
        if {(mark, each), (mark, versus)} & faulty:
            known = differences(counted, rows[0].instance, each, versus, paired=paired).get(mark)
            return difference_text(known, DIGITS).rstrip() + f" {objective.faults_name}" * bool(known)
        texts = (difference_text(found[each, name].get(mark), decimals_of(objective, name, digits)) for name in shown)
        return ", ".join(texts)

    kind = ("paired by seed" if paired else "Welch") + ("; less is better" if objective.sign < 0 else "")
    enough = f"with {LEAST_DIFFERENT} {'pairs that differ' if paired else 'runs of each'} or more"
    title = f"mean {objective.name} minus that of {versus} [95 % interval, {kind}], * where it excludes 0, {enough}"
    return table_of(rows, axis, title, others, text)


def difference_text(known: Difference | None, digits: int) -> str:
    """Return a difference as it is printed, with its interval and a star where that excludes 0."""
    if known is None:
        return "-"
    ends = known.interval(f"{{:z.{digits}f}}".format)
    return f"{known.mean:+z.{digits}f} [{ends}]{'*' if known.is_proven else ' '}"


def share_table(
    rows: Sequence[Record], axis: str, target: float | Sequence[float], objective: Objective | None
) -> TextTable:
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


def decimals_of(objective: Objective | None, name: str, digits: int | None = None) -> int:
    """Return how many decimals means of a figure have: ``digits`` if given, else 2, or more if the figure has more."""
    return max(DIGITS, (objective or SCORES).of(name).digits) if digits is None else digits


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
        means = [_mean_texts(of_figure, figure, objective) for figure, of_figure in values.items()]
        seconds, playouts = [end.seconds for end in found], [end.playouts for end in found]
        reached = sum(end.status in AT_THE_TARGET for end in found)
        row = [f"{median(seconds):.2f}", f"{max(seconds):.2f}", f"{median(playouts):,.0f}", f"{max(playouts):,}"]
        lines.append([variant, str(len(found)), str(reached), *row, *map(", ".join, zip(*means, strict=True))])
    return aligned(lines)


def _mean_texts(values: Mapping[str, list[float]], name: str, objective: Objective | None) -> tuple[str, str]:
    """Return the mean of the means of the instances, with its interval, and their sum; of faults, if there are any."""
    digits, known = decimals_of(objective, name), (objective or SCORES).of(name)
    faults = [fmean(map(known.faults, each)) for each in values.values()]
    if any(faults):
        return known.faults_text(fmean(faults)), known.faults_text(sum(faults))
    means = [fmean(each) for each in values.values()]
    mean = f"{fmean(means):.{digits}f}"
    if all(len(each) > 1 for each in values.values()):
        spread = math.sqrt(sum(variance(each) / len(each) for each in values.values())) / len(means)
        mean += f" ({2 * spread:.{digits}f})"
    return mean, f"{sum(means):.{digits}f}"


def standing(rows: Sequence[Record], axis: str, base: str) -> TextTable | None:
    """Return a table with a line for each variant, the best first.

    Means are compared at the last mark that all variants have; an instance without one is left out. None for one
    variant alone, or where no instance is left.

    >>> pairs = [("A", 1.0), ("B", 2.0)]
    >>> rows = [Record(name, "i", seed, 1.0, 9, score) for name, score in pairs for seed in range(6)]
    >>> table = standing(rows, "seconds", "A")
    >>> table.head
    ['variant', 'best on', 'mean rank', 'better than A on', 'worse on']
    >>> table.lines
    [['B', '1', '1.00', '1', '0'], ['A', '0', '2.00', '-', '-']]
    """
    variants, found = names(rows, "variant"), cells(rows)
    ranks: list[list[float]] = []
    sides: list[list[int]] = []
    for instance in names(rows, "instance"):
        marks = [mark for mark in marks_of(rows, instance) if all((instance, mark, v) in found for v in variants)]
        if marks:
            means = [found[instance, marks[-1], variant].mean for variant in variants]
            ranks.append(stats.rankdata([-mean for mean in means], "min").tolist())
            sides.append([_side(rows, instance, variant, base, marks[-1]) for variant in variants])
    if len(variants) == 1 or not ranks:
        return None
    lines = []
    for place, variant in enumerate(variants):
        own = [of_instance[place] for of_instance in ranks]
        proven = [of_instance[place] for of_instance in sides]
        against = ["-", "-"] if variant == base else [str(proven.count(1)), str(proven.count(-1))]
        lines.append([variant, str(own.count(1)), f"{fmean(own):.2f}", *against])
    head = ["variant", "best on", "mean rank", f"better than {base} on", "worse on"]
    enough = f"with {LEAST_DIFFERENT} runs of each or more"
    proven_where = f"better and worse where the 95 % interval (Welch) of the difference excludes 0, {enough}"
    instances = f"{len(ranks)} of {len(names(rows, 'instance'))} instances"
    return TextTable(
        instances, f"at the last mark by {axis}; {proven_where}", head, sorted(lines, key=lambda line: float(line[2]))
    )


def _side(rows: Sequence[Record], instance: str, variant: str, base: str, mark: float) -> int:
    """Return 1 where a variant is proven better than another at a mark, -1 where it is proven worse, else 0."""
    found = differences(rows, instance, variant, base).get(mark)
    return 0 if found is None or not found.is_proven else 1 if found.mean > 0 else -1
