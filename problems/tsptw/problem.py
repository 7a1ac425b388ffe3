"""TSPTW instances, from arrays or from files."""

from __future__ import annotations

import copy
import hashlib
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option, Range
from nrpa.base.values import aligned, not_negative
from nrpa.io.source import BestKnown, Source
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import is_whole, whole_text, zeros
from nrpa.problems.lines import LARGEST
from nrpa.problems.routing import lengths, limits
from nrpa.problems.tsplib import tour_of
from nrpa.problems.tsptw.bias import by_neighbours, by_range
from nrpa.problems.tsptw.facts import MOST_OF_FEW, Facts
from nrpa.problems.tsptw.reader import FORMS, parse_tsptw, require_few_cities

given_bias = lazy("nrpa.modelling.bias")
kernels = lazy("nrpa.problems.tsptw.kernels")
many_cities = lazy("nrpa.problems.tsptw.many_cities")
reordering = lazy("nrpa.problems.tsptw.reordering")

MOVES = ("selective", "all", "lookahead")
BIAS_RULES = ("range", "neighbours")
_WITH_FAULTS: dict[str, Any] = {"penalty": limits.LEAST_PENALTY, "fault": "window missed"}
MINIMIZED = {
    name: Objective(called, sign=-1, digits=2, **_WITH_FAULTS)
    for name, called in {"travel": "cost", "makespan": "makespan", "duration": "duration"}.items()
}
VIOLATIONS = Objective("violations", sign=-1)
# For the options recommended, from instances with 100 to 200 customers.
MANY_CUSTOMERS, OPEN_AT_A_TIME = 100, 10
FEWEST_NEAR, ITERATIONS_NEAR = 100, 30


class Visit(NamedTuple):
    """When a city is reached and when service starts there: at the arrival, or when the window opens."""

    city: int
    arrival: float
    start: float
    opens: float
    closes: float
    late: bool

    @property
    def waits(self) -> bool:
        """Whether the window was not open yet."""
        return self.start > self.arrival


