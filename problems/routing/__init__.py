"""What routing problems share: matrices of distances, time windows, shortest ways, and what a missed window counts."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import numbers
from nrpa.problems.lines import LARGEST, located_lines

ROUNDING = 1e-9
"""A way must be shorter by more than this share of the longest distance, so that rounding makes none."""
OF_SUMS = 1e-12
"""By how much of its size a sum may exceed a limit, as sums of decimals do: 0.1 + 0.2 > 0.3."""
NEAR, MOST_PASSES = 8, 4
LEAST_PENALTY, LEAST_VEHICLE_COST = 1e6, 1e4
ROUNDINGS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exact": lambda distances: distances,
    "down": lambda distances: np.floor(distances + ROUNDING),
    "nearest": lambda distances: np.floor(distances + 0.5),
    "tenths": lambda distances: np.floor(10.0 * distances + ROUNDING) / 10.0,
}
"""What is made of a distance, by the option ``rounding``."""
ROUNDING_HELP = "How distances are rounded, if at all."


def routes_of(text: str) -> list[list[int]]:
    r"""Return the places of each route of a text, a line each; a line of a name and its value, as of a cost, is none.

    What is in round brackets after a route is a remark.

    >>> routes_of("Route #1: 5 3 (load 7)\n4 1\nTotal cost: 12.5\n")
    [[5, 3], [4, 1]]
    """
    routes = []
    for line in located_lines(re.sub(r"#\s*([0-9]+\s*:)", r"\1", text)):
        content = re.sub(r"^route\s*[0-9]+\s*:|\(.*", "", line, flags=re.IGNORECASE)
        words = line.at(re.sub("[,:=]", " ", content)).words()
        if len(words) > 1 and not any(word[0].isdigit() for word in words[:-1]):
            continue
        if words:
            routes.append([word.whole(0, 10**9, "places of a route") for word in words])
    return routes


def checked_distances(distances: Any) -> np.ndarray:
    """Return a matrix of distances (float64[n, n]); InputError if it is none, or one is not from 0 to 1e100."""
    array = numbers("distances", distances)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InputError(f"distances must be a square matrix, not of shape {array.shape}")
    for i, j in np.argwhere(~((array >= 0) & (array <= LARGEST)))[:1]:
        raise InputError(f"the distance from {i} to {j} must be from 0 to {LARGEST:g}, not {array[i, j]:g}")
    return array


def checked_windows(windows: Any, places: int, what: str) -> np.ndarray:
    """Return the window of each place (float64[places, 2]); InputError, which calls a place ``what``, if it is none."""
    array = numbers("windows", windows)
    if array.shape != (places, 2):
        raise InputError(f"windows must be of shape ({places}, 2), not {array.shape}")
    for place, (opens, closes) in enumerate(array.tolist()):
        if not (abs(opens) <= LARGEST and abs(closes) <= LARGEST):
            found = f"must be two numbers of at most {LARGEST:g}, not {[opens, closes]}"
            raise InputError(f"the window of {what} {place} {found}")
        if closes < opens:
            raise InputError(f"the window of {what} {place} closes at {closes:g} before it opens at {opens:g}")
    return array


def allowed(limit: Any, begins: float = 0.0) -> Any:
    """Return what a sum that begins at some number may be, so that rounding alone does not exceed a limit.

    >>> 0.1 + 0.2 <= 0.3, 0.1 + 0.2 <= float(allowed(0.3))
    (False, True)
    """
    return limit + OF_SUMS * np.maximum(np.abs(limit), abs(begins))


def latest_starts(windows: np.ndarray) -> np.ndarray:
    """Return until when service may start (float64[n]) in windows of which the first one is the depot's."""
    latest: np.ndarray = allowed(windows[:, 1], windows[0, 0])
    return latest


