"""A TSPTW tour and the routes of a VRPTW: on the plane, and in time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.plots.picture import DISTINCT, Axes, draw_result, legend_below, of_result, room, set_frame, titled
from nrpa.search.result import Result

if TYPE_CHECKING:
    from nrpa.problems.tsptw.problem import TSPTW
    from nrpa.problems.vrptw.problem import VRPTW

LATE = "#d55e00"
WAIT = "#0072b2"
WINDOW = "#c8c8c8"
LABEL_POINTS = 10
LEGEND: dict[str, Any] = {"fontsize": "small", "columnspacing": 1.0, "handletextpad": 0.3}
MOST_NAMED, LARGEST_NAME, MOST_VEHICLES = 60, 8.0, 25


@of_result
def tour(result: Result, ax: Axes | None = None, *, problem: TSPTW) -> Axes:
    """Draw the tour of a TSPTW result on the plane."""
    return draw_result(draw_tour, result, ax, problem)


@of_result
def schedule(result: Result, ax: Axes | None = None, *, problem: TSPTW) -> Axes:
    """Draw windows, waiting and starts of service of a TSPTW result's tour, in the order of the visits."""
    return draw_result(draw_schedule, result, ax, problem)


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
    head: dict[str, Any] = {"angles": "xy", "pivot": "mid", "scale": 38, "width": 0.004, "headwidth": 5}
    axes.quiver(*middle[far].T, *(step[far] / length[far, None]).T, color="0.35", zorder=2, **head)
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
    name: dict[str, Any] = {"fontsize": "small", "ha": "center", "va": "center", "zorder": 2.5}
    for place, city in enumerate(solution, 1):
        if place % 5 == 0 or place == 1:
            at, beside = problem.coordinates[city], _label_place(problem.coordinates, city)
            axes.annotate(str(city), at, beside, textcoords="offset points", path_effects=outline, **name)
    axes.margins(0.08)
    axes.set_aspect("equal", adjustable="datalim")
    cost = sum(problem.distances[a, b] for a, b in pairwise([0, *solution, 0]))
    missed = sum(v.late for v in found)
    text = f"travel cost {cost:.2f}" + f", {problem.objective.faults_text(missed)}" * bool(missed)
    set_frame(axes, titled(problem, text), x="x", y="y")
    legend_below(axes, 4, **LEGEND)


def draw_schedule(problem: TSPTW, solution: list[int], axes: Axes) -> None:
    """Draw a tour in time: a row for each city visited with the window, the waiting and the start of service."""
    found = problem.visits(solution)
    places = np.arange(1, len(found) + 1)
    axes.barh(places, [v.closes - v.opens for v in found], left=[v.opens for v in found], color=WINDOW, label="window")
    waits = [(place, v) for place, v in zip(places, found, strict=True) if v.waits]
    if waits:
        lines, lengths = [place for place, _ in waits], [v.start - v.arrival for _, v in waits]
        style: dict[str, Any] = {"facecolor": "white", "edgecolor": WAIT, "hatch": "//////", "linewidth": 0.8}
        axes.barh(lines, lengths, left=[v.arrival for _, v in waits], height=0.5, label="waiting", **style)
    for late, marker, colour, label in ((False, "o", "black", "start of service"), (True, "X", LATE, "late")):
        begun = [(place, v.start) for place, v in zip(places, found, strict=True) if v.late is late]
        if begun:
            at, starts = zip(*begun, strict=True)
            size = 30 if late else 12
            axes.scatter(starts, at, s=size, marker=marker, color=colour, label=label, zorder=3)
    every = -(-len(found) // MOST_NAMED)
    letters = max(4.0, min(LARGEST_NAME, 0.84 * room(axes) * every / len(found)))
    named = places[::every]
    axes.set_yticks(named, [str(found[place - 1].city) for place in named], fontsize=letters)
    rows = "city, in the order of the tour"
    ends = None, (len(found) + 0.7, 0.3)
    set_frame(axes, titled(problem, "windows, waiting, start of service"), x="time", y=rows, ends=ends)
    legend_below(axes, 4, **LEGEND)
    axes.grid(axis="x", alpha=0.3)


def _label_place(coordinates: np.ndarray, city: int) -> tuple[float, float]:
    """Return where the label of a city goes, in points from it: away from the nearest other cities."""
    away = coordinates[city] - coordinates
    nearest = np.argsort(np.hypot(*away.T), kind="stable")[1:5]
    direction = away[nearest].sum(axis=0)
    length = np.hypot(*direction)
    x, y = LABEL_POINTS * direction / length if length > 0 else (0.0, LABEL_POINTS)
    return float(x), float(y)


def route_panels(problem: VRPTW) -> tuple[Callable[[VRPTW, list[list[int]], Axes], None], ...]:
    """Return what shows routes: the plane where there are coordinates, and the vehicles' times."""
    return (draw_times,) if problem.coordinates is None else (draw_routes, draw_times)


def draw_routes(problem: VRPTW, solution: list[list[int]], axes: Axes) -> None:
    """Draw each route with the number of its vehicle, at the customer that is farthest away, the depot square."""
    from matplotlib.patheffects import withStroke

    places = problem.coordinates
    assert places is not None
    outline = [withStroke(linewidth=2, foreground="white")]
    for number, route in enumerate(solution, 1):
        colour, dashes = _style_of(number)
        axes.plot(*places[[0, *route, 0]].T, color=colour, linestyle=dashes, linewidth=0.9, zorder=1)
        axes.plot(*places[route].T, "o", color=colour, markersize=3, zorder=2)
        far = max(route, key=lambda place: float(problem.distances[0, place]))
        beside = np.sign(places[far] - places[0]) * 6
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": "small", "path_effects": outline}
        axes.annotate(str(number), places[far], beside, textcoords="offset points", color=colour, zorder=4, **style)
    axes.plot(*places[0], "s", color="black", markersize=7, zorder=3)
    axes.margins(0.08)
    figures = problem.check(solution).figures
    text = f"{len(solution)} vehicles, distance {figures.get('distance', float('nan')):.2f}"
    set_frame(axes, titled(problem, text), equal=True)


def _style_of(vehicle: int) -> tuple[str, str]:
    """Return the colour of a vehicle, from 1, and the dashes of its route, others where a colour comes again."""
    again, place = divmod(vehicle - 1, len(DISTINCT))
    return DISTINCT[place], ("-", "--", ":", "-.")[again % 4]


def draw_times(problem: VRPTW, solution: list[list[int]], axes: Axes) -> None:
    """Draw a row for each vehicle: its way grey, services dark."""
    opens, closes = map(float, problem.windows[0])
    for row, route in enumerate(solution, 1):
        time, here, services = opens, 0, []
        for place in [*route, 0]:
            time += problem.service[here] + problem.distances[here, place]
            time = max(time, problem.windows[place, 0])
            here = place
            services.append((time, max(float(problem.service[place]), 0.0)))
        axes.broken_barh([(opens, time - opens)], (row - 0.15, 0.3), facecolor="0.8")
        style: dict[str, Any] = {"facecolor": _style_of(row)[0], "edgecolor": "white", "linewidth": 0.4}
        axes.broken_barh(services[:-1], (row - 0.35, 0.7), **style)
    ends = (opens, closes), (len(solution) + 0.6, 0.4)
    every = -(-len(solution) // MOST_VEHICLES)
    axes.set_yticks(range(1, len(solution) + 1, every))
    set_frame(axes, "on the way: grey, serving: coloured", x="time", y="vehicle", ends=ends)
