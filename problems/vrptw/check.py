"""The independent check of routes: plain Python, sharing nothing with the kernels."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from nrpa.base.values import shortened
from nrpa.modelling.verdict import Verdict
from nrpa.problems.common import is_whole

if TYPE_CHECKING:
    from nrpa.problems.vrptw.problem import VRPTW

NEARLY = 1e-6


def check_routes(problem: VRPTW, solution: Any) -> Verdict:
    """Check that every customer is served once, in time, and that no vehicle is overloaded."""
    faults = form_faults(len(problem.demand), solution)
    if faults:
        return Verdict({}, faults)
    arrays = problem.distances, problem.windows, problem.service, problem.demand
    distances, windows, service, demand = (array.tolist() for array in arrays)
    routes = [route for route in solution if route]
    distance, missed = 0.0, 0
    for number, route in enumerate(routes, 1):
        load = sum(demand[customer] for customer in route)
        if load > problem.capacity + NEARLY:
            faults.append(f"route {number} carries {load:g}, more than {problem.capacity:g}")
        time, here = 0.0, 0
        for place in [*route, 0]:
            leg = distances[here][place]
            opens, closes = windows[place]
            time = max(time + service[here] + leg, opens)
            if time > closes + NEARLY:
                missed += 1
                who = "the depot" if place == 0 else f"customer {place}"
                faults.append(f"route {number} is at {who} at {time:.2f}, after its window closes at {closes:g}")
            distance += leg
            here = place
    cost = distance + problem.vehicle_cost * len(routes)
    return Verdict(
        {"cost": cost, "vehicles": len(routes), "distance": distance}, faults, score=-(cost + problem.penalty * missed)
    )


def form_faults(places: int, solution: Any) -> list[str]:
    """Return why something is no list of routes that serve each customer once; nothing if it is."""
    if not isinstance(solution, list):
        return [f"a solution is a list of routes, not {type(solution).__name__}"]
    served: Counter[int] = Counter()
    for number, route in enumerate(solution, 1):
        if not isinstance(route, list):
            return [f"route {number}: expected a list of customers, found {shortened(repr(route))}"]
        for customer in route:
            if not is_whole(customer, 1, places - 1):
                found = shortened(repr(customer))
                return [f"route {number}: expected customers from 1 to {places - 1}, found {found}"]
        served.update(route)
    faults = [f"customer {customer} is missing" for customer in range(1, places) if not served[customer]]
    return faults + [f"customer {customer} is served {n} times" for customer, n in sorted(served.items()) if n > 1]
