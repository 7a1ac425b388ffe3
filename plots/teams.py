"""A position of a game of teams: how much each member has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nrpa.base.lazy import lazy
from nrpa.plots.board import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nrpa.problems.games.problem import TeamProblem

_teams = lazy("nrpa.problems.games.problem")


def draw_points(problem: TeamProblem, solution: list[str], axes: Axes) -> None:
    """Draw a bar for what each member has, a row for each team; that of the next one to move has a thick edge."""
    points, mover = problem.standing(solution)
    tallest = max(3, *points) + 1
    for member, value in enumerate(points):
        team, number = divmod(member, problem.members)
        bottom = -team * tallest
        edge = 2.5 if member == mover else 0.8
        axes.bar(number + 1, value, bottom=bottom, color=COLOURS[team], edgecolor="black", linewidth=edge)
        axes.plot([number + 0.6, number + 1.4], [bottom, bottom], color="black", linewidth=edge)
    names = [_teams.member_name(team * problem.members, problem.members)[0] for team in range(problem.players)]
    axes.set_yticks([-team * tallest + 1 for team in range(problem.players)], names)
    axes.set_xticks(range(1, problem.members + 1))
    axes.tick_params(length=0, labelsize="small")
    axes.spines[:].set_visible(False)
    axes.set_title(f"{problem.name} {problem.label}: {problem.points} after {len(solution)} moves", fontsize="medium")
