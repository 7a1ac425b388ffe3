"""Rich vehicle routing: pickups with deliveries, several depots, backhauls, prizes, longest durations."""

# mypy: ignore-errors

from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.base.values import flag, positive, whole
from nrpa.compiling.problem import compiled
from nrpa.io.source import BestKnown, Source
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective
from nrpa.modelling.problem import Problem
from nrpa.problems.common import faultless, whole_text
from nrpa.problems.lines import LARGEST
from nrpa.problems.richvrp.reader import FORMS, parse_rich
from nrpa.problems.richvrp.rules import (
    checked_amounts,
    checked_partners,
    checked_vehicles,
    legs_of,
    verdict_on,
)
from nrpa.problems.routing import lengths, limits, reader
from nrpa.problems.routing.rules import rules_of
from nrpa.problems.routing.segments import joined

improving, routing_routes = lazy("nrpa.problems.richvrp.improving"), lazy("nrpa.problems.routing.routes")

ENDED, BETWEEN = -2, -1
NEARNESS, LEFT, ABOARD = 60.0, 1, 2
ALLOWED_EACH, MOST_ALLOWED = 200, 2_500_000


class Tour(NamedTuple):
    """Where the vehicle is, and what is left."""

    to_do: Any  # int64[n], 1 for a place to serve, 2 for a delivery on board
    out: Any  # int64[depots], the vehicles that have left
    here: int  # a place; -1 between two routes, -2 at the end
    home: int  # the depot of the vehicle
    load: float
    duration: float  # of the route, and the earliest and latest start
    earliest: float
    latest: float
    cost: float  # of distances and vehicles
    faults: int  # routes late, too long, or too many
    is_bad: bool  # whether this route is late


