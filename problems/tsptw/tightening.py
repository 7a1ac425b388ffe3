"""Windows made as narrow as the tours that keep all of them allow."""

import numpy as np

from nrpa.problems.routing.lengths import ROUNDING


def tightened(distances: np.ndarray, shortest: np.ndarray, windows: np.ndarray) -> np.ndarray:
    """Return the windows (float64[n, 2], the depot's as it was) without times at which no valid tour starts service.

    These rules are applied until nothing changes. A city from which another cannot be reached before it closes comes
    after that one. Service starts no earlier than the ways from some city that may come directly before, and from every
    one that must come before, allow; and no later than the ways to those that may or must come after allow. Where there
    is no valid tour, the windows may be returned as they were given. ``shortest`` is that of ``shortest_ways``.

    Source: A. Langevin, M. Desrochers, J. Desrosiers, S. Gélinas, F. Soumis, *A two-commodity flow formulation for the
    traveling salesman and the makespan problems with time windows*, Networks 23, 1993. N. Ascheuer, M. Fischetti, M.
    Grötschel, *Solving the asymmetric travelling salesman problem with time windows by branch-and-cut*, Mathematical
    Programming 90, 2001.
    """
    opens, closes = windows.T.copy()
    home = closes[0]
    leaves = closes[0] = opens[0]  # of the depot, the time at which a tour leaves it
    slack = slack_of(distances, windows)
    while True:
        first = precedences(shortest, opens, closes, slack)
        direct = _may_follow(distances, opens, closes, first, slack)
        back = ~first.any(axis=1)
        earliest = np.where(direct, opens[:, None] + distances, np.inf).min(axis=0)
        earliest = np.maximum(earliest, np.where(first, opens[:, None] + shortest, -np.inf).max(axis=0))
        latest = np.where(direct, closes - distances, -np.inf).max(axis=1)
        latest = np.maximum(latest, np.where(back, home - distances[:, 0], -np.inf))
        latest = np.minimum(latest, np.where(first, closes - shortest, np.inf).min(axis=1))
        arrived = np.where(direct, closes[:, None] + distances, -np.inf).max(axis=0)
        before = opens, closes
        opens = np.maximum(opens, earliest)
        closes = np.minimum(closes, np.minimum(latest, np.maximum(opens, arrived)))
        opens[0] = closes[0] = leaves
        if (opens > closes + slack).any():
            return windows
        if max(np.abs(opens - before[0]).max(), np.abs(closes - before[1]).max()) <= slack:
            return np.stack([np.append(windows[0, 0], opens[1:]), np.append(home, closes[1:])], axis=1)


def slack_of(distances: np.ndarray, windows: np.ndarray) -> float:
    """Return by how much rounding alone can make a time too late."""
    return float(ROUNDING * max(distances.max(), np.abs(windows).max()))


def precedences(shortest: np.ndarray, opens: np.ndarray, closes: np.ndarray, slack: float) -> np.ndarray:
    """Return whether city i must come before city j (bool[n, n]; never for the depot).

    Service starts from ``opens`` to ``closes`` (float64[n]).
    """
    first: np.ndarray = (opens[:, None] + shortest > closes + slack).T
    np.fill_diagonal(first, val=False)
    first[0] = first[:, 0] = False
    return first


def _may_follow(
    distances: np.ndarray, opens: np.ndarray, closes: np.ndarray, first: np.ndarray, slack: float
) -> np.ndarray:
    """Return whether city j may come directly after i, which may be the depot."""
    between = first.astype(np.float32) @ first.astype(np.float32) > 0
    direct: np.ndarray = (opens[:, None] + distances <= closes + slack) & ~first.T & ~between
    direct[0] &= ~first.any(axis=0)
    np.fill_diagonal(direct, val=False)
    direct[:, 0] = False
    return direct
