"""The arguments of ``RichVRP`` checked, and its solutions, by the rules as they are said."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import whole
from nrpa.modelling.objective import Verdict
from nrpa.problems.common import fault_in_list, is_whole
from nrpa.problems.routing import limits


def checked_amounts(what: str, values: Any, places: int) -> np.ndarray:
    """Return a number of each place that is not negative; 0 where none are given."""
    array = limits.checked_numbers(what, np.zeros(places) if values is None else values, (places,))
    if array.min() < 0.0:
        raise InputError(f"{what} must not be negative, as of place {int(array.argmin())}")
    return array


def legs_of(distances: np.ndarray, windows: np.ndarray, is_back: np.ndarray, depots: int) -> np.ndarray:
    """Return the distances, in which legs from a depot to a backhaul, and from a backhaul to others, are too long."""
    legs, is_first = distances.copy(), ~is_back
    is_first[:depots] = False
    if is_back.any():
        never = 10.0 * (np.ptp(windows) + distances.max() + 1.0)
        legs[np.ix_(is_back, is_first)] = legs[:depots, is_back] = never
    return legs


def checked_partners(given: np.ndarray, demand: np.ndarray, depots: int) -> np.ndarray:
    """Return the delivery of each pickup, and the reverse; 0 for other places."""
    n = len(given)
    if not given.any():
        return np.zeros(n, np.int64)
    if (given != np.floor(given)).any() or (given >= n).any():
        raise InputError(f"partners must be places from {depots} to {n - 1}")
    partners = given.astype(np.int64)
    for place in range(n):
        other = partners[place]
        is_depot = place < depots
        if is_depot != (other == 0) or partners[other] != (0 if is_depot else place) or demand[place] != -demand[other]:
            raise InputError(f"place {place} and its partner {other} are no pickup and its delivery")
        if not is_depot and demand[place] == 0.0:
            raise InputError(f"the demand of place {place}, a pickup or a delivery, must not be 0")
    return partners


def checked_vehicles(given: Any, depots: int, most: int) -> np.ndarray:
    """Return how many vehicles each depot has, at most so many."""
    listed = given.tolist() if isinstance(given, np.ndarray) else given
    numbers = [most] * depots if given is None else listed
    if not isinstance(numbers, (list, tuple)) or len(numbers) != depots:
        raise InputError(f"vehicles must be a list of {depots} whole numbers")
    return np.array([min(whole("vehicles", number, 0), most) for number in numbers], np.int64)


def verdict_on(problem: Any, solution: Any) -> Verdict:
    """Return what routes are worth; faults in time, duration and number of vehicles count in the score."""
    places, depots = len(problem.due), problem.depots
    what = "a solution is a list of routes"

    def is_route(found: Any) -> bool:
        is_list = isinstance(found, (list, tuple)) and len(found) > 2 and all(is_whole(x, 0, places - 1) for x in found)
        return is_list and found[0] == found[-1] < depots and min(found[1:-1]) >= depots

    fault = fault_in_list(solution, what, "route", "places with the same depot at both ends", is_route)
    if fault:
        return Verdict({}, [fault])
    served = Counter(place for route in solution for place in route[1:-1])
    faults = [f"place {place} is served {number} times" for place, number in sorted(served.items()) if number > 1]
    left = [place for place in range(depots, places) if not served[place]]
    faults += [f"place {place} is left out" for place in left if problem.prizes[place] == np.inf]
    faults += [fault for k, route in enumerate(solution, 1) for fault in _faults_of_load(problem, k, route)]
    if faults:
        return Verdict({}, faults)
    late = [fault for k, route in enumerate(solution, 1) if (fault := _fault_of_time(problem, k, route))]
    out = Counter(route[0] for route in solution)
    for depot, number in enumerate(problem.vehicles.tolist()):
        late += [f"depot {depot} has {number} vehicles, not {out[depot]}"] * max(out[depot] - number, 0)
    distance = float(sum(problem.distances[leg] for route in solution for leg in pairwise(route)))
    cost = distance + problem.vehicle_cost * len(solution) + float(sum(problem.prizes[place] for place in left))
    figures = {"cost": cost, "vehicles": len(solution), "distance": distance, "left out": len(left)}
    return Verdict(figures, late, -(cost + problem.penalty * len(late)), faults_counted=bool(late))


def _faults_of_load(problem: Any, number: int, route: Any) -> list[str]:
    """Return what is wrong with loads and the order of a route."""
    partners, backs = problem.partners.tolist(), problem.kinds.tolist()
    at, faults, loads = {place: k for k, place in enumerate(route)}, list[str](), [0.0, 0.0]
    for place in route[1:-1]:
        mate, asks = partners[place], float(problem.demand[place])
        if mate and (mate not in at or (at[place] < at[mate]) != (asks > 0)):
            faults.append(f"route {number}: place {place} is not served with its partner {mate}, pickup first")
        if not backs[place] and any(backs[before] for before in route[1 : at[place]]):
            faults.append(f"route {number}: place {place} comes after a backhaul")
        loads[backs[place]] += asks
        if loads[backs[place]] > problem.capacity:
            faults.append(f"route {number} carries {loads[backs[place]]:g}, more than {problem.capacity:g}")
            break
    return faults


def _fault_of_time(problem: Any, number: int, route: Any) -> str:
    """Return where a route is late, or that it takes too long if it leaves as late as it can; empty if neither."""
    ready, due, service = problem.ready.tolist(), problem.due.tolist(), problem.service.tolist()
    legs = [service[here] + float(problem.distances[here, there]) for here, there in pairwise(route)]
    if all(problem.kinds[place] for place in route[1:-1]):
        return f"route {number} has backhauls alone"
    time = ready[route[0]]
    for leg, place in zip(legs, route[1:], strict=True):
        time = max(time + leg, ready[place])
        if time > due[place]:
            return f"route {number} is at place {place} at {time:.2f}, after its window closes at {due[place]:g}"
    end = time
    for leg, place in zip(reversed(legs), reversed(route[:-1]), strict=True):
        time = min(time - leg, due[place])
    took = end - time
    return f"route {number} takes {took:.2f}, more than {problem.duration:g}" if took > problem.duration else ""
