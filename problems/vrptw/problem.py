"""Vehicle routing instances, from arrays or from files."""

from __future__ import annotations

import copy
import hashlib
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.base.values import positive, whole
from nrpa.engine.model import Model
from nrpa.io.source import BestKnown, Source
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import fault_in_lists, faultless, whole_text
from nrpa.problems.lines import LARGEST
from nrpa.problems.routing import lengths, limits, reader
from nrpa.problems.routing.rules import MANY, how_far, rules_of
from nrpa.problems.vrptw.reader import FORMS, parse_vrptw

kernels, routes = lazy("nrpa.problems.vrptw.kernels"), lazy("nrpa.problems.routing.routes")

FIRST = ("vehicles", "distance")
RETURNS = ("forced", "free")
NEARNESS, URGENCY, WAITING = 60.0, 5.0, 10.0
ALLOWED_EACH, MOST_ALLOWED = 100_000, 10_000_000
ITERATIONS_IMPROVED, ITERATIONS_WITH_MANY = 20, 1000
FEW_LISTED = 50


class VRPTW(CompiledProblem):
    """Vehicle routing with time windows and capacities: serve every customer once, each route from and to the depot.

    The objective is the distance, and where vehicles count first 10,000 more for each, or the first power of ten that
    no shorter routes outweigh; the score is minus that.
    A solution is a list of routes, each the list of its customers. The vehicles go one after the other; a move is the
    next place of the one that is under way, or the depot, where the next one starts. A vehicle goes only where it is in
    time, has room, and can be home in time. Where distances break the triangle inequality, the way home may lead
    through other customers, and a vehicle that finds them served is late: each window missed takes a power of ten
    above all costs, at least 10^6, from the score; so does each route that is too long, and each vehicle too many.
    The code of a move is from · n + to. Its bias is β = -60 d / longest - 5 slack / widest - 10 waiting / widest,
    where d is the distance, slack the time from the start of service to the end of the window, and widest the
    widest window of a customer; for the way home, only the distance counts. The second and the third term together
    are at least -240.

    Parameters
    ----------
    distances : array_like of float, shape (n, n)
        From place to place, place 0 the depot; also the times of travel. From 0 to 1e100.
    windows : array_like of float, shape (n, 2)
        When service may begin; that of the depot is for leaving, from its opening on, and for coming home.
    demand : array_like of float, shape (n,)
        What a customer takes of the capacity; the depot's must be 0.
    capacity : float
        Of every vehicle.
    service : array_like of float, shape (n,), optional
        How long service takes; 0 where it is not given.
    coordinates : array_like of float, shape (n, 2), optional
        Where the places are, for pictures.
    vehicles : int, optional
        The most vehicles that there are; any number where it is not given.
    longest : float, optional
        The most that the distance of a route can be, times of service not counted; any where it is not given.

    Attributes
    ----------
    distances, windows, demand, service, coordinates : ndarray of float64
        As above, distances rounded; ``coordinates`` may be None.
    vehicles, longest : int, float
        As above; None where not given.

    References
    ----------
    M. M. Solomon, *Algorithms for the vehicle routing and scheduling problems with time window constraints*, Operations
    Research 35, 1987.

    J. Sentuc, T. Cazenave and J.-Y. Lucas, *Generalized Nested Rollout Policy Adaptation with Dynamic Bias for Vehicle
    Routing*, 2022: distance, slack and waiting in the bias.

    Examples
    --------
    >>> problem = VRPTW([[0, 3, 4], [3, 0, 5], [4, 5, 0]], [[0, 99], [0, 50], [0, 60]], [0, 1, 1], 2)
    >>> problem.check([[1, 2]]).figures
    {'cost': 10012.0, 'vehicles': 1, 'distance': 12.0}
    """

    name = "vrptw"
    picture = "tours:route_panels"
    forms = FORMS
    objective = Objective("cost", sign=-1, digits=2)
    goals = (Objective("vehicles", sign=-1), Objective("distance", sign=-1, digits=2))
    first = Option("vehicles", "What counts first: the number of vehicles, or the distance alone.", FIRST)
    returns = Option(
        "forced", "Home only when nobody can be served any more, or whenever it likes.", RETURNS, tried=RETURNS
    )
    rounding = Option("exact", lengths.ROUNDING_HELP, tuple(lengths.ROUNDINGS))

    def __init__(
        self,
        distances: ArrayLike,
        windows: ArrayLike,
        demand: ArrayLike,
        capacity: float,
        *,
        service: ArrayLike | None = None,
        coordinates: ArrayLike | None = None,
        vehicles: int | None = None,
        longest: float | None = None,
        **options: Any,
    ) -> None:
        self.set_options(**options)
        self.distances = self._rounded(lengths.checked_distances(distances))
        n = len(self.distances)
        self.windows = limits.checked_windows(windows, n, "place")
        self.demand = limits.checked_numbers("demand", demand, (n,))
        self.service = limits.checked_numbers("service", np.zeros(n) if service is None else service, (n,))
        self.capacity = positive("the capacity", capacity, most=LARGEST)
        self.coordinates = None if coordinates is None else limits.checked_numbers("coordinates", coordinates, (n, 2))
        self.vehicles = None if vehicles is None else whole("vehicles", vehicles)
        self.longest = None if longest is None else positive("longest", longest, most=LARGEST)
        self._latest, self._room = limits.latest_starts(self.windows), float(limits.allowed(self.capacity))
        self._reach = np.inf if self.longest is None else float(limits.allowed(self.longest))
        self._farthest = float(self.distances.max())
        self._vehicle_cost = limits.vehicle_cost(self.distances)
        self._home = self._require_servable()
        self._way = self._require_near()
        super().__init__(
            self._instance(),
            max_steps=2 * (n - 1),
            max_moves=n,
            # With k customers left, at most k choices at the depot and k + 1 elsewhere.
            max_total=n * FEW_LISTED if self._has_many else n * (n - 1) + n,
            codes=None if self._has_many else n**2,
            bias_by_move=True,
        )
        self.objective = replace(self.objective, penalty=self.penalty)  # type: ignore[misc]

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        arguments = parse_vrptw(whole_text(source), source.label)
        return cls(**arguments, **options)

    def _rounded(self, distances: np.ndarray) -> np.ndarray:
        return lengths.ROUNDINGS[self.rounding](distances)

    def hints(self) -> Hints:
        """Recommend vehicles that go home whenever they like, so that routes can be improved."""
        iterations = ITERATIONS_WITH_MANY if self._has_many else ITERATIONS_IMPROVED
        arms: tuple[VRPTW, ...] = ()
        if type(self) is VRPTW and "returns" not in self.given_options:
            arms = (self._with_free_returns(),)
        return Hints(tempered=False, arms=arms, iterations_improved=iterations)

    def _with_free_returns(self) -> VRPTW:
        """Return this instance with the option; the two share their arrays."""
        problem = copy.copy(self)
        problem.returns = "free"
        problem.instance = self.instance._replace(free=True)
        problem._model = problem._hints = None
        problem._given_names = self._given_names | {"returns"}
        return problem

    def parts(self) -> list[str]:
        """Return the customers, whom routes can leave out."""
        return [f"customer {customer}" for customer in range(1, len(self.demand))]

    def without(self, parts: Collection[str]) -> VRPTW:
        """Return the instance without some customers, past whom ways may still lead; home whenever it likes."""
        left = [0, *(k for k, part in enumerate(self.parts(), start=1) if part not in parts)]
        ways = lengths.shortest_ways(self.distances)[np.ix_(left, left)]
        return VRPTW(
            ways,
            self.windows[left],
            self.demand[left],
            self.capacity,
            service=self.service[left],
            vehicles=self.vehicles,
            longest=self.longest,
            first=self.first,
            returns="free",
        )

    def is_lost(self, moves: list[int]) -> bool:
        """Return whether the vehicles have too little room for what is left to serve after the first moves."""
        if self.vehicles is None:
            return False
        last = len(moves) - moves[::-1].index(0) if 0 in moves else 0
        room = (self.vehicles - moves.count(0)) * self._room - self.demand[moves[last:]].sum()
        return bool(self.demand.sum() - self.demand[moves].sum() > room)

    @property
    def best_known(self) -> BestKnown | None:
        """The best published cost with vehicles first; None where the distance alone counts, or is rounded."""
        return super().best_known if (self.first, self.rounding) == ("vehicles", "exact") else None

    @property
    def _has_many(self) -> bool:
        """Whether playouts list only customers that may well be next, and codes are too many for a table."""
        return len(self.demand) > MANY

    def _build_model(self) -> Model:
        model = super()._build_model()
        model.limits = model.limits._replace(grow=self._has_many)
        return model

    def digest(self) -> str:
        arrays = (self.distances, self.windows, self.demand, self.service, np.array([self.capacity]))
        fleet = "" if self.vehicles is None and self.longest is None else f"{self.vehicles} {self.longest}"
        return hashlib.sha256(b"".join(array.tobytes() for array in arrays) + fleet.encode()).hexdigest()

    @property
    def improves_again(self) -> bool:
        return True

    def new_state(self) -> Any:
        n = len(self.demand)
        game = kernels.Game(
            left=np.zeros(n - 1, np.int64),
            place=np.zeros(n, np.int64),
            counts=np.zeros(4, np.int64),
            figures=np.zeros(4),
            stop=np.zeros(1, np.bool_),
        )
        return kernels.State(*game, *routes.new_routes(n, n, True))

    def solution(self, moves: np.ndarray) -> list[list[int]]:
        ends = np.flatnonzero(moves == 0)
        return [route[route > 0].tolist() for route in np.split(moves, ends) if np.any(route > 0)]

    def moves_of(self, solution: Any) -> np.ndarray:
        faultless(self, solution)
        return np.array([place for route in solution if route for place in [*route, 0]], np.int64)

    def check(self, solution: Any) -> Verdict:
        places = len(self.demand)
        fault = fault_in_lists(solution, "a solution is a list of routes", "route", "customers", places - 1)
        if fault:
            return Verdict({}, [fault])
        served = Counter(customer for route in solution for customer in route)
        faults = [f"customer {customer} is missing" for customer in range(1, places) if not served[customer]]
        faults += [f"customer {customer} is served {n} times" for customer, n in sorted(served.items()) if n > 1]
        if faults:
            return Verdict({}, faults)
        windows, service, demand = (array.tolist() for array in (self.windows, self.service, self.demand))
        latest = limits.latest_starts(self.windows).tolist()
        routes = [route for route in solution if route]
        distance = 0.0
        penalties = max(len(routes) - (self.vehicles or len(routes)), 0)
        if penalties:
            faults.append(f"{len(routes)} vehicles are used, more than {self.vehicles}")
        is_overloaded = False
        for number, route in enumerate(routes, 1):
            load = sum(demand[customer] for customer in route)
            if load > self._room:
                is_overloaded = True
                faults.append(f"route {number} carries {load:g}, more than {self.capacity:g}")
            time, length, here = windows[0][0], 0.0, 0
            for place in [*route, 0]:
                leg = float(self.distances[here, place])
                opens, closes = windows[place]
                time = max(time + service[here] + leg, opens)
                if time > latest[place]:
                    penalties += 1
                    who = "the depot" if place == 0 else f"customer {place}"
                    faults.append(f"route {number} is at {who} at {time:.2f}, after its window closes at {closes:g}")
                distance += leg
                length += leg
                here = place
            if length > self._reach:
                penalties += 1
                faults.append(f"route {number} has a distance of {length:.2f}, more than {self.longest:g}")
        cost = distance + self.vehicle_cost * len(routes)
        figures = {"cost": cost, "vehicles": len(routes), "distance": distance}
        return Verdict(
            figures, faults, -(cost + self.penalty * penalties), faults_counted=penalties > 0 and not is_overloaded
        )

    @classmethod
    def parse_solution(cls, text: str) -> list[list[int]]:
        r"""Return the routes that a text holds: a line each, as VRPLIB's solution files and ``draw`` have them.

        >>> VRPTW.parse_solution("Route #1: 5 3\nRoute #2: 1\nCost 12.5\n")
        [[5, 3], [1]]
        """
        return [[place for place in route if place] for route in reader.routes_of(text)]

    def draw(self, solution: Any) -> str:
        """Return a line for each route: its load, its distance, its customers."""
        lines = []
        for number, route in enumerate(solution, 1):
            load = self.demand[list(route)].sum()
            stops = np.array([0, *route, 0])
            length = self.distances[stops[:-1], stops[1:]].sum()
            customers = " ".join(map(str, route))
            lines.append(f"Route #{number}: {customers}   (load {load:g} of {self.capacity:g}, distance {length:.2f})")
        return "\n".join(lines)

    @property
    def vehicle_cost(self) -> float:
        """What each vehicle costs."""
        return self._vehicle_cost if self.first == "vehicles" else 0.0

    @property
    def penalty(self) -> float:
        """What a missed window, a route too long or a vehicle too many counts: more than the cost of any routes."""
        customers = len(self.demand) - 1
        return limits.penalty_above(customers * (self.vehicle_cost + 2.0 * self._farthest))

    def _require_servable(self) -> np.ndarray:
        """Return the least time home from each place. Raises InputError if a customer can be in no route."""
        n = len(self.demand)
        if n < 2:
            raise InputError("expected at least one customer beside the depot")
        if self.demand.min() < 0 or self.service.min() < 0:
            raise InputError("demand and service must not be negative")
        if self.demand[0] > 0:
            raise InputError(f"the demand of the depot must be 0, not {self.demand[0]:g}")
        travel = self.service[:, None] + self.distances
        arrival = self.windows[0, 0] + _rounded_ways(travel)
        ways = _rounded_ways(travel.T)
        home = np.where(ways < travel[:, 0], ways - self.service, self.distances[:, 0])
        done = np.maximum(arrival, self.windows[:, 0]) + self.service + home
        for customer in range(1, n):
            if self.demand[customer] > self._room:
                asked = f"{self.demand[customer]:g}, more than {self.capacity:g}"
                raise InputError(f"customer {customer} asks for {asked}, what a vehicle carries")
            if arrival[customer] > self._latest[customer] or done[customer] > self._latest[0]:
                raise InputError(f"customer {customer} cannot be served in time by any route")
        return home

    def _require_near(self) -> np.ndarray:
        """Return the least distance home from each place. Raises InputError if a customer is too far for any route."""
        if self.longest is None:
            return np.zeros(len(self.demand))
        there, back = _rounded_ways(self.distances), _rounded_ways(self.distances.T)
        for customer in range(1, len(there)):
            if there[customer] + back[customer] > self._reach:
                raise InputError(f"customer {customer} is in no route of a distance of at most {self.longest:g}")
        return back

    def _instance(self) -> Any:
        places, widest = len(self.demand), max(float(np.diff(self.windows[1:], axis=1).max()), 1e-9)
        most = places - 1 if self.vehicles is None else min(self.vehicles, places - 1)
        stops = self.distances, self.service, self.windows
        return kernels.Instance(
            rules=rules_of(
                np.zeros(places, np.int64),
                1,
                *stops,
                due=self._latest,
                demand=self.demand,
                capacity=self._room,
                vehicle_cost=self.vehicle_cost,
                penalty=self.penalty,
                longest=self._reach,
                vehicles=most,
                fewest=int(np.ceil(self.demand.sum() / self._room)) if self.vehicle_cost else most,
                allowance=min(ALLOWED_EACH * places, MOST_ALLOWED),
            ),
            free=self.returns == "free",
            near=self._near(max(self._farthest, 1e-9)),
            urgency=URGENCY / widest,
            waiting=WAITING / widest,
            home=self._home,
            way=self._way,
            many=self._has_many,
            order=1 + np.argsort(how_far(*stops, 0)[1:], kind="stable"),
        )

    def _near(self, longest: float) -> np.ndarray:
        """Return e^β for the distance alone."""
        beta: np.ndarray = -NEARNESS * self.distances
        beta /= longest
        np.exp(beta, out=beta)
        return beta


def _rounded_ways(ways: np.ndarray) -> np.ndarray:
    """Return the shortest ways from place 0; one that leads through others may be less by what rounding makes."""
    shortest = lengths.shortest_ways_from(ways)
    return np.where(shortest < ways[0], shortest - lengths.ROUNDING * ways.max(), shortest)
