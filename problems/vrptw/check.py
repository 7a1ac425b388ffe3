"""The independent check of routes: plain Python, sharing nothing with the kernels."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from nrpa.base.values import shortened
from nrpa.modelling.verdict import Verdict

NEARLY = 1e-6


class Data(NamedTuple):
    """An instance as Python's own numbers, place 0 the depot.

    Attributes
    ----------
    distances : list of list of float
        From place to place.
    windows : list of list of float
        When service may begin: from, to.
    service, demand : list of float
        Of each place.
    capacity : float
        Of a vehicle.
    vehicle_cost : float
        What each vehicle counts in the cost.
    """

    distances: list[list[float]]
    windows: list[list[float]]
    service: list[float]
    demand: list[float]
    capacity: float
    vehicle_cost: float


def check_routes(data: Data, solution: Any) -> Verdict:
    """Check that every customer is served once, in time, and that no vehicle is overloaded.

    Parameters
    ----------
    data : Data
        The instance.
    solution : object
        What may be a solution: a list of routes, each the list of its customers, from 1.

    Returns
    -------
    Verdict
        Its figures are ``cost``, ``vehicles`` and ``distance``. Without figures where the routes do not serve each
        customer once.
    """
    faults = form_faults(len(data.demand), solution)
    if faults:
        return Verdict({}, faults)
    routes = [route for route in solution if route]
    distance = 0.0
    for number, route in enumerate(routes, 1):
        load = sum(data.demand[customer] for customer in route)
        if load > data.capacity + NEARLY:
            faults.append(f"route {number} carries {load:g}, more than {data.capacity:g}")
        time, here = 0.0, 0
        for place in [*route, 0]:
            leg = data.distances[here][place]
            opens, closes = data.windows[place]
            time = max(time + data.service[here] + leg, opens)
            if time > closes + NEARLY:
                who = "the depot" if place == 0 else f"customer {place}"
                faults.append(f"route {number} is at {who} at {time:.2f}, after its window closes at {closes:g}")
            distance += leg
            here = place
    cost = distance + data.vehicle_cost * len(routes)
    return Verdict({"cost": cost, "vehicles": len(routes), "distance": distance}, faults, score=-cost)


def form_faults(places: int, solution: Any) -> list[str]:
    """Return why something is no list of routes that serve each customer once; nothing if it is.

    Parameters
    ----------
    places : int
        How many there are, the depot included.
    solution : object
        What may be a list of routes.

    Returns
    -------
    list of str
        The faults in words.
    """
    if not isinstance(solution, list):
        return [f"a solution is a list of routes, not {type(solution).__name__}"]
    served: Counter[int] = Counter()
    for number, route in enumerate(solution, 1):
        if not isinstance(route, list):
            return [f"route {number}: expected a list of customers, found {shortened(repr(route))}"]
        for customer in route:
            if not isinstance(customer, int) or isinstance(customer, bool) or not 1 <= customer < places:
                found = shortened(repr(customer))
                return [f"route {number}: expected customers from 1 to {places - 1}, found {found}"]
        served.update(route)
    faults = [f"customer {customer} is missing" for customer in range(1, places) if not served[customer]]
    return faults + [f"customer {customer} is served {n} times" for customer, n in sorted(served.items()) if n > 1]
