"""A colouring as a matrix: the nodes sorted by colour, a dot for each edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nrpa.plots.picture import titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nrpa.problems.coloring.problem import Coloring


def draw_classes(problem: Coloring, solution: list[int], axes: Axes) -> None:
    """Draw the adjacency matrix, nodes of one colour side by side; their blocks are empty unless edges clash."""
    from matplotlib.patches import Rectangle

    colours = np.array(solution)
    order = np.argsort(colours, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    ends = place[np.concatenate([problem.edges, problem.edges[:, ::-1]])]
    clashing = colours[order[ends[:, 0]]] == colours[order[ends[:, 1]]]
    size = max(0.3, min(4.0, 150 / max(problem.nodes, 1)))
    axes.plot(*ends[~clashing].T, "s", color="0.75", markersize=size, markeredgewidth=0)
    axes.plot(*ends[clashing].T, "s", color="C3", markersize=2 * size, markeredgewidth=0)
    first = np.flatnonzero(np.diff(colours[order], prepend=-1))
    for begin, end in zip(first, [*first[1:], len(order)], strict=True):
        corner, side = (begin - 0.5, begin - 0.5), end - begin
        axes.add_patch(Rectangle(corner, side, side, facecolor="none", edgecolor="C0"))
    axes.set_xlim(-0.5, problem.nodes - 0.5)
    axes.set_ylim(problem.nodes - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xlabel("nodes by colour")
    axes.set_title(titled(problem, f"{len(set(solution))} colours"), fontsize="medium")
