"""Tables as the papers print them: the mean over the runs, with 2σ/√n in parentheses, a row for each doubling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from nrpa.bench.records import Record


class Cell(NamedTuple):
    """Mean score over ``runs`` runs, and 2σ/√n, σ being the sample standard deviation (nan for one run)."""

    mean: float
    half_width: float
    runs: int


def scores(rows: Iterable[Record]) -> dict[tuple[str, float, str], dict[int, float]]:
    """Return for each (instance, mark, variant) the scores by seed."""
    found: dict[tuple[str, float, str], dict[int, float]] = defaultdict(dict)
    for row in rows:
        found[row.instance, row.mark, row.variant][row.seed] = row.score
    return dict(found)


def cells(rows: Iterable[Record]) -> dict[tuple[str, float, str], Cell]:
    """Return the table's cell for each (instance, mark, variant)."""
    return {key: cell(list(found.values())) for key, found in scores(rows).items()}


def cell(values: Sequence[float]) -> Cell:
    """Return mean and 2σ/√n of the scores ``values``, at least one."""
    array = np.asarray(values, np.float64)
    n = len(array)
    half = 2 * float(array.std(ddof=1)) / n**0.5 if n > 1 else float("nan")
    return Cell(float(array.mean()), half, n)


def marks_of(rows: Iterable[Record], instance: str) -> list[float]:
    """Return the budget marks of an instance, in order."""
    return sorted({row.mark for row in rows if row.instance == instance})


def mark_text(mark: float, axis: str) -> str:
    """Return a budget mark as it is printed."""
    return f"{mark:,.0f}" if axis == "playouts" else f"{mark:.2f}"


def table_text(rows: Sequence[Record], axis: str, digits: int = 2) -> str:
    """Return a table for each instance. Where runs lack a mark, the cell says how many it stands for."""
    return "\n\n".join(_table(rows, axis, instance, digits) for instance in names(rows, "instance"))


def names(rows: Iterable[Record], field: str) -> list[str]:
    """Return the different values of a field in their order."""
    return list(dict.fromkeys(getattr(row, field) for row in rows))


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Return cells as text in columns, aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in lines)


def _table(rows: Sequence[Record], axis: str, instance: str, digits: int) -> str:
    mine = [row for row in rows if row.instance == instance]
    variants = names(mine, "variant")
    runs = {variant: len({row.seed for row in mine if row.variant == variant}) for variant in variants}
    found = cells(mine)
    lines = [[axis, *variants]]
    for mark in marks_of(mine, instance):
        texts = [_cell_text(found.get((instance, mark, variant)), runs[variant], digits) for variant in variants]
        lines.append([mark_text(mark, axis), *texts])
    how_many = ", ".join(dict.fromkeys(str(n) for n in runs.values()))
    return f"{instance}: mean score of {how_many} runs (2σ/√n)\n{aligned(lines)}"


def _cell_text(cell: Cell | None, runs: int, digits: int) -> str:
    if cell is None:
        return "-"
    text = f"{cell.mean:.{digits}f}"
    if cell.runs > 1:
        text += f" ({cell.half_width:.{digits}f})"
    return text if cell.runs == runs else f"{text} n={cell.runs}"
