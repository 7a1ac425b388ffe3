"""Rooted trees in layers, so that no edge goes through a vertex, and none crosses another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nrpa.plots.picture import DISTINCT, Axes


def places(parents: Sequence[int]) -> np.ndarray:
    """Return where the vertices of a tree go, float64[n, 2]: leaves side by side, others over their children.

    ``parents`` are those of vertices 1, 2, 3 …, each before it; vertex 0 is the root.

    >>> places([0, 0, 1]).tolist()
    [[0.5, 0.0], [0.0, -1.0], [1.0, -1.0], [0.0, -2.0]]
    """
    children: list[list[int]] = [[] for _ in range(len(parents) + 1)]
    for child, parent in enumerate(parents, start=1):
        children[parent].append(child)
    found, leaves, order = np.zeros((len(children), 2)), 0, [0]
    for vertex in order:
        order += children[vertex]
        found[children[vertex], 1] = found[vertex, 1] - 1
    stack = [0]
    while stack:
        vertex = stack.pop()
        stack += reversed(children[vertex])
        if not children[vertex]:
            found[vertex, 0], leaves = leaves, leaves + 1
    for vertex in reversed(order):
        if below := children[vertex]:
            found[vertex, 0] = (found[below[0], 0] + found[below[-1], 0]) / 2
    return found


def draw_rooted(parents: Sequence[int], axes: Axes) -> None:
    """Draw a tree, its root at the top."""
    found = places(parents)
    for child, parent in enumerate(parents, start=1):
        axes.plot(*found[[child, parent]].T, color="0.5", linewidth=1, zorder=1)
    axes.plot(*found.T, "o", color=DISTINCT[2], zorder=2)
    axes.set_axis_off()
