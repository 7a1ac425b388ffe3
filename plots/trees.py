"""Rooted trees: what a tree search thinks of, its most visited moves with visits and values; and solutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from nrpa.base.errors import InputError
from nrpa.games.choice import Choice
from nrpa.plots.picture import DISTINCT, Axes, new_axes, of_axes, set_frame, without_formulas
from nrpa.search.run import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NODES = 40
ROW_INCHES, COLUMN_INCHES = 0.24, 1.7
WIDEST, SMALL = 8.0, 7  # of lines and letters, in points


@of_axes
def tree(searched: Run | Choice, ax: Axes | None = None, *, nodes: int = NODES) -> Axes:
    """Draw the most visited moves of a tree search.

    A line leads from each move to those after it, the wider the more visits it has. Beside a move are its name, its
    visits and its value: in a game the mean reward of who makes it, else the mean score, as a cost where the objective
    is one. ``+ 3`` says that three more moves were tried and are left out.

    Parameters
    ----------
    searched : Run or Choice
        A run of a tree search, also one that ``nrpa.resume`` has read; or a choice that was made with ``tree=``.
    nodes : int
        The most moves to draw; of a choice, those that it keeps.

    Raises
    ------
    InputError
        If there is no tree: another solver, or a choice without.

    Examples
    --------
    >>> import nrpa
    >>> choice = nrpa.choose(nrpa.Hex(size=3, first="none"), nrpa.UCT(), playouts=100, tree=20)
    >>> tree(choice).get_title()
    'hex 3x3: 100 tree walks; moves with visits and mean reward of who makes them'
    """
    from matplotlib.collections import LineCollection

    root = searched.tree if isinstance(searched, Choice) else searched.tree(nodes)
    if root is None:
        raise InputError("the choice keeps no tree; expected one that was made with tree=40, or so")
    objective = searched.problem.objective if isinstance(searched, Run) else None
    found, parents = root.flat()
    # From left to right: the root, its moves, those after them.
    places = layers(parents)[:, ::-1] * (-1, 1)
    right, down = places.max(axis=0)
    axes = new_axes() if ax is None else ax
    if ax is None:
        size = max(5.0, COLUMN_INCHES * (1 + right)), max(2.4, 0.9 + ROW_INCHES * (1 + down))
        cast("Figure", axes.figure).set_size_inches(*size)
    widths = [0.8 + WIDEST * node.visits / max(1, root.visits) for node in found[1:]]
    edges = [*zip(places[parents], places[1:], strict=True)]
    axes.add_collection(LineCollection(edges, linewidths=widths, colors="0.7", capstyle="round"))
    # Bright is better, of values as they are maximised.
    style: dict[str, Any] = {"s": 34, "edgecolor": "black", "linewidth": 0.7, "zorder": 3, "cmap": "cividis"}
    axes.scatter(places[1:, 0], places[1:, 1], c=[node.value for node in found[1:]], **style)
    axes.plot(0, 0, "o", color="black", markersize=5, zorder=3)
    for place, node in zip(places, found, strict=True):
        value = f"{node.value:z.3f}" if objective is None else objective.text(objective.value(node.value))
        said = [node.move, f"{node.visits:,}", value, *["proven"] * node.solved] if node is not root else []
        said += [f"+ {node.left_out}"] * (node.left_out > 0)
        axes.annotate("  ".join(said), place, (4, 3), textcoords="offset points", fontsize=SMALL, zorder=4)
    mean = "mean reward of who makes them" if objective is None else f"mean {objective.name}"
    title = f"{root.move}: {root.visits:,} tree walks; moves with visits and {mean}"
    set_frame(axes, title, ends=((-0.1, right + 0.8), (down + 0.7, -0.8)))
    axes.set_axis_off()
    return without_formulas(axes)


def draw_rooted(parents: Sequence[int], axes: Axes) -> None:
    """Draw a tree, its root at the top."""
    places = layers(parents)
    for child, parent in enumerate(parents, start=1):
        axes.plot(*places[[child, parent]].T, color="0.5", linewidth=1, zorder=1)
    axes.plot(*places.T, "o", color=DISTINCT[2], zorder=2)
    axes.set_axis_off()


def layers(parents: Sequence[int]) -> np.ndarray:
    """Return where vertices go, float64[n, 2], so that no edge crosses another or goes through a vertex.

    A leaf has a column of its own, and the first child is below its parent. ``parents`` are those of vertices 1, 2, 3
    …, each before it; vertex 0 is the root.

    >>> layers([0, 0, 1]).tolist()
    [[0.0, 0.0], [0.0, -1.0], [1.0, -1.0], [0.0, -2.0]]
    """
    children: list[list[int]] = [[] for _ in range(len(parents) + 1)]
    for child, parent in enumerate(parents, start=1):
        children[parent].append(child)
    places, column, stack = np.zeros((len(children), 2)), 0, [0]
    while stack:
        vertex = stack.pop()
        below = children[vertex]
        places[vertex, 0], places[below, 1] = column, places[vertex, 1] - 1
        column += not below
        stack += reversed(below)
    return places
