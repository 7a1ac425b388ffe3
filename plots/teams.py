"""A position of a game of teams: how much each member has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nrpa.base.lazy import lazy
from nrpa.plots.board import COLOURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from nrpa.problems.games.teams import TeamProblem

_teams = lazy("nrpa.problems.games.teams")


def draw_health(problem: TeamProblem, solution: list[str], axes: Axes) -> None:
    """Draw the position of a Wargame: a bar for the health of each unit, a row for each player."""
    position: Any = problem.position(solution)
    _draw_bars(problem, position.health, position.attacker, axes)
    axes.set_title(f"{problem.name} {problem.label}: health after {len(solution)} moves", fontsize="medium")


def draw_wealth(problem: TeamProblem, solution: list[str], axes: Axes) -> None:
    """Draw the position of an Investment Pair Game: a bar for the wealth of each member, a row for each team."""
    position: Any = problem.position(solution)
    _draw_bars(problem, position.wealth, position.giver, axes)
    axes.set_title(f"{problem.name} {problem.label}: wealth after {len(solution)} moves", fontsize="medium")


def _draw_bars(problem: TeamProblem, values: Sequence[int], marked: int, axes: Axes) -> None:
    """Draw a bar for each member, that of the next one to move with a thick edge."""
    tallest = max(3, *values) + 1
    for member, value in enumerate(values):
        team, number = divmod(member, problem.members)
        bottom = -team * tallest
        edge = 2.5 if member == marked else 0.8
        axes.bar(number + 1, value, bottom=bottom, color=COLOURS[team], edgecolor="black", linewidth=edge)
        axes.plot([number + 0.6, number + 1.4], [bottom, bottom], color="black", linewidth=edge)
    names = [_teams.member_name(team * problem.members, problem.members)[0] for team in range(problem.players)]
    axes.set_yticks([-team * tallest + 1 for team in range(problem.players)], names)
    axes.set_xticks(range(1, problem.members + 1))
    axes.tick_params(length=0, labelsize="small")
    axes.spines[:].set_visible(False)