class TSPTW(CompiledProblem):
    """The travelling salesman problem with time windows: leave the depot, visit every city once, and come home.

    The depot is city 0, left when it opens. Arriving early means to wait, which costs nothing. The objective is Tcost:
    the travel cost plus 10^6 for each window missed, or, where that may be 10^6 or more, the first power of ten above;
    the score is -Tcost. In place of the travel cost the makespan may count, which is when the tour is home, or the
    duration, from leaving to being home; for this the depot is left as late as keeps all windows (Savelsbergh, *ORSA J.
    Comput.* 4, 1992). A solution is the list of the cities in order, without the depot.
    The code of a move is from · n + to; its bias is β = -10 (d - min) / (max - min), or by another rule. Of more than
    234 cities, moves are those to near cities, with other codes.

    Parameters
    ----------
    distances : array_like of float, shape (n, n)
        The cost, and the time, of going from i to j, 0 to 1e100; with service at i, unless ``service`` is given.
    windows : array_like of float, shape (n, 2)
        When service may start in each city: opening and closing time. That of the depot is for
        leaving, at its opening, and for coming home.
    service : array_like of float, shape (n,), optional
        How long service takes in each city, 0 to 1e100; it is added to the distances from there, once they are rounded.
    coordinates : array_like of float, shape (n, 2), optional
        Where the cities are, for pictures.

    Attributes
    ----------
    distances, windows, coordinates : ndarray of float64
        As above, the distances rounded and with service; ``coordinates`` may be None.

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: the objective, the bias, and the rule for moves.

    Examples
    --------
    >>> problem = TSPTW([[0, 5, 8], [15, 0, 15], [18, 15, 0]], [[0, 100], [10, 50], [0, 20]])
    >>> problem.check([2, 1]).figures
    {'cost': 38.0, 'violations': 0}
    >>> problem.check([1, 2]).score
    -1000038.0
    """

    name = "tsptw"
    picture = "tours:tour_panels"
    objective = MINIMIZED["travel"]
    goals = (objective, VIOLATIONS)
    forms = FORMS
    minimize = Option("travel", "What is minimised.", tuple(MINIMIZED))
    rounding = Option("exact", lengths.ROUNDING_HELP, tuple(lengths.ROUNDINGS))
    moves = Option(
        "selective",
        "Legal moves: the papers' rule, all, or those that make no city late",
        MOVES,
        tried=MOVES,
        details="Their rule: the cities that are too late already; else those that make no other city too late.",
    )
    bias_rule = Option(
        "range",
        "The bias: distance by the range of all, or of near cities, and deadline.",
        BIAS_RULES,
        tried=BIAS_RULES,
    )
    near = Option(
        False,
        "Moves to near cities alone, annealed.",
        tried=(False, True),
        details="Always so above 234 cities. `auto` tries it from 100 cities on.",
    )
    bias_scale = Option(1.0, "Factor of the bias; 2 to 4 suit 60 and more cities.", tried=Range(0.5, 8.0))

    def __init__(
        self,
        distances: ArrayLike,
        windows: ArrayLike,
        *,
        service: ArrayLike | None = None,
        coordinates: ArrayLike | None = None,
        **options: Any,
    ) -> None:
        self.set_options(**options)
        not_negative("bias_scale", self.bias_scale, most=LARGEST)
        travel = lengths.checked_distances(distances)
        n = len(travel)
        require_few_cities(n)
        self.distances = lengths.ROUNDINGS[self.rounding](travel)
        if service is not None:
            self._add_service(limits.checked_numbers("service", service, (n,)))
        if n < 2:
            raise InputError("a tour needs at least one city beside the depot")
        self.windows = limits.checked_windows(windows, n, "city")
        self.coordinates = None if coordinates is None else limits.checked_numbers("coordinates", coordinates, (n, 2))
        if self.minimize != "travel":
            self.objective = MINIMIZED[self.minimize]  # type: ignore[misc]
            self.goals = self.objective, VIOLATIONS  # type: ignore[misc]
        self._facts = Facts(self.distances, self.windows, self.near)
        super().__init__(max_steps=n - 1, **self._sizes())
        self.objective = replace(self.objective, penalty=self.instance.penalty)  # type: ignore[misc]

    def _sizes(self) -> dict[str, Any]:
        """Return the instance that kernels read, how many moves there are at most, and how many codes."""
        n, instance = self.cities, self._facts.instance(self.moves, self.minimize)
        if not self._facts.are_many:
            # At most the cities that are left.
            return {"instance": instance, "max_moves": n - 1, "max_total": n * (n - 1) // 2, "codes": n**2}
        listed = self._facts.neighbours.shape[1] + 1
        return {"instance": instance, "max_moves": listed, "max_total": (n - 1) * listed, "codes": n * listed}

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        rounding = options.get("rounding", cls.rounding.default)
        return cls(**parse_tsptw(whole_text(source), source.label, rounding), **options)

    def parts(self) -> list[str]:
        """Return the cities, which a tour can leave out."""
        if self._facts.are_many:
            raise InputError(f"{self.name}: expected at most {MOST_OF_FEW} cities, and all of them as moves")
        return [f"city {city}" for city in range(1, self.cities)]

    def without(self, parts: Collection[str]) -> Self:
        """Return the instance without some cities, through which shortest ways may still lead."""
        left = [0, *(k for k, part in enumerate(self.parts(), start=1) if part not in parts)]
        if len(left) == self.cities:
            return self
        coordinates = None if self.coordinates is None else self.coordinates[left]
        ways = self._facts.ways[np.ix_(left, left)]
        return type(self)(
            ways, self.windows[left], coordinates=coordinates, **{**self.given_options, "rounding": "exact"}
        )

    def is_lost(self, moves: list[int]) -> bool:
        """Return whether a city was late, or can no longer be in time, after the first moves of a tour."""
        *visits, _ = self._visits_from(float(self.windows[0, 0]), moves)
        latest = limits.latest_starts(self.windows)
        here, time = (visits[-1].city, visits[-1].start) if visits else (0, self.windows[0, 0])
        left = [city for city in range(self.cities) if city not in moves]
        starts = np.maximum(time + self._facts.ways[here, left], self.windows[left, 0])
        starts[0] = time + self._facts.ways[here, 0] if len(left) == 1 else 0.0
        return any(visit.late for visit in visits) or bool((starts > latest[left]).any())

    def _add_service(self, service: np.ndarray) -> None:
        if (service < 0).any():
            raise InputError("service must not be negative")
        self.distances += service[:, None]
        np.fill_diagonal(self.distances, 0.0)

    @property
    def best_known(self) -> BestKnown | None:
        """The least travel cost that is known; None for other goals, and for rounded distances."""
        return super().best_known if (self.minimize, self.rounding) == ("travel", "exact") else None

    def bound(self) -> float | None:
        """Return when the tour can be home at the earliest for one of its cities and its opening, for the makespan."""
        if self.minimize != "makespan":
            return None
        ways = self._facts.ways
        served = np.maximum(self.windows[0, 0] + ways[0], self.windows[:, 0])
        home = float((served + ways[:, 0]).max())
        # A way added up from its other end may be longer by its last digits.
        return home + 1e-12 * abs(home)

    @property
    def improves_again(self) -> bool:
        return self._facts.are_many

    def hints(self) -> Hints:
        """Recommend the look-ahead rule and the bias by neighbours; and all moves, until all windows are kept.

        From 100 cities on, near cities as moves come first. Where ten windows or more are open at a time on average,
        the scale of that bias is customers / 100, at least 1. Where no tour keeps all windows, the look-ahead rule may
        leave out the best.
        """
        arms = tuple(map(self._with, self._recommended())) or (self,)
        iterations = ITERATIONS_NEAR if arms[0].near else Hints.iterations_improved
        above = -self.instance.penalty
        return Hints(tempered=False, arms=arms, alone_above=above, iterations_improved=iterations)

    def _recommended(self) -> list[dict[str, Any]]:
        """Return the options of each arm, without those that the caller gave."""
        given = self.given_options
        if type(self) is not TSPTW or {"moves", "bias_rule"} <= given.keys():
            return []
        scale = self.bias_scale if "bias_rule" in given else self._recommended_scale()
        first = {"moves": "lookahead", "bias_rule": "neighbours", "bias_scale": scale} | given
        arms: list[dict[str, Any]] = [first] if "moves" in given or self._facts.are_many else [first, {"moves": "all"}]
        if self._facts.are_many or self.cities < FEWEST_NEAR or self.minimize != "travel" or "near" in given:
            return arms
        return [{**first, "near": True}, *arms]

    def _with(self, options: dict[str, Any]) -> TSPTW:
        """Return the instance with other rules for moves and bias, as if the caller had given all options."""
        other = copy.copy(self)
        other.set_options(**options)
        other._given_names = frozenset(self.options)
        other._given = self._given[0], {**self._given[1], **other.options}
        if other.near != self.near:
            other._facts = Facts(self.distances, self.windows, other.near)
        vars(other).update(other._sizes())
        return other

    def _recommended_scale(self) -> float:
        opens, closes = self.windows[1:].T
        day = closes.max() - opens.min()
        is_open = (closes - opens).sum() >= OPEN_AT_A_TIME * day
        return max(1.0, (self.cities - 1) / MANY_CUSTOMERS) if is_open else 1.0

    @property
    def cities(self) -> int:
        """The number of cities, the depot included."""
        return len(self.distances)

    def digest(self) -> str:
        found = hashlib.sha256(self.distances.data)
        found.update(self.windows.data)
        return found.hexdigest()

    def new_state(self) -> Any:
        n = self.cities
        if self._facts.are_many:
            labels, states = reordering.MOST_LABELS, reordering.STATES
            of_cities = dict.fromkeys(("after", "before", "place", "closes", "queue", "waits"), n)
            return zeros(
                many_cities.State,
                figures=3,
                counts=4,
                search=8,
                stops=(n + 1, 5),
                tour=n + 1,
                kept=n + 1,
                length=2,
                random=2,
                ways=(labels, 2),
                links=(labels, 2),
                reached=(2, states + 1),
                labels=(2, states, reordering.OF_A_STATE),
                labelled=(2, states),
                **of_cities,
            )
        blocks, block = self.instance.due.shape
        ahead, ranks = (blocks, n) if self.moves == "lookahead" else (0, 0)
        return zeros(
            kernels.State,
            figures=3,
            counts=6,
            ready=(blocks, block),
            due=(blocks, block),
            limit=(ahead, block),
            tightest=(ahead, block),
            rank=ranks,
            start=n + 1,
            missed=n + 1,
        )

    def bias_by_code(self) -> np.ndarray:
        """Return β of each code, by the rule ``bias_rule`` and times ``bias_scale``, as far as policies can hold it."""
        rule = by_range if self.bias_rule == "range" else by_neighbours
        held: np.ndarray = np.maximum(self.bias_scale * rule(self._facts), given_bias.LEAST_EXPONENT)
        return held

    def check(self, solution: Any) -> Verdict:
        faults = _permutation_faults(solution, self.cities)
        if faults:
            return Verdict({}, faults)
        leaves = self.leaves(solution)
        visits = self._visits_from(leaves, solution)
        for visit in filter(lambda visit: visit.late, visits):
            who = f"city {visit.city}" if visit.city else "the depot"
            window = f"[{visit.opens:g}, {visit.closes:g}]"
            faults.append(f"{who} is reached at {visit.start:.2f}, after its window {window} closes")
        cost = sum(float(self.distances[one, other]) for one, other in pairwise([0, *solution, 0]))
        figures = {"cost": cost, "violations": len(faults)}
        home = visits[-1].start
        if self.minimize == "makespan":
            figures = {"makespan": home, **figures}
        elif self.minimize == "duration":
            figures = {"duration": home - leaves, "leaves": leaves, **figures}
        tcost = figures[self.objective.name] + self.instance.penalty * len(faults)
        return Verdict(figures, faults, score=-tcost, faults_counted=True)

    @classmethod
    def parse_solution(cls, text: str) -> list[int]:
        """Return the cities of a plain list, where the depot may be named at either end, or of a tour of TSPLIB."""
        if "TOUR_SECTION" in text:
            return tour_of(text)
        cities: list[int] = super().parse_solution(text)
        if cities and cities[0] == 0:
            del cities[0]
        if cities and cities[-1] == 0:
            del cities[-1]
        return cities

    def draw(self, solution: Any) -> str:
        """Return the tour as a timetable: a line for each city with arrival, start of service and window."""
        lines: list[tuple[str, ...]] = [("place", "city", "arrival", "start", "opens", "closes", "")]
        for place, visit in enumerate(self.visits(solution), 1):
            times = (f"{time:.2f}" for time in (visit.arrival, visit.start, visit.opens, visit.closes))
            remark = "late" if visit.late else "waits" if visit.waits else ""
            lines.append((str(place) if visit.city else "", str(visit.city), *times, remark))
        return "\n".join(map(str.rstrip, aligned(lines, left=(6,)).splitlines()))

    def visits(self, solution: list[int]) -> list[Visit]:
        """Return the visits of a tour in order; the return to the depot is the last."""
        return self._visits_from(self.leaves(solution), solution)

    def leaves(self, solution: list[int]) -> float:
        """Return when a tour leaves the depot: when it opens; for the duration as late as all windows allow."""
        opens, latest = map(float, self.windows[0])
        if self.minimize != "duration" or any(visit.late for visit in self._visits_from(opens, solution)):
            return opens
        for here, there in pairwise([0, *reversed(solution), 0]):
            latest = min(latest - float(self.distances[there, here]), float(self.windows[there, 1]))
        return max(opens, latest)

    def _visits_from(self, time: float, solution: list[int]) -> list[Visit]:
        latest = limits.latest_starts(self.windows).tolist()
        found, here = [], 0
        for city in [*solution, 0]:
            arrival = time + float(self.distances[here, city])
            opens, closes = map(float, self.windows[city])
            time = max(arrival, opens)
            found.append(Visit(city, arrival, time, opens, closes, time > latest[city]))
            here = city
        return found

    def sketch(self, solution: Any) -> str:
        """Return the tour as a line of cities."""
        return " ".join(map(str, [0, *solution, 0]))


def _permutation_faults(tour: Any, n: int) -> list[str]:
    if not isinstance(tour, list):
        return [f"a tour is a list of cities, not {type(tour).__name__}"]
    strangers = [city for city in tour if not is_whole(city, 1, n - 1)]
    faults = [f"{city!r} is not a city; expected 1 to {n - 1}" for city in strangers]
    visits = Counter(city for city in tour if isinstance(city, int))
    faults += [f"city {city} is missing" for city in range(1, n) if visits[city] == 0]
    faults += [f"city {city} is visited {times} times" for city, times in visits.items() if times > 1]
    return faults
