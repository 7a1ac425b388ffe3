"""Time windows by PyVRP, where a vehicle costs more than all ways; files of 1,000 customers by --instances."""

from __future__ import annotations

from typing import Any

from by_pyvrp import routes, scaled

INSTANCES = "c101", "r103", "r104", "r112", "rc106", "rc108"
PEER = "PyVRP"
BASELINE = "earliest next start"


def answer(problem: Any, seconds: float) -> list[list[int]] | None:
    """Return the routes that PyVRP finds; distances and times are in ten-thousandths."""
    far, *times = scaled(problem)
    dear = int(far.sum(axis=1).max())
    return routes(problem.coordinates, problem.demand, problem.capacity, seconds, far, *times, fixed_cost=dear)


def baseline(problem: Any) -> list[list[int]]:
    """Go where service can start first, in time and as the load allows; then send another vehicle."""
    left, driven = set(range(1, len(problem.demand))), list[list[int]]()
    opens, closes = problem.windows.T
    while left:
        route, here, now, load = list[int](), 0, opens[0], 0.0
        while True:
            starts = {k: max(opens[k], now + problem.service[here] + problem.distances[here, k]) for k in left}
            homes = {k: starts[k] + problem.service[k] + problem.distances[k, 0] for k in left}
            can = [k for k in left if starts[k] <= closes[k] and homes[k] <= closes[0]]
            can = [k for k in can if load + problem.demand[k] <= problem.capacity]
            if not can:
                break
            here = min(can, key=lambda k: (starts[k], k))
            now, load = starts[here], load + problem.demand[here]
            route.append(here)
            left.remove(here)
        driven.append(route)
    return driven
