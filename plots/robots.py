"""Paths of robots on a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nrpa.plots.picture import DISTINCT, Axes, set_frame, titled
from nrpa.problems.mapf.paths import cells_of, verdict_of

if TYPE_CHECKING:
    from nrpa.problems.mapf.problem import MAPF


def draw_paths(problem: MAPF, solution: list[str], axes: Axes) -> None:
    """Draw the walls grey, and each path from the start, a dot, to the goal, a square."""
    walls = np.array([[letter not in ".G" for letter in row] for row in problem.grid])
    axes.imshow(walls, cmap="Greys", vmin=0, vmax=2)
    for k, (robot, path) in enumerate(zip(problem.robots, solution, strict=True)):
        colour, (x, y, *goal) = DISTINCT[k % len(DISTINCT)], robot
        axes.plot(*zip(*cells_of(robot, path), strict=True), color=colour, linewidth=1) if path != "-" else None
        axes.plot(x, y, "o", *goal, "s", color=colour, markersize=3)
    cost = verdict_of(problem.grid, problem.robots, solution).figures.get("cost")
    height, width = walls.shape
    ends = (-0.5, width - 0.5), (height - 0.5, -0.5)
    set_frame(axes, titled(problem, f"cost {cost}"), x="x", y="y", ends=ends, equal=True)
