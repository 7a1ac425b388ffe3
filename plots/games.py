"""Positions of games: on boards, of teams, of Morpion Solitaire, and of SameGame a strip of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.plots.picture import Axes, draw_result, of_result, room, set_frame, titled
from nrpa.search.result import Result

if TYPE_CHECKING:
    from nrpa.problems.games.problem import BoardProblem
    from nrpa.problems.games.teams import TeamProblem
    from nrpa.problems.morpion.problem import Morpion
    from nrpa.problems.samegame.problem import SameGame
    from nrpa.problems.samegame.rules import Columns
    from nrpa.problems.videogame.problem import VideoGame

_cells, _teams = lazy("nrpa.problems.games.cells"), lazy("nrpa.problems.games.teams")
_morpion, _samegame = lazy("nrpa.problems.morpion.rules"), lazy("nrpa.problems.samegame.rules")

COLOURS = ("#20255e", "#f6efc5", "#2f8f5b")
"""Of the first, second and third player; they differ in grey too."""
# From dark to light, so that they differ in grey too; repeated with other letters beyond them.
_COLOURS = ("#20255e", "#a3361b", "#2f8fc4", "#e9a227", "#f6efc5")
_ROWS = 2
_POSITIONS = 8
_GAP = 2.0
_SIDES = {
    (-1, 0): ((0, 0), (0, 1)),
    (1, 0): ((1, 0), (1, 1)),
    (0, -1): ((0, 0), (1, 0)),
    (0, 1): ((0, 1), (1, 1)),
}
_HEXAGON = 3**0.5 / 2
_CENTRED: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": "small"}


def draw_board(problem: BoardProblem, solution: list[str], axes: Axes) -> None:
    """Draw the position after the moves of a game: stones on cells, row 1 at the top."""
    from matplotlib.patches import Circle, RegularPolygon

    size, six_sided = problem.size, problem.six_sided
    sides, radius, turned = (6, 1 / 3**0.5, 0.0) if six_sided else (4, 0.5**0.5, 0.7853981633974483)
    lean, height = (0.5, _HEXAGON) if six_sided else (0.0, 1.0)
    style: dict[str, Any] = {"orientation": turned, "facecolor": "white", "edgecolor": "0.6"}
    position: Any = problem.position(solution)
    for cell, owner in enumerate(position.cells):
        row, column = divmod(cell, size)
        place = column + lean * row, height * row
        axes.add_patch(RegularPolygon(place, sides, radius=radius, **style))
        if owner != _cells.EMPTY:
            axes.add_patch(Circle(place, 0.36, facecolor=COLOURS[owner], edgecolor="black", linewidth=0.8))
    for number in range(size):
        axes.text(lean * number - 0.9, height * number, str(number + 1), **_CENTRED)
        axes.text(number, -0.9, _cells.cell_name(number, size)[0], **_CENTRED)
    axes.axis("off")
    ends = (-1.4, (1 + lean) * size), (size * height - 0.2, -1.4)
    set_frame(axes, titled(problem, f"{len(solution)} moves"), ends=ends, equal=True)


def draw_units(problem: VideoGame, solution: list[str], axes: Axes) -> None:
    """Draw the position of a Video Game: each unit with its number, and its health below."""
    from matplotlib.patches import Circle

    position: Any = problem.position(solution)
    size = problem.size
    for unit in [*position.alive(0), *position.alive(1)]:
        row, column = position.place[unit]
        team, number = divmod(unit, problem.members)
        edge = 2.5 if unit == position.mover else 0.8
        axes.add_patch(Circle((column, row), 0.4, facecolor=COLOURS[team], edgecolor="black", linewidth=edge))
        said = f"{number + 1}\n{'•' * position.points[unit]}"
        axes.text(column, row, said, **_CENTRED, color="black" if team else "white")
    axes.set_xticks(range(size), [_cells.cell_name(column, size)[0] for column in range(size)])
    axes.set_yticks(range(size), [str(row + 1) for row in range(size)])
    for draw in (axes.hlines, axes.vlines):
        draw([k - 0.5 for k in range(size + 1)], -0.5, size - 0.5, color="0.6", linewidth=0.8, zorder=0)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    ends = (-0.6, size - 0.4), (size - 0.4, -0.6)
    set_frame(axes, titled(problem, f"{len(solution)} moves"), ends=ends, equal=True)


def draw_points(problem: TeamProblem, solution: list[str], axes: Axes) -> None:
    """Draw a bar for what each member has, a row for each team; that of the next one to move has a thick edge."""
    position: Any = problem.position(solution)
    tallest = max(3, *position.points) + 1
    for member, value in enumerate(position.points):
        team, number = divmod(member, problem.members)
        bottom = -team * tallest
        edge = 2.5 if member == position.mover else 0.8
        axes.bar(number + 1, value, bottom=bottom, color=COLOURS[team], edgecolor="black", linewidth=edge)
        axes.plot([number + 0.6, number + 1.4], [bottom, bottom], color="black", linewidth=edge)
    names = [_teams.member_name(team * problem.members, problem.members)[0] for team in range(problem.players)]
    axes.set_yticks([-team * tallest + 1 for team in range(problem.players)], names)
    axes.set_xticks(range(1, problem.members + 1))
    axes.tick_params(length=0, labelsize="small")
    axes.spines[:].set_visible(False)
    set_frame(axes, titled(problem, f"{problem.points} after {len(solution)} moves"))


@of_result
def grid(result: Result, ax: Axes | None = None, *, problem: Morpion) -> Axes:
    """Draw the dots, lines and numbered moves of a Morpion Solitaire result's game."""
    return draw_result(draw_grid, result, ax, problem)


