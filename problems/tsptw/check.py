"""The independent check of a tour: plain Python, sharing nothing with the kernels."""

from collections import Counter
from typing import Any

from nrpa.modelling.verdict import Verdict
from nrpa.problems.common import is_whole
from nrpa.problems.routes import penalty_above


def check_tour(distances: list[list[float]], windows: list[list[float]], tour: Any) -> Verdict:
    """Check that a tour visits every city once and in time, and is back at the depot in time."""
    faults = _permutation_faults(tour, len(distances))
    if faults:
        return Verdict({}, faults)
    cost = time = 0.0
    here = 0
    for city in [*tour, 0]:
        leg = distances[here][city]
        opens, closes = windows[city]
        cost += leg
        time = max(time + leg, opens)
        if time > closes:
            who = "the depot" if city == 0 else f"city {city}"
            faults.append(f"{who} is reached at {time:.2f}, after its window [{opens:g}, {closes:g}] closes")
        here = city
    figures = {"cost": cost, "violations": len(faults)}
    penalty = penalty_above(len(distances) * max(map(max, distances)))
    return Verdict(figures, faults, score=-(cost + penalty * len(faults)), faults_counted=True)


def _permutation_faults(tour: Any, n: int) -> list[str]:
    if not isinstance(tour, list):
        return [f"a tour is a list of cities, not {type(tour).__name__}"]
    strangers = [city for city in tour if not is_whole(city, 1, n - 1)]
    faults = [f"{city!r} is not a city; expected 1 to {n - 1}" for city in strangers]
    visits = Counter(city for city in tour if isinstance(city, int))
    faults += [f"city {city} is missing" for city in range(1, n) if visits[city] == 0]
    faults += [f"city {city} is visited {times} times" for city, times in visits.items() if times > 1]
    return faults
