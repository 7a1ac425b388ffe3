"""Rectangles on a strip or in bins."""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any

from nrpa.plots.picture import Axes, set_frame, titled

APART = 1.1
"""How far bins are apart, in their own sizes."""


def draw_layout(problem: Any, solution: list[list[int]], axes: Axes) -> None:
    """Draw rectangles as they lie, the larger the darker; bins are in rows, the first at the upper left."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    is_strip = problem.name == "strip"
    rows = [(1, *row) if is_strip else tuple(row) for row in solution]
    bins, width = max(row[0] for row in rows), problem.width
    height = max(y + h for _, _, y, _, h in rows) if is_strip else problem.height
    across = ceil(sqrt(bins))
    corners = [(APART * width * (k % across), -APART * height * (k // across)) for k in range(bins)]
    largest = max(w * h for *_, w, h in rows)
    for number, x, y, w, h in rows:
        left, low = corners[number - 1]
        shade = 0.7 * (1 - w * h / largest)
        axes.add_patch(
            Rectangle((left + x, low + y), w, h, facecolor=colormaps["cividis"](shade), edgecolor="white", lw=0.5)
        )
    for corner in corners:
        axes.add_patch(Rectangle(corner, width, height, facecolor="none", edgecolor="0.3"))
    title = titled(problem, f"height {height}" if is_strip else f"{len(rows)} rectangles in {bins} bins")
    ends = (0, APART * width * (across - 1) + width), (corners[-1][1], height)
    set_frame(axes, title, ends=ends, equal=True)
    if bins > 1:
        axes.set_axis_off()
