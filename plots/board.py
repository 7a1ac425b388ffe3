"""Positions of games on square boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nrpa.base.lazy import lazy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nrpa.problems.games.problem import BoardProblem
    from nrpa.problems.videogame.problem import VideoGame

_cells = lazy("nrpa.problems.games.cells")

COLOURS = ("#20255e", "#f6efc5", "#2f8f5b")
"""Of the first, second and third player; they differ in grey too."""
_HEXAGON = 3**0.5 / 2


def draw_board(problem: BoardProblem, solution: list[str], axes: Axes) -> None:
    """Draw the position after the moves of a game: stones on cells, row 1 at the top."""
    from matplotlib.patches import Circle, RegularPolygon

    size = problem.size
    six_sided = problem.six_sided
    sides, radius = (6, 1 / 3**0.5) if six_sided else (4, 0.5**0.5)
    turned = 0.0 if six_sided else 0.7853981633974483
    for cell, owner in enumerate(problem.cells(solution)):
        row, column = divmod(cell, size)
        x, y = (column + row / 2, row * _HEXAGON) if six_sided else (float(column), float(row))
        axes.add_patch(
            RegularPolygon((x, y), sides, radius=radius, orientation=turned, facecolor="white", edgecolor="0.6")
        )
        if owner != _cells.EMPTY:
            axes.add_patch(Circle((x, y), 0.36, facecolor=COLOURS[owner], edgecolor="black", linewidth=0.8))
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


def draw_units(problem: VideoGame, solution: list[str], axes: Axes) -> None:
    """Draw the position of a Video Game: each unit with its number, and its health below."""
    from matplotlib.patches import Circle

    size, (_, mover) = problem.size, problem.standing(solution)
    for cell, (unit, health) in problem.living(solution).items():
        row, column = divmod(cell, size)
        team, number = divmod(unit, problem.members)
        edge = 2.5 if unit == mover else 0.8
        axes.add_patch(Circle((column, row), 0.4, facecolor=COLOURS[team], edgecolor="black", linewidth=edge))
        said = f"{number + 1}\n{'•' * health}"
        axes.text(column, row, said, ha="center", va="center", fontsize="small", color="black" if team else "white")
    axes.set_xticks(range(size), [_cells.cell_name(column, size)[0] for column in range(size)])
    axes.set_yticks(range(size), [str(row + 1) for row in range(size)])
    axes.hlines([row - 0.5 for row in range(size + 1)], -0.5, size - 0.5, color="0.6", linewidth=0.8, zorder=0)
    axes.vlines([column - 0.5 for column in range(size + 1)], -0.5, size - 0.5, color="0.6", linewidth=0.8, zorder=0)
    axes.set_xlim(-0.6, size - 0.4)
    axes.set_ylim(size - 0.4, -0.6)
    axes.tick_params(length=0)
    axes.set_aspect("equal")
    axes.spines[:].set_visible(False)
    axes.set_title(f"{problem.name} {problem.label}: {len(solution)} moves", fontsize="medium")
