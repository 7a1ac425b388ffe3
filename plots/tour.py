"""A TSPTW tour: on the plane, and in time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from nrpa.base.errors import InputError
from nrpa.plots.picture import drawn, of_result, titled
from nrpa.search.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nrpa.problems.tsptw.problem import TSPTW

LATE = "#d55e00"
WAIT = "#0072b2"
WINDOW = "#c8c8c8"
LABEL_POINTS = 10
MOST_NAMED, LARGEST_NAME = 60, 8.0


@of_result
def tour(result: Result, ax: Axes | None = None, *, problem: TSPTW) -> Axes:
    """Draw the tour of a TSPTW result on the plane."""
    return drawn(draw_tour, result, ax, problem)


@of_result
def schedule(result: Result, ax: Axes | None = None, *, problem: TSPTW) -> Axes:
    """Draw windows, waiting and starts of service of a TSPTW result's tour, in the order of the visits."""
    return drawn(draw_schedule, result, ax, problem)


def tour_panels(problem: TSPTW) -> tuple[Callable[[TSPTW, list[int], Axes], None], ...]:
    """Return what shows a tour: its schedule, and before it the tour on the plane where there are coordinates."""
    return (draw_schedule,) if problem.coordinates is None else (draw_tour, draw_schedule)


def draw_tour(problem: TSPTW, solution: list[int], axes: Axes) -> None:
    """Draw a tour on the plane: the depot square, cities that are waited at ringed, missed ones crossed.

    Raises InputError if the problem has no coordinates.
    """
    from matplotlib.patheffects import withStroke

    if problem.coordinates is None:
        raise InputError(f"{problem.label or problem.name}: has no coordinates to draw a tour on")
    found = problem.visits(solution)
    route = np.array([problem.coordinates[city] for city in [0, *solution, 0]])
    axes.plot(*route.T, color="0.35", linewidth=1.1, zorder=1)
    middle, step = (route[1:] + route[:-1]) / 2, np.diff(route, axis=0)
    length = np.hypot(*step.T)
    far = length > 0.06 * np.ptp(route, axis=0).max()
    axes.quiver(
        *middle[far].T,
        *(step[far] / length[far, None]).T,
        angles="xy",
        pivot="mid",
        color="0.35",
        scale=38,
        width=0.004,
        headwidth=5,
        zorder=2,
    )
    groups = {
        "in time": ([v.city for v in found[:-1] if not v.late and not v.waits], "o", "black"),
        "after waiting": ([v.city for v in found[:-1] if not v.late and v.waits], "o", WAIT),
        "late": ([v.city for v in found[:-1] if v.late], "X", LATE),
    }
    for label, (cities, marker, colour) in groups.items():
        if cities:
            face = "white" if label == "after waiting" else colour
            points = problem.coordinates[cities]
            axes.scatter(
                points[:, 0], points[:, 1], s=30, marker=marker, facecolor=face, edgecolor=colour, label=label, zorder=3
            )
    depot = problem.coordinates[0]
    axes.scatter(depot[0], depot[1], s=70, marker="s", facecolor="#e69f00", edgecolor="black", label="depot", zorder=4)
    outline = [withStroke(linewidth=2.5, foreground="white")]
    for place, city in enumerate(solution, 1):
        if place % 5 == 0 or place == 1:
            axes.annotate(
                str(place),
                problem.coordinates[city],
                _beside(problem.coordinates, city),
                textcoords="offset points",
                fontsize="small",
                ha="center",
                va="center",
                path_effects=outline,
                zorder=2.5,
            )
    axes.margins(0.08)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title(titled(problem, f"travel cost {_cost(problem, solution):.2f}"), fontsize="medium")
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    _legend_below(axes)


def draw_schedule(problem: TSPTW, solution: list[int], axes: Axes) -> None:
    """Draw a tour in time: a row for each city visited with the window, the waiting and the start of service."""
    found = problem.visits(solution)
    places = np.arange(1, len(found) + 1)
    axes.barh(places, [v.closes - v.opens for v in found], left=[v.opens for v in found], color=WINDOW, label="window")
    waits = [(place, v) for place, v in zip(places, found, strict=True) if v.waits]
    if waits:
        axes.barh(
            [place for place, _ in waits],
            [v.start - v.arrival for _, v in waits],
            left=[v.arrival for _, v in waits],
            height=0.5,
            facecolor="white",
            edgecolor=WAIT,
            hatch="//////",
            linewidth=0.8,
            label="waiting",
        )
    for late, marker, colour, label in ((False, "o", "black", "start of service"), (True, "X", LATE, "late")):
        rows = [(place, v.start) for place, v in zip(places, found, strict=True) if v.late is late]
        if rows:
            at, starts = zip(*rows, strict=True)
            size = 30 if late else 12
            axes.scatter(starts, at, s=size, marker=marker, color=colour, label=label, zorder=3)
    axes.set_ylim(len(found) + 0.7, 0.3)
    every = -(-len(found) // MOST_NAMED)
    letters = max(4.0, min(LARGEST_NAME, 280 * every / len(found)))
    named = places[::every]
    axes.set_yticks(named, [str(found[place - 1].city) for place in named], fontsize=letters)
    axes.set_xlabel("time")
    axes.set_ylabel("city, in the order of the tour (0: the depot)")
    axes.set_title("windows, waiting, start of service", fontsize="medium")
    _legend_below(axes)
    axes.grid(axis="x", alpha=0.3)


def _cost(problem: TSPTW, solution: list[int]) -> float:
    route = [0, *solution, 0]
    return float(sum(problem.distances[a, b] for a, b in pairwise(route)))


def _beside(coordinates: np.ndarray, city: int) -> tuple[float, float]:
    """Return where the label of a city goes, in points from it: away from the nearest other cities."""
    away = coordinates[city] - coordinates
    nearest = np.argsort(np.hypot(*away.T), kind="stable")[1:5]
    direction = away[nearest].sum(axis=0)
    length = np.hypot(*direction)
    x, y = LABEL_POINTS * direction / length if length > 0 else (0.0, LABEL_POINTS)
    return float(x), float(y)


def _legend_below(axes: Axes) -> None:
    axes.legend(
        frameon=False,
        fontsize="small",
        loc="upper center",
        bbox_to_anchor=(0.5, -0.14),
        ncols=4,
        columnspacing=1.0,
        handletextpad=0.3,
    )