def checked_numbers(what: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array of float64; InputError if it has another shape, or one is larger than 1e100."""
    array = numbers(what, values)
    if array.shape != shape:
        raise InputError(f"{what} must be of shape {shape}, not {array.shape}")
    if not (np.abs(array) <= LARGEST).all():
        raise InputError(f"{what} must be from {-LARGEST:g} to {LARGEST:g}")
    return array


def shortest_ways(distances: np.ndarray) -> np.ndarray:
    """Return the lengths (float64[n, n]) of the shortest ways between places, through any places but the depot.

    Where the triangle inequality holds, they are the array that was given.

    Source: R. W. Floyd, *Algorithm 97: Shortest path*, Communications of the ACM 5, 1962.
    """
    shortest = distances.copy()
    for through in range(1, len(distances)):
        np.minimum(shortest, shortest[:, through, None] + shortest[through], out=shortest)
    shorter = distances - shortest > ROUNDING * distances.max()
    return np.where(shorter, shortest, distances) if shorter.any() else distances


def short_ways(distances: np.ndarray) -> np.ndarray:
    """Return the lengths (float64[n, n]) of short ways between places, if not always the shortest, in O(n²).

    They lead through any places but the depot, each one of the nearest to the one before, but for the last. Where none
    is shorter than the distance, they are the array that was given.
    """
    least = ROUNDING * float(distances.max())
    shortest = distances
    for _ in range(MOST_PASSES):
        changed = False
        for place, row in enumerate(distances):
            far = row.copy()
            far[[0, place]] = np.inf
            ways = shortest[place]
            for through in np.argpartition(far, min(NEAR, len(far) - 1))[:NEAR].tolist():
                found = row[through] + shortest[through]
                if (found < ways - least).any():
                    if shortest is distances:
                        shortest = distances.copy()
                    ways = shortest[place]
                    np.minimum(ways, found, out=ways)
                    changed = True
        if not changed:
            break
    return shortest


def shortest_ways_from(ways: np.ndarray) -> np.ndarray:
    """Return the lengths (float64[n]) of the shortest ways from place 0 to each place, as ``shortest_ways`` has them.

    Source: E. W. Dijkstra, *A note on two problems in connexion with graphs*, Numerische Mathematik 1, 1959.
    """
    shortest: np.ndarray = ways[0].copy()
    is_open = np.arange(len(ways)) > 0
    for _ in range(1, len(ways)):
        nearest = np.argmin(np.where(is_open, shortest, np.inf))
        is_open[nearest] = False
        np.minimum(shortest, shortest[nearest] + ways[nearest], out=shortest)
    return np.where(ways[0] - shortest > ROUNDING * ways.max(), shortest, ways[0])


def penalty_above(cost: float) -> float:
    """Return what a missed window counts: 10^6, or the first power of ten above a cost that no tour exceeds.

    >>> penalty_above(99_999.0), penalty_above(1e6), penalty_above(2.5e7)
    (1000000.0, 10000000.0, 100000000.0)
    """
    return LEAST_PENALTY if cost < LEAST_PENALTY else 10.0 ** (math.floor(math.log10(cost)) + 1)


def vehicle_cost(distances: np.ndarray, depots: int = 1) -> float:
    """Return what a vehicle counts where the fewest come first: 10,000, or the first power of ten above what it saves.

    That is at most the length of all routes with one customer each, and more where the ways through the depot are
    shorter than others, without the least way from each customer.

    >>> vehicle_cost(np.array([[0.0, 3, 4], [3, 0, 5], [4, 5, 0]])), vehicle_cost(np.array([[0.0, 9e5], [8e5, 0]]))
    (10000.0, 1000000.0)
    """
    saved = 0.0
    for customer in range(depots, len(distances)):
        ways = distances[customer]
        legs = np.delete(ways, customer)
        through = ways[:depots, None] + distances[:depots]
        through[:, customer] = np.inf
        home = (ways[:depots] + distances[:depots, customer] + np.maximum((ways - through).max(axis=1), 0.0)).max()
        saved += float(home - legs.min())
    return max(LEAST_VEHICLE_COST, 10.0 ** (math.floor(math.log10(max(saved, 1.0))) + 1))
