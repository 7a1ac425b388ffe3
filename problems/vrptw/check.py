"""The independent check of routes: plain Python, sharing nothing with the kernels."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from nrpa.modelling.verdict import Verdict
from nrpa.problems.common import fault_in_lists

if TYPE_CHECKING:
    from nrpa.problems.vrptw.problem import VRPTW

NEARLY = 1e-6


def check_routes(problem: VRPTW, solution: Any) -> Verdict:
    """Check that every customer is served once, in time, and that no vehicle is overloaded."""
    places = len(problem.demand)
    fault = fault_in_lists(solution, "a solution is a list of routes", "route", "customers", places - 1)
    if fault:
        return Verdict({}, [fault])
    served = Counter(customer for route in solution for customer in route)
    faults = [f"customer {customer} is missing" for customer in range(1, places) if not served[customer]]
    faults += [f"customer {customer} is served {n} times" for customer, n in sorted(served.items()) if n > 1]
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
