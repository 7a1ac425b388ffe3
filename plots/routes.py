"""The routes of several vehicles on the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.plots.picture import titled

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from nrpa.problems.vrptw.problem import VRPTW


def route_panels(problem: VRPTW) -> tuple[Callable[[VRPTW, list[list[int]], Axes], None], ...]:
    """Return what shows routes: the plane where there are coordinates, and the vehicles' times."""
    return (draw_times,) if problem.coordinates is None else (draw_routes, draw_times)


def draw_routes(problem: VRPTW, solution: list[list[int]], axes: Axes) -> None:
    """Draw each route in a colour of its own, the depot square."""
    places = problem.coordinates
    assert places is not None
    for number, route in enumerate(solution):
        line = places[[0, *route, 0]]
        axes.plot(*line.T, color=f"C{number % 10}", linewidth=0.9, zorder=1)
        axes.plot(*places[route].T, "o", color=f"C{number % 10}", markersize=4, zorder=2)
    axes.plot(*places[0], "s", color="black", markersize=7, zorder=3)
    axes.set_aspect("equal")
    distance = problem.check(solution).figures.get("distance", float("nan"))
    title = titled(problem, f"{len(solution)} vehicles, distance {distance:.2f}")
    axes.set_title(title, fontsize="medium")


def draw_times(problem: VRPTW, solution: list[list[int]], axes: Axes) -> None:
    """Draw a row for each vehicle: its way grey, services dark."""
    for row, route in enumerate(solution, 1):
        time, here, services = 0.0, 0, []
        for place in [*route, 0]:
            time += problem.service[here] + problem.distances[here, place]
            time = max(time, problem.windows[place, 0])
            here = place
            services.append((time, max(float(problem.service[place]), 0.0)))
        axes.broken_barh([(0.0, time)], (row - 0.15, 0.3), facecolor="0.8")
        style: dict[str, Any] = {"facecolor": f"C{(row - 1) % 10}", "edgecolor": "white", "linewidth": 0.4}
        axes.broken_barh(services[:-1], (row - 0.35, 0.7), **style)
    axes.set_ylim(len(solution) + 0.6, 0.4)
    axes.set_xlim(0, float(np.max(problem.windows[0, 1])))
    axes.set_xlabel("time")
    axes.set_ylabel("vehicle")
