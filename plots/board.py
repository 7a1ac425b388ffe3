"""A position of a game on a square board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nrpa.base.lazy import lazy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nrpa.problems.games.board_problem import BoardProblem

_cells = lazy("nrpa.problems.games.cells")

# Of the first, second and third player; they differ in grey too.
_COLOURS = ("#20255e", "#f6efc5", "#2f8f5b")
_HEXAGON = 3**0.5 / 2


def draw_board(problem: BoardProblem, solution: list[str], axes: Axes) -> None:
    """Draw the position after the moves of a game: stones on cells, row 1 at the top.

    Parameters
    ----------
    problem : BoardProblem
        The game.
    solution : list of str
        Its moves by their names, up to the position.
    axes : matplotlib.axes.Axes
        Where to draw.
    """
    from matplotlib.patches import Circle, RegularPolygon

    position: Any = problem.position(solution)
    size = problem.size
    six_sided = problem.six_sided
    sides, radius = (6, 1 / 3**0.5) if six_sided else (4, 0.5**0.5)
    turned = 0.0 if six_sided else 0.7853981633974483
    for cell, owner in enumerate(position.cells):
        row, column = divmod(cell, size)
        x, y = (column + row / 2, row * _HEXAGON) if six_sided else (float(column), float(row))
        axes.add_patch(
            RegularPolygon((x, y), sides, radius=radius, orientation=turned, facecolor="white", edgecolor="0.6")
        )
        if owner != _cells.EMPTY:
            axes.add_patch(Circle((x, y), 0.36, facecolor=_COLOURS[owner], edgecolor="black", linewidth=0.8))
    for number in range(size):
        x, y = (number / 2, number * _HEXAGON) if six_sided else (0.0, float(number))
        axes.text(x - 0.9, y, str(number + 1), ha="center", va="center", fontsize="small")
        axes.text(number, -0.9, _cells.cell_name(number, size)[0], ha="center", va="center", fontsize="small")
    width = 1.5 * size if six_sided else size
    axes.set_xlim(-1.4, width)
    axes.set_ylim((size * _HEXAGON if six_sided else size) - 0.2, -1.4)
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title(f"{problem.name} {problem.label}: {len(solution)} moves", fontsize="medium")
