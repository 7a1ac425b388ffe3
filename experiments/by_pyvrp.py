"""PyVRP on one thread, for so many seconds of the processor."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyvrp

SCALE, LEAST = 10_000, 1e-8


def scaled(problem: Any) -> list[np.ndarray]:
    """Return ``far``, ``times`` and ``lasts`` of ``routes`` for a problem with time windows.

    Ways last a hair longer where they are no whole number, so that no start is late by what was rounded off.
    """
    far = SCALE * np.asarray(problem.distances)
    times = SCALE * np.column_stack([problem.service, problem.windows])
    return [each.astype(int) for each in (np.rint(far), np.rint(times), np.ceil(far - LEAST))]


def routes(
    places: np.ndarray,
    demand: np.ndarray,
    capacity: float,
    seconds: float,
    far: np.ndarray,
    times: np.ndarray | None = None,
    lasts: np.ndarray | None = None,
    **vehicle: int,
) -> list[list[int]] | None:
    """Return the routes that PyVRP finds, or None where it finds none; the first place is the depot.

    ``times``, int[places, 3], are how long service takes, and when it can begin first and last. A way takes as long as
    it is ``far``, or as ``lasts`` says. ``vehicle`` says what one costs, or how many there are.
    """
    visits = [[]] * len(demand) if times is None else times.tolist()
    locations = [pyvrp.Location(x, y) for x, y in places.tolist()]
    clients = [pyvrp.Client(k, [int(demand[k])], [], *visits[k]) for k in range(1, len(demand))]
    hours = dict(zip(("tw_early", "tw_late"), visits[0][1:], strict=False))
    kind = pyvrp.VehicleType(capacity=[int(capacity)], **{"num_available": len(clients), **hours, **vehicle})
    ways = [far.astype(int)], [(far if lasts is None else lasts).astype(int)]
    data = pyvrp.ProblemData(locations, clients, [pyvrp.Depot(0)], [kind], *ways)
    begun = time.process_time()
    found = pyvrp.solve(data, lambda _cost: time.process_time() - begun >= seconds, seed=1)
    if not found.is_feasible():
        return None
    return [[visit.idx + 1 for visit in route if visit.is_client()] for route in found.best.routes()]