def draw_grid(problem: Morpion, solution: list[list[Any]], axes: Axes) -> None:
    """Draw a game: the dots of the start filled, each new dot a circle with the number of its move, y downwards."""
    from matplotlib.collections import LineCollection

    moves = [_morpion.Move(*step) for step in solution]
    lines = [_morpion.line_of(move, _morpion.line_length(problem.variant)) for move in moves]
    dots = [*problem.dots, *((move.x, move.y) for move in moves)]
    columns, rows = [x for x, _ in dots], [y for _, y in dots]
    span = max(max(columns) - min(columns), max(rows) - min(rows)) + 2
    size = min(13.0, 0.75 * room(axes) / span)
    axes.set_xticks(range(min(columns) - 1, max(columns) + 2), [])
    axes.set_yticks(range(min(rows) - 1, max(rows) + 2), [])
    axes.grid(color="0.9", linewidth=0.6, zorder=0)
    axes.tick_params(length=0)
    axes.add_collection(LineCollection([[line[0], line[-1]] for line in lines], color="0.45", linewidth=0.9, zorder=1))
    axes.plot(*zip(*problem.dots, strict=True), "o", color="black", markersize=0.5 * size, zorder=2)
    if moves:
        new = [(move.x, move.y) for move in moves]
        style: dict[str, Any] = {"markerfacecolor": "white", "markeredgecolor": "black", "markeredgewidth": 0.6}
        axes.plot(*zip(*new, strict=True), "o", markersize=size, zorder=3, **style)
    for number, move in enumerate(moves, 1):
        axes.text(move.x, move.y, str(number), ha="center", va="center_baseline", fontsize=0.5 * size, zorder=4)
    ends = (min(columns) - 1, max(columns) + 1), (max(rows) + 1, min(rows) - 1)
    set_frame(axes, titled(problem, f"{len(moves)} moves"), ends=ends, equal=True)


@of_result
def game(result: Result, ax: Axes | None = None, *, problem: SameGame) -> Axes:
    """Draw positions of a SameGame result's game from its start to its end.

    The cells that are taken next have a thick outline.
    """
    return draw_result(draw_game, result, ax, problem)


def draw_game(problem: SameGame, solution: list[list[int]], axes: Axes) -> None:
    """Draw up to eight positions of a game, spread evenly over it; the last is what is left."""
    steps = problem.replay(solution)
    boards = [step.board for step in steps]
    boards.append(_samegame.without(steps[-1].board, steps[-1].cells) if steps else problem.columns)
    shown = sorted({round(k) for k in np.linspace(0, len(steps), _POSITIONS)})
    height, width = problem.board.shape
    points = np.concatenate([[0], np.cumsum([step.points for step in steps])])
    across = -(-len(shown) // _ROWS)
    for place, number in enumerate(shown):
        row, column = divmod(place, across)
        left, bottom = column * (width + _GAP), -row * (height + 2.4 * _GAP)
        taken = steps[number].cells if number < len(steps) else set()
        _draw_board(axes, boards[number], taken, left, bottom, (height, width))
        text = "end" if number == len(steps) else "start" if number == 0 else f"after {number}"
        axes.text(left + width / 2, bottom + height + 0.4, f"{text}: {points[number]}", ha="center", fontsize="small")
    axes.autoscale_view()
    axes.set_axis_off()
    verdict = problem.check(solution).figures
    text = f"{verdict['points']} points in {verdict['moves']} moves, {verdict['cells_left']} cells left"
    set_frame(axes, titled(problem, text), equal=True)


def _draw_board(
    axes: Axes, board: Columns, taken: set[tuple[int, int]], left: float, bottom: float, shape: tuple[int, int]
) -> None:
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.patches import Rectangle

    height, width = shape
    cells = [(x, y, colour) for x, column in enumerate(board) for y, colour in enumerate(column)]
    squares = [Rectangle((left + x, bottom + y), 1, 1) for x, y, _ in cells]
    faces = [_COLOURS[colour % len(_COLOURS)] for _, _, colour in cells]
    axes.add_collection(PatchCollection(squares, facecolor=faces, edgecolor="white", linewidth=0.3))
    frame = Rectangle((left, bottom), width, height, fill=False, edgecolor="0.6", linewidth=0.6)
    axes.add_patch(frame)
    sides = []
    for x, y in taken:
        for (dx, dy), (a, b) in _SIDES.items():
            if (x + dx, y + dy) not in taken:
                sides.append([(left + x + a[0], bottom + y + a[1]), (left + x + b[0], bottom + y + b[1])])
    axes.add_collection(LineCollection(sides, color="white", linewidth=3.2, capstyle="round"))
    axes.add_collection(LineCollection(sides, color="black", linewidth=1.6, capstyle="round"))
    for x, y, colour in cells:
        if colour >= len(_COLOURS):
            letter = chr(ord("a") + colour // len(_COLOURS) - 1)
            axes.text(left + x + 0.5, bottom + y + 0.5, letter, ha="center", va="center", fontsize=4, color="0.5")
