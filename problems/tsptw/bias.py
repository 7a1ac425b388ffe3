"""The bias β of a move: two rules."""

import numpy as np

from nrpa.problems.routing import shortest_ways
from nrpa.problems.tsptw.tightening import precedences, slack_of, tightened

RANGE = 10.0
NEIGHBOURS = 6
DISTANCE, URGENCY = 2.0, 1.0
LEAST = -80.0


def by_range(distances: np.ndarray) -> np.ndarray:
    """Return β = -10 (d - min) / (max - min) of distances (float64[n, n]), min and max over all i ≠ j.

    The GNRPA paper prints β without the minus sign, with which far cities would be favoured.

    Source: T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020, section 6.2.
    """
    others = distances[~np.eye(len(distances), dtype=bool)]
    spread = others.max() - others.min()
    if spread == 0:
        return np.zeros_like(distances)
    scaled: np.ndarray = (distances - others.min()) / spread
    return -RANGE * scaled


def by_neighbours(distances: np.ndarray, windows: np.ndarray) -> np.ndarray:
    """Return β = -2 (d - nearest) / reach - (due - first) / width, so that it does not weaken as cities become more.

    Of the cities that may come directly after i in a tour that keeps all windows, ``nearest`` is the least distance and
    ``first`` the earliest deadline; ``reach`` is how much farther than the nearest the sixth nearest is, and ``width``
    how long a window is open, both on average. Deadlines are those of the narrower windows. β (float64[n, n]) is at
    least -80.

    Source: M. M. Solomon, *Algorithms for the vehicle routing and scheduling problems with time window constraints*,
    Operations Research 35, 1987: distance and urgency as what makes a city near.
    """
    ways = shortest_ways(distances)
    narrow, slack = tightened(distances, ways, windows), slack_of(distances, windows)
    opens, closes = narrow.T.copy()
    first = precedences(ways, opens, closes, slack)
    opens[0], width = 0.0, np.mean(windows[1:, 1] - windows[1:, 0])
    follows = (opens[:, None] + distances <= closes + slack) & ~first.T
    follows[:, 0] = False
    np.fill_diagonal(follows, val=False)
    far = _above_least(distances, follows)
    reach = np.sort(np.where(follows, far, np.inf), axis=1)[:, min(NEIGHBOURS, len(distances)) - 1]
    urgent = _above_least(np.broadcast_to(closes, distances.shape), follows)
    beta = -DISTANCE * _over(far, reach[np.isfinite(reach)]) - URGENCY * _over(urgent, width)
    return np.clip(beta, LEAST, 0.0)


def _above_least(values: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Return each row without its least value among those ``of`` which count; 0 where none does."""
    least = np.where(of, values, np.inf).min(axis=1, keepdims=True)
    return np.where(np.isfinite(least), values - least, 0.0)


def _over(values: np.ndarray, scale: np.ndarray | np.floating) -> np.ndarray:
    """Return the values over the mean of a scale; 0 where that is nothing."""
    mean = float(np.mean(scale)) if np.size(scale) else 0.0
    return values / mean if mean > 0 else np.zeros_like(values)
