"""Solutions that put things into groups: items into bins, nodes into colours, numbers into parts; and snakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.plots.picture import DISTINCT, Axes, draw_result, legend_below, of_result, room, set_frame, titled
from nrpa.search.result import Result

if TYPE_CHECKING:
    from nrpa.problems.binpacking.problem import BinPacking
    from nrpa.problems.coloring.problem import Coloring
    from nrpa.problems.schur.problem import WeakSchur
    from nrpa.problems.snake.problem import Snake


def draw_classes(problem: Coloring, solution: list[int], axes: Axes) -> None:
    """Draw the adjacency matrix, nodes of one colour side by side; their blocks are empty unless edges clash."""
    from matplotlib.patches import Rectangle

    colours = np.array(solution)
    order = np.argsort(colours, kind="stable")
    ends = np.argsort(order)[np.concatenate([problem.edges, problem.edges[:, ::-1]])]
    clashing = colours[order[ends[:, 0]]] == colours[order[ends[:, 1]]]
    size = max(0.3, min(4.0, 0.55 * room(axes) / max(problem.nodes, 1)))
    axes.plot(*ends[~clashing].T, "s", color="0.75", markersize=size, markeredgewidth=0)
    clash: dict[str, Any] = {"color": DISTINCT[1], "markersize": 2 * size, "markeredgewidth": 0}
    axes.plot(*ends[clashing].T, "s", label="edge within a colour", **clash)
    first = np.flatnonzero(np.diff(colours[order], prepend=-1))
    for begin, end in zip(first, [*first[1:], len(order)], strict=True):
        corner, side = (begin - 0.5, begin - 0.5), end - begin
        axes.add_patch(Rectangle(corner, side, side, facecolor="none", edgecolor=DISTINCT[2]))
    last = problem.nodes - 0.5
    pairs = int(clashing.sum()) // 2
    title = titled(problem, f"{len(set(solution))} colours" + f", {pairs} clash{'es' * (pairs > 1)}" * (pairs > 0))
    across = "nodes; those of a colour in a square, edges grey"
    set_frame(axes, title, x=across, ends=((-0.5, last), (last, -0.5)), equal=True)
    if pairs:
        legend_below(axes, 1, fontsize="small")


def draw_parts(problem: WeakSchur, solution: list[list[int]], axes: Axes) -> None:
    """Draw a row for each part, dark where a number belongs to it."""
    for row, part in enumerate(solution, 1):
        numbers = np.sort(np.array(part, np.int64))
        runs = filter(len, np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1))
        bars = [(float(run[0]) - 0.5, float(len(run))) for run in runs]
        axes.broken_barh(bars, (row - 0.4, 0.8), facecolor=DISTINCT[2])
    placed, rows = sum(map(len, solution)), len(solution)
    axes.set_yticks(range(1, rows + 1))
    ends = (0.5, max(placed, 1) + 0.5), (rows + 0.6, 0.4)
    set_frame(axes, titled(problem, f"{placed} numbers"), x="number", y="part", ends=ends)


def draw_walk(problem: Snake, solution: list[int], axes: Axes) -> None:
    """Draw a point for each edge: its number across, its dimension up."""
    low, high = ([d + end for d in solution] for end in (-0.4, 0.4))
    axes.vlines(range(1, len(solution) + 1), low, high, color=DISTINCT[2])
    axes.set_yticks(range(problem.dimensions))
    limits = (0.5, max(len(solution), 1) + 0.5), (-0.6, problem.dimensions - 0.4)
    title = titled(problem, f"{problem.check(solution).figures.get('edges')} edges")
    set_frame(axes, title, x="edge of the path", y="dimension", ends=limits)


_MOST_WITH_GAPS = 120
# The lightest third of the colour map is left out, so that items differ from the room above them.
_DARKEST, _LIGHTEST = 0.0, 0.7


@of_result
def bins(result: Result, ax: Axes | None = None, *, problem: BinPacking) -> Axes:
    """Draw the bins of a bin packing result as stacked bars."""
    return draw_result(draw_bins, result, ax, problem)


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
    ends = (0.3, len(solution) + 0.7), (0, 1.06 * problem.capacity)
    title = titled(problem, f"{len(sizes)} items in {len(solution)} bins")
    set_frame(axes, title, x="bin (the larger an item, the darker)", y="size", ends=ends)
