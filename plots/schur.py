"""The parts of a weak Schur partition as rows of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nrpa.plots.picture import titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nrpa.problems.schur.problem import WeakSchur


def draw_parts(problem: WeakSchur, solution: list[list[int]], axes: Axes) -> None:
    """Draw a row for each part, dark where a number belongs to it."""
    for row, part in enumerate(solution, 1):
        numbers = np.sort(np.array(part, np.int64))
        ends = np.flatnonzero(np.diff(numbers) != 1)
        first = numbers[np.concatenate([[0], ends + 1])] if len(part) else numbers
        last = numbers[np.concatenate([ends, [len(part) - 1]])] if len(part) else numbers
        runs = np.stack([first - 0.5, last - first + 1.0], axis=1)
        axes.broken_barh([(float(x), float(width)) for x, width in runs], (row - 0.4, 0.8), facecolor=f"C{row % 10}")
    placed = sum(map(len, solution))
    axes.set_xlim(0.5, max(placed, 1) + 0.5)
    axes.set_ylim(len(solution) + 0.6, 0.4)
    axes.set_yticks(range(1, len(solution) + 1))
    axes.set_xlabel("number")
    axes.set_ylabel("part")
    axes.set_title(titled(problem, f"{placed} numbers"), fontsize="medium")
