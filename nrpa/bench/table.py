"""Tables as the papers print them: the mean over the runs, with 2σ/√n in parentheses, a row for each doubling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from nrpa.bench.records import Record
from nrpa.bench.unit import SCORES
from nrpa.modelling.objective import Objective

DIGITS = 2


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
    """Return the scores of rows by what they are of.

    Parameters
    ----------
    rows : iterable of Record
        The rows.

    Returns
    -------
    dict of tuple to dict
        For each (instance, mark, variant) the scores by seed.
    """
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


def cell(values: Sequence[float]) -> Cell:
    """Return the cell of some scores.

    Parameters
    ----------
    values : sequence of float
        The scores, at least one.

    Returns
    -------
    Cell
        Their mean and 2σ/√n.

    Examples
    --------
    >>> cell([1.0, 3.0])
    Cell(mean=2.0, half_width=2.0, runs=2)
    >>> cell([1.0])
    Cell(mean=1.0, half_width=nan, runs=1)
    """
    array = np.asarray(values, np.float64)
    n = len(array)
    half = 2 * float(array.std(ddof=1)) / n**0.5 if n > 1 else float("nan")
    return Cell(float(array.mean()), half, n)


def marks_of(rows: Iterable[Record], instance: str) -> list[float]:
    """Return the budget marks of an instance.

    Parameters
    ----------
    rows : iterable of Record
        The rows, of any instances.
    instance : str
        The instance.

    Returns
    -------
    list of float
        The marks, in seconds or playouts, ascending.
    """
    return sorted({row.mark for row in rows if row.instance == instance})


def mark_text(mark: float, axis: str) -> str:
    """Return a budget mark as it is printed.

    Parameters
    ----------
    mark : float
        The mark.
    axis : {"seconds", "playouts"}
        What it counts.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> mark_text(0.64, "seconds"), mark_text(65536, "playouts")
    ('0.64', '65,536')
    """
    return f"{mark:,.0f}" if axis == "playouts" else f"{mark:.2f}"


def in_terms_of(objective: Objective | None, rows: Iterable[Record]) -> list[Record]:
    """Return rows with values of an objective in place of their scores.

    Parameters
    ----------
    objective : Objective or None
        The objective; None: scores.
    rows : iterable of Record
        The rows, with scores.

    Returns
    -------
    list of Record
        The rows.

    Examples
    --------
    >>> in_terms_of(Objective("cost", sign=-1), [Record("A", "rc204.1", 1, 0.01, 100, -900.0)])[0].score
    900.0
    """
    value = (objective or SCORES).value
    return [row._replace(score=value(row.score)) for row in rows]


def decimals_of(objective: Objective | None, digits: int | None = None) -> int:
    """Return how many decimals means are printed with: so many as asked for, else 2, or more where the problem has."""
    return max(DIGITS, (objective or SCORES).digits) if digits is None else digits


def table_text(rows: Sequence[Record], axis: str, digits: int | None = None, objective: Objective | None = None) -> str:
    """Return a table of the means for each instance, as the papers print them.

    Parameters
    ----------
    rows : sequence of Record
        The rows.
    axis : {"seconds", "playouts"}
        What the marks count.
    digits : int, optional
        Decimals of the means; 2, or more where the objective has more.
    objective : Objective, optional
        What is shown in place of the scores: ``Records.objective``.

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
    shown, decimals = in_terms_of(objective, rows), decimals_of(objective, digits)
    figure = (objective or SCORES).name
    return "\n\n".join(_table(shown, axis, instance, decimals, figure) for instance in names(rows, "instance"))


def names(rows: Iterable[Record], field: str) -> list[str]:
    """Return the different values of a field.

    Parameters
    ----------
    rows : iterable of Record
        The rows.
    field : str
        The field of ``Record``.

    Returns
    -------
    list of str
        The values in the order in which they first occur.
    """
    return list(dict.fromkeys(getattr(row, field) for row in rows))


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Return cells as text in columns, aligned to the right.

    Parameters
    ----------
    lines : sequence of sequence of str
        The cells of each line; all lines have equally many.

    Returns
    -------
    str
        The lines.
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in lines)


def _table(rows: Sequence[Record], axis: str, instance: str, digits: int, figure: str) -> str:
    mine = [row for row in rows if row.instance == instance]
    variants = names(mine, "variant")
    runs = {variant: len({row.seed for row in mine if row.variant == variant}) for variant in variants}
    found = cells(mine)
    lines = [[axis, *variants]]
    for mark in marks_of(mine, instance):
        texts = [cell_text(found.get((instance, mark, variant)), runs[variant], digits) for variant in variants]
        lines.append([mark_text(mark, axis), *texts])
    how_many = ", ".join(dict.fromkeys(str(n) for n in runs.values()))
    return f"{instance}: mean {figure} of {how_many} run{'s' * (how_many != '1')} (2σ/√n)\n{aligned(lines)}"


def cell_text(cell: Cell | None, runs: int, digits: int) -> str:
    """Return a cell as it is printed.

    Parameters
    ----------
    cell : Cell or None
        The cell; None where no run has the mark.
    runs : int
        The number of runs; where the cell stands for another, it says for how many.
    digits : int
        Decimals.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> cell_text(Cell(5.0, 2.581, 4), 4, 2), cell_text(Cell(5.0, 2.0, 3), 4, 0), cell_text(None, 4, 2)
    ('5.00 (2.58)', '5 (2) n=3', '-')
    """
    if cell is None:
        return "-"
    text = f"{cell.mean:.{digits}f}"
    if cell.runs > 1:
        text += f" ({cell.half_width:.{digits}f})"
    return text if cell.runs == runs else f"{text} n={cell.runs}"
