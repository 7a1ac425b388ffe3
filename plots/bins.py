"""A packing as stacked bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.plots.picture import Axes, drawn, of_result, set_frame, titled
from nrpa.search.result import Result

if TYPE_CHECKING:
    from nrpa.problems.binpacking.problem import BinPacking

_MOST_WITH_GAPS = 120
# The lightest third of the colour map is left out, so that items differ from the room above them.
_DARKEST, _LIGHTEST = 0.0, 0.7


@of_result
def bins(result: Result, ax: Axes | None = None, *, problem: BinPacking) -> Axes:
    """Draw the bins of a bin packing result as stacked bars."""
    return drawn(draw_bins, result, ax, problem)


def draw_bins(problem: BinPacking, solution: list[list[float]], axes: Axes) -> None:
    """Draw a bar for each bin, its items from the bottom up, under the line of the capacity; the larger, the darker."""
    from matplotlib import colormaps
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    sizes = [float(size) for content in solution for size in content]
    floors = [floor for content in solution for floor in np.cumsum([0.0, *map(float, content)])[:-1]]
    places = [number for number, content in enumerate(solution, 1) for _ in content]
    crowded = len(solution) > _MOST_WITH_GAPS
    width = 1.0 if crowded else 0.86
    bars = [
        Rectangle((place - width / 2, floor), width, size)
        for place, floor, size in zip(places, floors, sizes, strict=True)
    ]
    shades = np.array(sizes)
    shades = _LIGHTEST - (_LIGHTEST - _DARKEST) * (shades - shades.min()) / max(np.ptp(shades), 1e-12)
    style: dict[str, Any] = (
        {"linewidth": 0.0, "antialiased": False} if crowded else {"edgecolor": "white", "linewidth": 0.5}
    )
    axes.add_collection(PatchCollection(bars, facecolor=colormaps["cividis"](shades), **style))
    axes.axhline(problem.capacity, color="black", linewidth=0.9, linestyle="--")
    axes.locator_params(axis="x", integer=True)
    ends = {"across": (0.3, len(solution) + 0.7), "up": (0, 1.06 * problem.capacity)}
    set_frame(axes, titled(problem, f"{len(sizes)} items in {len(solution)} bins"), x="bin", y="size", **ends)
