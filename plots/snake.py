"""A snake or coil as the walk of its head: which dimension each edge goes along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nrpa.plots.picture import titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nrpa.problems.snake.problem import Snake


def draw_walk(problem: Snake, solution: list[int], axes: Axes) -> None:
    """Draw a point for each edge: its number across, its dimension up."""
    axes.vlines(range(1, len(solution) + 1), [d - 0.4 for d in solution], [d + 0.4 for d in solution], color="C0")
    axes.set_xlim(0.5, max(len(solution), 1) + 0.5)
    axes.set_ylim(-0.6, problem.dimensions - 0.4)
    axes.set_yticks(range(problem.dimensions))
    axes.set_xlabel("edge")
    axes.set_ylabel("dimension")
    axes.set_title(titled(problem, f"{problem.check(solution).figures.get('edges')} edges"), fontsize="medium")
