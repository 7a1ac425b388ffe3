"""What a tree search thinks of: the most visited moves, their visits and values."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

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
WIDEST, SMALL = 8.0, 7  # of lines and letters, in points
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
    'hex 3x3: 100 tree walks'
    """
    root = searched.tree if isinstance(searched, Choice) else searched.tree(nodes)
    if root is None:
        raise InputError("the choice keeps no tree; expected one that was made with tree=40, or so")
    lines = [*root.lines()]
    depths, rows = np.array([depth for depth, _ in lines]), _rows_of([depth for depth, _ in lines])
    axes = new_axes() if ax is None else ax
    if ax is None:
        size = max(5.0, COLUMN_INCHES * (1 + depths.max())), max(2.4, 0.9 + ROW_INCHES * (1 + rows.max()))
        cast("Figure", axes.figure).set_size_inches(*size)
    _draw_moves(axes, lines, rows, searched.problem.objective if isinstance(searched, Run) else None)
    ends = (-0.1, depths.max() + 0.8), (rows.max() + 0.7, -0.8)
    set_frame(axes, f"{root.move}: {root.visits:,} tree walks", ends=ends)
    axes.set_axis_off()
    return without_formulas(axes)


def _rows_of(depths: list[int]) -> np.ndarray:
    """Return a row for each node: the first one after another is beside it, the others have rows of their own."""
    return np.cumsum([0, *(after <= before for before, after in pairwise(depths))])


def _draw_moves(axes: Axes, lines: list[tuple[int, TreeNode]], rows: np.ndarray, objective: Objective | None) -> None:
    from matplotlib.collections import LineCollection

    above, curves, bent = dict[int, int](), [], np.linspace(0.0, 1.0, 24)
    for (depth, _), row in zip(lines, rows.tolist(), strict=True):
        above[depth] = row
        start = above.get(depth - 1, 0)
        curves.append(np.column_stack([depth - 1 + bent, start + (row - start) * bent**2 * (3 - 2 * bent)]))
    root, *moves = (node for _, node in lines)
    values = np.array([node.value if objective is None else objective.value(node.value) for node in moves])
    # Bright is better.
    colours = COLOURS + "_r" * (objective is not None and objective.sign < 0)
    widths = [0.8 + WIDEST * node.visits / max(1, root.visits) for node in moves]
    drawn = LineCollection(curves[1:], linewidths=widths, array=values, capstyle="round", cmap=colours)
    axes.add_collection(drawn)
    places = np.column_stack([[depth for depth, _ in lines], rows])
    solved = np.array([node.solved for node in moves], bool)
    for marker, own in (("o", ~solved), ("s", solved)):
        style: dict[str, Any] = {"s": 34, "edgecolor": "black", "linewidth": 0.7, "zorder": 3, "marker": marker}
        axes.scatter(
            places[1:, 0][own], places[1:, 1][own], c=values[own], cmap=colours, norm=cast("Any", drawn.norm), **style
        )
    axes.plot(0, 0, "o", color="black", markersize=5, zorder=3)
    texts = [f"{value:z.3f}" if objective is None else objective.text(value) for value in values.tolist()]
    said = ["", *(f"{node.move}  {node.visits:,}  {text}" for node, text in zip(moves, texts, strict=True))]
    for place, text, (_, node) in zip(places.tolist(), said, lines, strict=True):
        more = f"  + {node.left_out}" * (node.left_out > 0)
        axes.annotate(text + more, place, (4, 3), textcoords="offset points", fontsize=SMALL, zorder=4)
    bar = cast("Figure", axes.figure).colorbar(drawn, ax=axes, shrink=0.6, pad=0.01)
    bar.ax.tick_params(labelsize=SMALL)
    bar.set_label(
        "mean reward of who makes the move" if objective is None else f"mean {objective.name}", fontsize=SMALL
    )
