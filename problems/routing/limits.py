"""What a route has to keep, and what it counts where it does not: time windows, sums, vehicles."""

import math
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import numbers
from nrpa.problems.lines import LARGEST

OF_SUMS = 1e-12
"""By how much of its size a sum may exceed a limit, as sums of decimals do: 0.1 + 0.2 > 0.3."""
LEAST_PENALTY, LEAST_VEHICLE_COST = 1e6, 1e4


def checked_numbers(what: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array of float64; InputError if it has another shape, or one is larger than 1e100."""
    array = numbers(what, values)
    if array.shape != shape:
        raise InputError(f"{what} must be of shape {shape}, not {array.shape}")
    if not (np.abs(array) <= LARGEST).all():
        raise InputError(f"{what} must be from {-LARGEST:g} to {LARGEST:g}")
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
