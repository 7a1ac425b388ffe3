"""A solution as the text that its problem draws."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any, cast

from nrpa.modelling.base_problem import BaseProblem
from nrpa.plots.picture import Axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LARGEST, SMALLEST = 10.0, 6.0
# Of a monospaced letter, in parts of its size; and what titles and margins leave of a panel.
LETTER_WIDTH, LINE_HEIGHT = 0.61, 1.25
ROOM_ACROSS, ROOM_DOWN = 0.92, 0.86
MOST_LINES = 500


def draw_text(problem: BaseProblem, solution: Any, axes: Axes) -> None:
    """Write what ``draw`` of the problem returns, all of it up to ``MOST_LINES`` lines.

    Letters become smaller where it is wide or long, down to a size that can be read. Lines that are too wide even then
    go on in the next one, and the figure becomes taller where there are too many.
    """
    figure, place = cast("Figure", axes.figure), axes.get_subplotspec()
    panels = 1 if place is None else place.get_gridspec().ncols
    width, height = (float(inches) for inches in figure.get_size_inches())
    across, down = 72 * width / panels * ROOM_ACROSS, 72 * height * ROOM_DOWN
    lines = str(problem.draw(solution)).splitlines() or [""]
    size = _between(across / (LETTER_WIDTH * max(1, *map(len, lines))))
    lines = _cut(lines, int(across / (LETTER_WIDTH * size)))
    size = min(size, _between(down / (LINE_HEIGHT * len(lines))))
    if len(lines) > MOST_LINES:
        lines[MOST_LINES - 1 :] = [f"... {len(lines) - MOST_LINES + 1:,} more lines"]
    needed = LINE_HEIGHT * size * len(lines)
    if needed > down:
        figure.set_figheight(height + (needed - down) / 72)
    axes.set_axis_off()
    style: dict[str, Any] = {"family": "monospace", "fontsize": size, "linespacing": 1.0, "va": "top"}
    axes.text(0, 1, "\n".join(lines), transform=axes.transAxes, **style)
    axes.set_title(problem.label, fontsize="medium")


def _between(size: float) -> float:
    return max(SMALLEST, min(LARGEST, size))


def _cut(lines: list[str], most: int) -> list[str]:
    """Return lines of at most so many letters; those that are not too long as they are."""
    options: dict[str, Any] = {"drop_whitespace": False, "break_on_hyphens": False}
    return [part for line in lines for part in (wrap(line, most, **options) if len(line) > most else [line])]