@compiled
class RichVRP(Problem):
    """Serve every place once, by routes from and to a depot. A move is a leg: from a place to another.

    A solution is a list of routes, each the list of its places with its depot at both ends. The cost is the distance,
    where vehicles count first as much more for each as in ``VRPTW``, and the prizes of places that are left out.

    Parameters
    ----------
    distances, windows, service, coordinates : array_like
        As of ``VRPTW``; the first places are the depots. A vehicle leaves when it likes.
    demand : array_like of float, shape (n,)
        What a place takes of the capacity; that of a delivery is minus that of its pickup.
    capacity : float
        Of every vehicle; of a route with backhauls, for these and for the others, each alone.
    depots : int
        How many there are.
    partners : array_like of int, shape (n,), optional
        The delivery of each pickup, and the reverse: the same vehicle serves both, the pickup first.
    backhauls : array_like of bool, shape (n,), optional
        The places that come after all others of a route, of which there must be one.
    prizes : array_like of float, shape (n,), optional
        What is lost where a place is left out; 0 for a place that must be served.
    vehicles : list of int, optional
        How many each depot has; as many as it takes where it is not given.
    duration : float, optional
        The most that a route takes, with service and waiting.
    vehicles_first : bool
        What counts where the option ``first`` does not say it.

    References
    ----------
    H. Li and A. Lim, *A metaheuristic for the pickup and delivery problem with time windows*, ICTAI 2001.

    T. Vidal et al., *A hybrid genetic algorithm with adaptive diversity management for a large class of vehicle routing
    problems with time-windows*, Computers & Operations Research 40, 2013: several depots.
    """

    name = "richvrp"
    objective = Objective("cost", sign=-1, digits=2)
    forms = FORMS
    first = Option("form", "What counts first; form: vehicles in Li and Lim's.", ("form", "vehicles", "distance"))
    rounding = Option("exact", lengths.ROUNDING_HELP, tuple(lengths.ROUNDINGS))

    def __init__(
        self,
        distances,
        windows,
        demand,
        capacity,
        *,
        depots=1,
        service=None,
        coordinates=None,
        partners=None,
        backhauls=None,
        prizes=None,
        vehicles=None,
        duration=None,
        vehicles_first=False,
        **options,
    ):
        super().__init__(**options)
        self.distances = lengths.ROUNDINGS[self.rounding](lengths.checked_distances(distances))
        n = len(self.distances)
        if n < len(("a depot", "a place")):
            raise InputError("expected at least one place beside the depot")
        self.depots = whole("depots", depots, 1, n - 1)
        windows = limits.checked_windows(windows, n, "place")
        self.demand = limits.checked_numbers("demand", demand, (n,))
        self.service = checked_amounts("service", service, n)
        self.coordinates = None if coordinates is None else limits.checked_numbers("coordinates", coordinates, (n, 2))
        self.kinds = (checked_amounts("backhauls", backhauls, n) > 0.0).astype(np.int64)
        lost = checked_amounts("prizes", prizes, n)
        self.prizes = np.where(lost > 0.0, lost, np.inf)
        self.partners = checked_partners(checked_amounts("partners", partners, n), self.demand, self.depots)
        self.is_request = (np.arange(n) >= self.depots) & ((self.partners == 0) | (self.demand > 0.0))
        self.requests = np.flatnonzero(self.is_request)
        if (self.demand[self.is_request] < 0.0).any() or self.demand[: self.depots].any():
            raise InputError("demand must not be negative but of deliveries, and 0 at depots")
        if self.partners.any() and (self.kinds.any() or lost.any()):
            raise InputError("backhauls and prizes are not modelled with pickups and deliveries")
        self.capacity = float(limits.allowed(positive("the capacity", capacity, most=LARGEST)))
        for place in np.flatnonzero(self.demand > self.capacity)[:1].tolist():
            asked = f"{self.demand[place]:g}, more than {self.capacity:g}"
            raise InputError(f"place {place} asks for {asked}, the capacity")
        begins, most = float(np.abs(windows[:, 0]).max()), np.inf
        if duration is not None:
            most = float(limits.allowed(positive("duration", duration, most=LARGEST), begins))
        self.duration, self.ready = most, windows[:, 0].copy()
        self.due = limits.allowed(windows[:, 1], begins)
        self.vehicles = checked_vehicles(vehicles, self.depots, len(self.requests))
        is_first = self.first == "vehicles" or (flag("vehicles_first", vehicles_first) and self.first == "form")
        self.vehicle_cost = limits.vehicle_cost(self.distances, self.depots) if is_first else 0.0
        self.farthest = max(float(self.distances.max()), 1e-9)
        self.penalty = limits.penalty_above(
            (n - self.depots) * (self.vehicle_cost + 2.0 * self.farthest) + float(lost.sum())
        )
        self.objective = replace(self.objective, penalty=self.penalty)
        self.legs = legs_of(self.distances, windows, self.kinds > 0, self.depots)
        total = 0.0 if self.partners.any() else float(self.demand[self.kinds == 0].sum())
        self.rules = rules_of(
            np.repeat(np.arange(self.depots), self.vehicles),
            self.depots,
            self.legs,
            self.service,
            windows,
            due=self.due,
            demand=self.demand,
            partners=self.partners,
            kind=self.kinds,
            prize=self.prizes,
            duration=self.duration,
            capacity=self.capacity,
            vehicle_cost=self.vehicle_cost,
            penalty=0.0,
            vehicles=int(self.vehicles.sum()),
            fewest=max(int(np.ceil(total / self.capacity)), 1) if is_first else n,
            allowance=min(ALLOWED_EACH * n**2, MOST_ALLOWED),
        )

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        arguments = parse_rich(whole_text(source), source.label)
        return cls(**arguments, **options)

    def parts(self):
        """Return the requests, which routes can leave out; with backhauls these alone: no route has no other."""
        return [f"place {k}" for k in self.requests if self.kinds[k] or not self.kinds.any()]

    def without(self, parts):
        """Return the instance without some requests, by whose places shortest ways may still lead."""
        gone = [int(part.removeprefix("place ")) for part in parts]
        left = np.setdiff1d(np.arange(len(self.due)), [*gone, *(self.partners[gone][self.partners[gone] > 0])])
        return type(self)(
            lengths.shortest_ways(self.distances)[np.ix_(left, left)],
            np.stack([self.ready, self.due], axis=1)[left],
            self.demand[left],
            self.capacity,
            depots=self.depots,
            service=self.service[left],
            partners=np.searchsorted(left, self.partners[left]),
            backhauls=self.kinds[left],
            prizes=np.where(self.prizes < np.inf, self.prizes, 0.0)[left],
            vehicles=self.vehicles,
            duration=None if self.duration == np.inf else self.duration,
            first="vehicles" if self.vehicle_cost else "distance",
        )

    joined = staticmethod(joined)

    def hints(self):
        return Hints(tempered=False, iterations_improved=20)

    def initial_state(self):
        to_do = np.where(np.arange(len(self.due)) < self.depots, 0, LEFT)
        return Tour(to_do, np.zeros(self.depots, np.int64), BETWEEN, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, False)

    def legal_moves(self, tour):
        if tour.here == ENDED:
            return []
        if tour.here == BETWEEN:
            return self.starts(tour)
        moves = self.legs_from(tour, tour.here, tour.home, (tour.duration, tour.earliest, tour.latest, False))
        aboard = [place for place in range(len(self.due)) if tour.to_do[place] == ABOARD]
        if not aboard:
            moves.append((tour.here, tour.home))
        return moves if moves else [(tour.here, place) for place in aboard]

    def starts(self, tour):
        moves = [(0, 0) for _ in range(0)]
        for depot in range(self.depots):
            if tour.out[depot] < self.vehicles[depot]:
                moves += self.legs_from(tour, depot, depot, self.stop(depot))
        left = [place for place in self.requests if tour.to_do[place] == LEFT]
        needed = [place for place in left if self.prizes[place] == np.inf]
        if left and not needed:
            moves.append((0, 0))
        return moves if moves else [(0, place) for place in needed]

    def legs_from(self, tour, here, home, segment):
        moves = [(0, 0) for _ in range(0)]
        for place in range(self.depots, len(self.due)):
            is_next = tour.to_do[place] == ABOARD or (tour.to_do[place] == LEFT and self.is_request[place])
            if is_next and self.load_at(tour, here, place) <= self.capacity:
                there = self.joined(segment, self.legs[here, place], self.stop(place))
                if not there[3] and self.can_end(tour, place, home, there):
                    moves.append((here, place))
        return moves

    def load_at(self, tour, here, place):
        empty = here < self.depots or self.kinds[place] > self.kinds[here]
        return self.demand[place] if empty else tour.load + self.demand[place]

    def can_end(self, tour, here, home, segment):
        """Return whether the vehicle can go home in time, by way of each delivery on board alone."""
        if not self.is_short(self.joined(segment, self.legs[here, home], self.stop(home))):
            return False
        for place in range(self.depots, len(self.due)):
            is_own = self.is_request[here] and place == self.partners[here]
            if place != here and (is_own or tour.to_do[place] == ABOARD):
                there = self.joined(segment, self.legs[here, place], self.stop(place))
                if not self.is_short(self.joined(there, self.legs[place, home], self.stop(home))):
                    return False
        return True

    def play(self, tour, move):
        start, place = move
        if start == place:
            return tour._replace(here=ENDED)
        if tour.here == BETWEEN:
            tour = self.begun(tour, start)
        segment = (tour.duration, tour.earliest, tour.latest, tour.is_bad)
        segment = self.joined(segment, self.legs[start, place], self.stop(place))
        cost = tour.cost + self.distances[start, place]
        if place < self.depots:
            bad = int(not self.is_short(segment))
            return tour._replace(here=BETWEEN, cost=cost, faults=tour.faults + bad, is_bad=False)
        to_do = tour.to_do.copy()
        to_do[place] = 0
        if self.is_request[place] and self.partners[place] > 0:
            to_do[self.partners[place]] = ABOARD
        load, here = self.load_at(tour, start, place), place
        tour = tour._replace(to_do=to_do, here=here, load=load, cost=cost, is_bad=segment[3])
        return tour._replace(duration=segment[0], earliest=segment[1], latest=segment[2])

    def begun(self, tour, depot):
        """Return the tour with the next vehicle at a depot."""
        out = tour.out.copy()
        out[depot] += 1
        duration, earliest, latest, _ = self.stop(depot)
        faults = tour.faults + int(out[depot] > self.vehicles[depot])
        tour = tour._replace(out=out, home=depot, load=0.0, faults=faults, cost=tour.cost + self.vehicle_cost)
        return tour._replace(duration=duration, earliest=earliest, latest=latest)

    def score(self, tour):
        cost = tour.cost + self.penalty * tour.faults
        for place in self.requests:
            if tour.to_do[place] == LEFT:
                cost += self.prizes[place]
        return -cost

    def bias(self, tour, move):
        return -NEARNESS * (1.0 if move[0] == move[1] else self.distances[move[0], move[1]] / self.farthest)

    def improve(self, moves, others):
        n, rules = len(self.due), self.rules
        starts = np.zeros(len(moves) + len(others), np.int64)
        for k, (start, _) in enumerate(moves + others):
            starts[k] = start
        routes = routing_routes.new_routes(n, len(rules.place) - n, False)
        if not improving.improve(rules, routes, np.zeros(1, np.bool_), starts, len(moves)):
            return moves
        legs = [(0, 0) for _ in range(0)]
        for slot, size in enumerate(routes.size):
            node = n + slot
            for _ in range(size + 1 if size > 0 else 0):
                after = int(routes.after[node])
                legs.append((int(rules.place[node]), int(rules.place[after])))
                node = after
        return [*legs, (0, 0)] if routes.work[routing_routes.ABSENT] > 0 else legs

    def stop(self, place):
        """Return the segment of a place alone."""
        return self.service[place], self.ready[place], self.due[place], False

    def is_short(self, segment):
        """Return whether a route is in time and not too long."""
        return not segment[3] and segment[0] <= self.duration

    def solution_of(self, moves):
        ends = [k for k, (_, place) in enumerate(moves, 1) if place < self.depots]
        routes = [moves[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
        return [[route[0][0], *(place for _, place in route)] for route in routes if len(route) > 1]

    def own_moves(self, solution):
        faultless(self, solution)
        moves = [leg for route in solution if len(route) > 2 for leg in pairwise(route)]
        is_whole = len({place for _, place in moves if place >= self.depots}) == len(self.due) - self.depots
        return moves if is_whole else [*moves, (0, 0)]

    def check(self, solution):
        return verdict_on(self, solution)

    @classmethod
    def parse_solution(cls, text):
        """Return the routes of a text, as ``VRPTW`` reads them; with the first depot at both ends where none is."""
        return [
            route if len(route) > 2 and route[0] == route[-1] else [0, *route, 0] for route in reader.routes_of(text)
        ]

    def draw(self, solution):
        driven = [sum(self.distances[one, other] for one, other in pairwise(route)) for route in solution]
        rows = enumerate(zip(solution, driven, strict=True), 1)
        return "\n".join(f"Route #{k}: {' '.join(map(str, route))}   (distance {far:.2f})" for k, (route, far) in rows)

    @property
    def best_known(self) -> BestKnown | None:
        return self.origin.best_known if (self.first, self.rounding) == ("form", "exact") else None
