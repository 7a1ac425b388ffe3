"""What a tree search thinks of: the most visited moves, their visits and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from nrpa.base.errors import InputError
from nrpa.games.choice import Choice
from nrpa.games.session import GameSession
from nrpa.plots.picture import Axes, new_axes, of_axes, set_frame, without_formulas
from nrpa.search.run import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from nrpa.modelling.objective import Objective
    from nrpa.solvers.tree.lines import TreeNode

NODES = 40
ROW_INCHES, COLUMN_INCHES = 0.24, 1.7
WIDEST = 8.0  # the width of a line, in points
COLOURS = "cividis"
"""Dark to bright, the same for colour-blind eyes."""


@of_axes
def tree(searched: Run | GameSession | Choice, ax: Axes | None = None, *, nodes: int = NODES) -> Axes:
    """Draw the most visited moves of a tree search.

    A line leads from each move to those after it, the wider the more visits it has. Beside a move are its name, its
    visits and its value: in a game the mean reward of who makes it, else the mean score, as a cost where the objective
    is one. A move that is solved has a square. ``+ 3`` says that three more moves were tried and are left out.

    Parameters
    ----------
    searched : Run, GameSession or Choice
        A run of a tree search, also one that ``nrpa.resume`` has read; a session that has thought; or a choice that was
        made with ``tree=``.
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
    'hex 3x3: 95 tree walks'
    """
    root = searched.tree if isinstance(searched, Choice) else searched.tree(nodes)
    if root is None:
        raise InputError("the choice keeps no tree; expected one that was made with tree=40, or so")
    places, objective = _places(root), searched.problem.objective if isinstance(searched, Run) else None
    deepest, rows = max(place.depth for place in places), 1 + max(place.row for place in places)
    axes = new_axes() if ax is None else ax
    if ax is None:
        size = COLUMN_INCHES * (deepest + 1), 0.9 + ROW_INCHES * rows
        cast("Figure", axes.figure).set_size_inches(max(5.0, size[0]), max(2.4, size[1]))
    _draw_moves(axes, places, objective)
    set_frame(axes, f"{root.move}: {root.visits:,} tree walks", ends=((-0.1, deepest + 0.8), (rows - 0.3, -0.8)))
    axes.set_axis_off()
    return without_formulas(axes)


class _Place(NamedTuple):
    """Where a node is drawn; ``above`` is the row of the node before it."""

    node: TreeNode
    depth: int
    row: int
    above: int


def _places(root: TreeNode) -> list[_Place]:
    """Return a place for each node: the first one after another is beside it, the others are in rows of their own."""
    found: list[_Place] = []
    row, last, rows = 0, -1, dict[int, int]()
    for depth, node in root.lines():
        row += depth <= last
        rows[depth], last = row, depth
        found.append(_Place(node, depth, row, rows.get(depth - 1, 0)))
    return found


def _draw_moves(axes: Axes, places: list[_Place], objective: Objective | None) -> None:
    from matplotlib.collections import LineCollection

    root, *others = places
    is_cost = objective is not None and objective.sign < 0
    values = [place.node.value if objective is None else objective.value(place.node.value) for place in others]
    bent = np.linspace(0.0, 1.0, 24)
    curves = [
        np.column_stack([p.depth - 1 + bent, p.above + (p.row - p.above) * bent**2 * (3 - 2 * bent)]) for p in others
    ]
    widths = [0.8 + WIDEST * place.node.visits / max(1, root.node.visits) for place in others]
    # Bright is better.
    coloured: dict[str, Any] = {"cmap": COLOURS + "_r" * is_cost, "clim": (min(values), max(values))}
    lines = LineCollection(curves, linewidths=widths, array=values, capstyle="round", **coloured)
    axes.add_collection(lines)
    for marker, is_solved in (("o", False), ("s", True)):
        own = [(p.depth, p.row, value) for p, value in zip(others, values, strict=True) if p.node.solved is is_solved]
        if own:
            x, y, c = zip(*own, strict=True)
            style: dict[str, Any] = {"s": 34, "edgecolor": "black", "linewidth": 0.7, "zorder": 3}
            axes.scatter(x, y, c=c, marker=marker, **style).set(**coloured)
    axes.plot(0, root.row, "o", color="black", markersize=5, zorder=3)
    for place, value in zip(others, values, strict=True):
        node = place.node
        worth = f"{value:z.3f}" if objective is None else objective.text(value)
        said = f"{node.move}  {node.visits:,}  {worth}" + f"  + {node.left_out}" * (node.left_out > 0)
        axes.annotate(said, (place.depth, place.row), (4, 3), textcoords="offset points", fontsize=7, zorder=4)
    if root.node.left_out:
        axes.annotate(f"+ {root.node.left_out}", (0, 0), (4, 3), textcoords="offset points", fontsize=7)
    bar = cast("Figure", axes.figure).colorbar(lines, ax=axes, shrink=0.6, pad=0.01)
    bar.ax.tick_params(labelsize=7)
    bar.set_label("mean reward of who makes the move" if objective is None else f"mean {objective.name}", fontsize=7)
