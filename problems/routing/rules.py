"""What routes must keep, as numbers: one record for all kinds of routing, each of which has what the others lack."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from nrpa.problems.routing.segments import joined

NEIGHBOURS, WAITS = 40, 0.2
MANY, MOST_NEIGHBOURS, ROUTES_NEAR = 300, 100, 3.0


class Rules(NamedTuple):
    """Places, of which the first are depots, and the rules of routes through them."""

    distance: np.ndarray  # float64[n, n]
    service: np.ndarray  # float64[n], as the next three
    ready: np.ndarray  # vehicles leave from that of the depot on
    due: np.ndarray  # until when service may start
    demand: np.ndarray
    place: np.ndarray  # int64[n + routes], of each node: that of a route is its depot
    request: np.ndarray  # int64[n], the pickup of a delivery; of others the place itself
    delivery: np.ndarray  # int64[n], that of a pickup; of others 0
    kind: np.ndarray  # int64[n], 1 for a backhaul, else 0: the loads of both are apart
    prize: np.ndarray  # float64[n], what is lost without a customer; infinite where it must be served
    alone: np.ndarray  # float64[depots, n], the distance of a route of one request; infinite where there is none
    neighbours: np.ndarray  # int64[n, k], for each place the customers after whom it may well be served
    followers: np.ndarray  # int64[n, k], those that may well be served next
    capacity: float  # of a vehicle
    vehicle_cost: float
    penalty: float  # what each vehicle too many counts, and in the score each window missed and route too long
    longest: float  # the most that a route's distance can be
    duration: float  # the most that it can take, where a vehicle leaves when it likes
    depots: int
    vehicles: int  # the most that there are
    fewest: int  # those that are needed, or that cost nothing
    allowance: int  # how many positions and nodes ``improve`` looks at


class PlainRules(Rules):
    """Those of one depot, without pickups, backhauls or durations: machine code leaves out what these need."""

    __slots__ = ()


def rules_of(
    homes: np.ndarray,
    depots: int,
    distance: np.ndarray,
    service: np.ndarray,
    windows: np.ndarray,
    *,
    due: np.ndarray,
    demand: np.ndarray,
    partners: Any = 0,
    kind: Any = 0,
    prize: Any = np.inf,
    longest: float = np.inf,
    duration: float = np.inf,
    **limits: Any,
) -> Rules:
    """Return the rules of routes from depots ``homes``; what is not given is as where each place is served alone."""
    n = len(due)
    partners, kind, is_delivery = np.full(n, partners), np.full(n, kind), demand < 0.0
    delivery = np.where(is_delivery, 0, partners)
    stops = list(zip(service.tolist(), windows[:, 0].tolist(), due.tolist(), [False] * n, strict=True))
    alone = np.full((depots, n), np.inf)
    for depot in range(depots):
        for place in np.flatnonzero(~is_delivery[depots:]) + depots:
            route = [depot, place, *([delivery[place]] if delivery[place] else []), depot]
            segment = stops[depot]
            for here, there in pairwise(route):
                segment = joined(segment, distance[here, there], stops[there])
            if not segment[3] and segment[0] <= duration:
                alone[depot, place] = distance[route[:-1], route[1:]].sum()
    is_plain = depots == 1 and duration == np.inf and not (partners.any() or kind.any())
    number = _number(demand, limits["capacity"]) if is_plain else NEIGHBOURS
    neighbours, followers = _near(distance, service, windows, depots, number)
    return (PlainRules if is_plain else Rules)(
        distance=distance,
        service=service,
        ready=windows[:, 0].copy(),
        due=due,
        demand=demand,
        place=np.r_[:n, homes],
        request=np.where(is_delivery, partners, np.arange(n)),
        delivery=delivery,
        kind=kind,
        prize=np.full(n, prize),
        alone=alone,
        neighbours=neighbours,
        followers=followers,
        longest=longest,
        duration=duration,
        depots=depots,
        **limits,
    )


def _number(demand: np.ndarray, capacity: float) -> int:
    """Return how many neighbours a place has: where places are many, as many as three vehicles can serve."""
    if len(demand) <= MANY or not (demand > 0.0).any():
        return NEIGHBOURS
    return int(np.clip(ROUTES_NEAR * capacity / demand[demand > 0.0].mean(), NEIGHBOURS, MOST_NEIGHBOURS))


def _near(
    distance: np.ndarray, service: np.ndarray, windows: np.ndarray, depots: int, number: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each place the customers after whom it may well be served, and those that may well be next.

    They are near, without waiting, in time; the best first.

    Source: T. Vidal et al., *A hybrid genetic algorithm with adaptive diversity management for a large class of vehicle
    routing problems with time-windows*, Computers & Operations Research 40, 2013, equation 6.
    """
    n, (ready, due) = len(windows), windows.T
    found = np.zeros((2, n, min(number, n - depots - 1)), np.int64)
    for place in range(n):
        leaves = service + distance[:, place]
        far = distance[:, place] + _lost(ready, due, leaves, ready[place], due[place])
        next_far = how_far(distance, service, windows, place)
        for row, each in zip(found[:, place], (far, next_far), strict=True):
            each[:depots] = each[place] = np.inf
            row[:] = least(each, len(row))
    return found[0], found[1]


def how_far(distance: np.ndarray, service: np.ndarray, windows: np.ndarray, place: int) -> np.ndarray:
    """Return how far other places are where they are served right after one."""
    ready, due = windows.T
    leaves = service[place] + distance[place]
    far: np.ndarray = distance[place] + _lost(ready[place], due[place], leaves, ready, due)
    return far


def _lost(ready: Any, due: Any, leaves: Any, opens: Any, closes: Any) -> Any:
    """Return what waiting and being late count between places that are served one after the other."""
    return WAITS * np.maximum(opens - due - leaves, 0.0) + np.maximum(ready + leaves - closes, 0.0)


def least(values: np.ndarray, number: int) -> np.ndarray:
    """Return the indices of the least values in their order, of equal ones the first."""
    if not number:
        return np.zeros(0, np.int64)
    few = np.flatnonzero(values <= np.partition(values, number - 1)[number - 1])
    least: np.ndarray = few[np.argsort(values[few], kind="stable")[:number]]
    return least
