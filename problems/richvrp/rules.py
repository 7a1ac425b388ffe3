"""The arguments of ``RichVRP`` checked, and its solutions, by the rules as they are said."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import positive, whole
from nrpa.modelling.objective import Verdict
from nrpa.problems import routing
from nrpa.problems.common import fault_in_list, is_whole
from nrpa.problems.lines import LARGEST
from nrpa.problems.routing.rules import rules_of

ALLOWED_EACH, MOST_ALLOWED = 200, 2_500_000


def arrays_of(
    distances: Any,
    windows: Any,
    demand: Any,
    capacity: Any,
    rounding: str,
    vehicles_first: bool,
    *,
    depots: Any = 1,
    service: Any = None,
    coordinates: Any = None,
    partners: Any = None,
    backhauls: Any = None,
    prizes: Any = None,
    vehicles: Any = None,
    duration: Any = None,
) -> dict[str, Any]:
    """Return the attributes of a ``RichVRP`` by name. Raises InputError for arguments that are none."""
    given = routing.ROUNDINGS[rounding](routing.checked_distances(distances))
    n = len(given)
    if n < len(("a depot", "a place")):
        raise InputError("expected at least one place beside the depot")
    depots = whole("depots", depots, 1, n - 1)

    def numbers(what: str, values: Any) -> np.ndarray:
        array = routing.checked_numbers(what, np.zeros(n) if values is None else values, (n,))
        if what != "demand" and array.min() < 0.0:
            raise InputError(f"{what} must not be negative, as of place {int(array.argmin())}")
        return array

    opens = routing.checked_windows(windows, n, "place")
    asked, kinds, lost = numbers("demand", demand), numbers("backhauls", backhauls), numbers("prizes", prizes)
    is_customer = np.arange(n) >= depots
    mates = _checked_partners(numbers("partners", partners), asked, depots)
    is_request = is_customer & ((mates == 0) | (asked > 0.0))
    if (asked[is_request] < 0.0).any() or asked[:depots].any():
        raise InputError("demand must not be negative but of deliveries, and 0 at depots")
    if mates.any() and (kinds.any() or lost.any()):
        raise InputError("backhauls and prizes are not modelled with pickups and deliveries")
    legs, is_back = given.copy(), kinds > 0.0
    if is_back.any():
        never = 10.0 * (np.ptp(opens) + given.max() + 1.0)
        legs[np.ix_(is_back, is_customer & ~is_back)] = never
        legs[np.ix_(~is_customer, is_back)] = never
    begins = float(np.abs(opens[:, 0]).max())
    longest = np.inf
    if duration is not None:
        longest = float(routing.allowed(positive("duration", duration, most=LARGEST), begins))
    found: dict[str, Any] = {
        "distances": given,
        "legs": legs,
        "ready": opens[:, 0].copy(),
        "due": routing.allowed(opens[:, 1], begins),
        "demand": asked,
        "capacity": float(routing.allowed(positive("the capacity", capacity, most=LARGEST))),
        "depots": depots,
        "service": numbers("service", service),
        "coordinates": None if coordinates is None else routing.checked_numbers("coordinates", coordinates, (n, 2)),
        "partners": mates,
        "kinds": is_back.astype(np.int64),
        "prizes": np.where(lost > 0.0, lost, np.inf),
        "duration": longest,
        "vehicles": _checked_vehicles(vehicles, depots, int(is_request.sum())),
        "is_request": is_request,
        "requests": np.flatnonzero(is_request),
        "farthest": max(float(given.max()), 1e-9),
    }
    found["vehicle_cost"] = routing.vehicle_cost(given, depots) if vehicles_first else 0.0
    most = (n - depots) * (found["vehicle_cost"] + 2.0 * found["farthest"]) + lost.sum()
    found["penalty"] = routing.penalty_above(most)
    total = asked[is_request & ~is_back].sum() if not mates.any() else 0.0
    fewest = max(int(np.ceil(total / found["capacity"])), 1)
    for place in np.flatnonzero(asked > found["capacity"])[:1].tolist():
        raise InputError(f"place {place} asks for {asked[place]:g}, more than {found['capacity']:g}, the capacity")
    found["rules"] = rules_of(
        np.repeat(np.arange(depots), found["vehicles"]),
        depots,
        legs,
        found["service"],
        opens,
        due=found["due"],
        demand=asked,
        partners=mates,
        kind=found["kinds"],
        prize=found["prizes"],
        duration=longest,
        capacity=found["capacity"],
        vehicle_cost=found["vehicle_cost"],
        penalty=0.0,
        vehicles=int(found["vehicles"].sum()),
        fewest=fewest if vehicles_first else n,
        allowance=min(ALLOWED_EACH * n**2, MOST_ALLOWED),
    )
    return found


def _checked_partners(given: np.ndarray, demand: np.ndarray, depots: int) -> np.ndarray:
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


def _checked_vehicles(given: Any, depots: int, most: int) -> np.ndarray:
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
