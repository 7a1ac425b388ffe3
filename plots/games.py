"""Positions of games: on square boards, and how much each member of a team has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nrpa.base.lazy import lazy
from nrpa.plots.picture import Axes, set_frame

if TYPE_CHECKING:
    from nrpa.problems.games.board_problem import BoardProblem
    from nrpa.problems.games.teams import TeamProblem
    from nrpa.problems.videogame.problem import VideoGame

_cells, _teams = lazy("nrpa.problems.games.cells"), lazy("nrpa.problems.games.teams")

COLOURS = ("#20255e", "#f6efc5", "#2f8f5b")
"""Of the first, second and third player; they differ in grey too."""
_HEXAGON = 3**0.5 / 2
_CENTRED: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": "small"}


def draw_board(problem: BoardProblem, solution: list[str], axes: Axes) -> None:
    """Draw the position after the moves of a game: stones on cells, row 1 at the top."""
    from matplotlib.patches import Circle, RegularPolygon

    size, six_sided = problem.size, problem.six_sided
    sides, radius, turned = (6, 1 / 3**0.5, 0.0) if six_sided else (4, 0.5**0.5, 0.7853981633974483)
    lean, height = (0.5, _HEXAGON) if six_sided else (0.0, 1.0)
    style: dict[str, Any] = {"orientation": turned, "facecolor": "white", "edgecolor": "0.6"}
    for cell, owner in enumerate(problem.position(solution).cells):
        row, column = divmod(cell, size)
        place = column + lean * row, height * row
        axes.add_patch(RegularPolygon(place, sides, radius=radius, **style))
        if owner != _cells.EMPTY:
            axes.add_patch(Circle(place, 0.36, facecolor=COLOURS[owner], edgecolor="black", linewidth=0.8))
    for number in range(size):
        axes.text(lean * number - 0.9, height * number, str(number + 1), **_CENTRED)
        axes.text(number, -0.9, _cells.cell_name(number, size)[0], **_CENTRED)
    axes.axis("off")
    ends = {"across": (-1.4, (1 + lean) * size), "up": (size * height - 0.2, -1.4)}
    set_frame(axes, f"{problem.name} {problem.label}: {len(solution)} moves", **ends, equal=True)


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
    ends = {"across": (-0.6, size - 0.4), "up": (size - 0.4, -0.6)}
    set_frame(axes, f"{problem.name} {problem.label}: {len(solution)} moves", **ends, equal=True)


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
    set_frame(axes, f"{problem.name} {problem.label}: {problem.points} after {len(solution)} moves")
