"""Tables as the papers print them: the mean over the runs, with 2σ/√n in parentheses, a row for each doubling."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nrpa.base.errors import escaped
from nrpa.bench.continued import SCORES, decimals_of, read_lines
from nrpa.bench.records import Record
from nrpa.io.text import aligned
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


def mark_text(mark: float, axis: str) -> str:
    """Return a budget mark as it is printed."""
    return f"{mark:,.0f}" if axis == "playouts" else f"{mark:.2f}"


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
    lines = [[mark_text(mark, axis), *(text(each, mark) for each in variants)] for mark in marks_of(rows, instance)]
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
    text = f"{cell.mean:.{digits}f}"
    if cell.runs > 1:
        text += f" ({cell.half_width:.{digits}f})"
    return text if cell.runs == runs else f"{text} n={cell.runs}"
