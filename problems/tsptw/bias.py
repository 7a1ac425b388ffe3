"""The bias β of a move: two rules."""

import numpy as np

from nrpa.problems.tsptw.facts import Facts

RANGE = 10.0
NEAREST = 6
DISTANCE, URGENCY = 2.0, 1.0
LEAST = -80.0


def by_range(facts: Facts) -> np.ndarray:
    """Return β = -10 (d - min) / (max - min) of each code, min and max over all distances of i ≠ j.

    The GNRPA paper prints β without the minus sign, with which far cities would be favoured.

    Source: T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020, section 6.2.
    """
    distances = facts.distances
    nearest, farthest = facts.extremes
    spread = farthest - nearest
    if facts.are_many:
        distances = np.take_along_axis(distances, facts.neighbours, axis=1)
    beta = -RANGE * ((distances - nearest) / spread) if spread > 0 else np.zeros_like(distances)
    return _by_code(facts, beta)


def by_neighbours(facts: Facts) -> np.ndarray:
    """Return β = -2 (d - nearest) / reach - (due - first) / width, so that it does not weaken as cities become more.

    Of the cities that may come directly after i in a tour that keeps all windows, ``nearest`` is the least distance and
    ``first`` the earliest deadline; ``reach`` is how much farther than the nearest the sixth nearest is, and ``width``
    how long a window is open, both on average. Deadlines are those of the narrower windows. β of each code is at least
    -80. Of many cities, only neighbours count, and windows are as they were given.

    Source: M. M. Solomon, *Algorithms for the vehicle routing and scheduling problems with time window constraints*,
    Operations Research 35, 1987: distance and urgency as what makes a city near.
    """
    width = np.mean(facts.windows[1:, 1] - facts.windows[1:, 0])
    distances, closes, follows = _of_neighbours(facts) if facts.are_many else _of_all(facts)
    far = _above_least(distances, follows)
    reach = np.sort(np.where(follows, far, np.inf), axis=1)[:, min(NEAREST, far.shape[1]) - 1]
    urgent = _above_least(closes, follows)
    beta = -DISTANCE * _over(far, reach[np.isfinite(reach)]) - URGENCY * _over(urgent, width)
    return _by_code(facts, np.clip(beta, LEAST, 0.0))


def _of_all(facts: Facts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each city the distances to all, their deadlines, and which of them may come directly after it."""
    distances, (opens, closes) = facts.distances, facts.narrow.T
    follows = (opens[:, None] + distances <= closes + facts.slack) & ~facts.first.T
    follows[:, 0] = False
    np.fill_diagonal(follows, val=False)
    return distances, np.broadcast_to(closes, distances.shape), follows


def _of_neighbours(facts: Facts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each city the distances to its neighbours, their deadlines, and which of them there are."""
    near = facts.neighbours
    return np.take_along_axis(facts.distances, near, axis=1), facts.windows[near, 1], near > 0


def _by_code(facts: Facts, beta: np.ndarray) -> np.ndarray:
    """Return β by code: of many cities, 0 where a city comes after one that it is no neighbour of."""
    return np.append(beta, np.zeros(len(beta) if facts.are_many else 0))


def _above_least(values: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Return each row less its least value among the entries that ``of`` marks; 0 where it marks none."""
    least = np.where(of, values, np.inf).min(axis=1, keepdims=True)
    return np.where(np.isfinite(least), values - least, 0.0)


def _over(values: np.ndarray, scale: np.ndarray | np.floating) -> np.ndarray:
    """Return the values over the mean of a scale; 0 where that is nothing."""
    mean = float(np.mean(scale)) if np.size(scale) else 0.0
    return values / mean if mean > 0 else np.zeros_like(values)
