"""Time windows by PyVRP, where a vehicle costs more than all ways: files of 1,000 customers, by --instances."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyvrp

INSTANCES = ("r104", "rc106")
PEER = "PyVRP"
BASELINE = "earliest next start"
SCALE = 100


def answer(problem: Any, seconds: float) -> list[list[int]] | None:
    """Return the routes that PyVRP finds; distances and times are in hundredths."""
    customers = range(1, len(problem.demand))
    times = np.round(SCALE * np.column_stack([problem.service, problem.windows])).astype(int).tolist()
    far = np.round(SCALE * problem.distances).astype(int)
    locations = [pyvrp.Location(x, y) for x, y in problem.coordinates.tolist()]
    clients = [pyvrp.Client(k, [int(problem.demand[k])], [], *times[k]) for k in customers]
    _, opens, closes = times[0]
    most = {"fixed_cost": int(far.sum(axis=1).max()), "tw_early": opens, "tw_late": closes}
    kind = pyvrp.VehicleType(len(customers), [int(problem.capacity)], **most)
    data = pyvrp.ProblemData(locations, clients, [pyvrp.Depot(0)], [kind], [far], [far])
    begun = time.process_time()
    found = pyvrp.solve(data, lambda _cost: time.process_time() - begun >= seconds, seed=1)
    if not found.is_feasible():
        return None
    return [[visit.idx + 1 for visit in route if visit.is_client()] for route in found.best.routes()]


def baseline(problem: Any) -> list[list[int]]:
    """Go where service can start first, in time and as the load allows; then send another vehicle."""
    left, routes = set(range(1, len(problem.demand))), list[list[int]]()
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
        routes.append(route)
    return routes
