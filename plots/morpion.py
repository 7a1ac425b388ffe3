"""A Morpion Solitaire game as a grid with numbered moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nrpa.base.lazy import lazy
from nrpa.plots.picture import Axes, drawn, of_result, set_frame, titled
from nrpa.search.result import Result

if TYPE_CHECKING:
    from nrpa.problems.morpion.problem import Morpion

_rules = lazy("nrpa.problems.morpion.rules")


@of_result
def grid(result: Result, ax: Axes | None = None, *, problem: Morpion) -> Axes:
    """Draw the dots, lines and numbered moves of a Morpion Solitaire result's game."""
    return drawn(draw_grid, result, ax, problem)


def draw_grid(problem: Morpion, solution: list[list[Any]], axes: Axes) -> None:
    """Draw a game: the dots of the start filled, each new dot a circle with the number of its move, y downwards."""
    from matplotlib.collections import LineCollection

    moves = [_rules.Move(*step) for step in solution]
    lines = [_rules.line_of(move, _rules.line_length(problem.variant)) for move in moves]
    dots = [*problem.dots, *((move.x, move.y) for move in moves)]
    columns, rows = [x for x, _ in dots], [y for _, y in dots]
    span = max(max(columns) - min(columns), max(rows) - min(rows)) + 2
    size = min(13.0, 200 / span)
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
    ends = {"across": (min(columns) - 1, max(columns) + 1), "up": (max(rows) + 1, min(rows) - 1)}
    set_frame(axes, titled(problem, f"{len(moves)} moves"), **ends, equal=True)
