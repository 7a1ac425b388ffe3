"""A SameGame game as a strip of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.plots.picture import Axes, drawn, of_result, set_frame, titled
from nrpa.search.result import Result

if TYPE_CHECKING:
    from nrpa.problems.samegame.problem import SameGame
    from nrpa.problems.samegame.rules import Columns

_rules = lazy("nrpa.problems.samegame.rules")

# From dark to light, so that they differ in grey too; repeated with other letters beyond them.
_COLOURS = ("#20255e", "#a3361b", "#2f8fc4", "#e9a227", "#f6efc5")
_ROWS = 2
_POSITIONS = 8
_GAP = 2.0


@of_result
def game(result: Result, ax: Axes | None = None, *, problem: SameGame) -> Axes:
    """Draw positions of a SameGame result's game from its start to its end.

    The cells that are taken next have a thick outline.
    """
    return drawn(draw_game, result, ax, problem)


def draw_game(problem: SameGame, solution: list[list[int]], axes: Axes) -> None:
    """Draw up to eight positions of a game, spread evenly over it; the last is what is left."""
    steps = problem.replay(solution)
    boards = [step.board for step in steps]
    boards.append(_rules.without(steps[-1].board, steps[-1].cells) if steps else problem.columns)
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


_SIDES = {
    (-1, 0): ((0, 0), (0, 1)),
    (1, 0): ((1, 0), (1, 1)),
    (0, -1): ((0, 0), (1, 0)),
    (0, 1): ((0, 1), (1, 1)),
}
