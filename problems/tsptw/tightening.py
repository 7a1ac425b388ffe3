"""Windows made as narrow as the tours that keep all of them allow."""

from __future__ import annotations

import numpy as np

from nrpa.problems.tsptw.shortest import ROUNDING


def tightened(distances: np.ndarray, shortest: np.ndarray, windows: np.ndarray) -> np.ndarray:
    """Return the windows without times at which service starts in no tour that keeps them all.

    Repeated until nothing changes: a city cannot be left in time for one that closes before the way there ends, so that
    the other comes first; service starts after that in some city that may come directly before, and in every one that
    must come before; it starts in time for some city that may come directly after, and for every one that must.

    Parameters
    ----------
    distances : ndarray of float64, shape (n, n)
        The cost, and time, of going from i to j.
    shortest : ndarray of float64, shape (n, n)
        The lengths of the shortest ways (``shortest_ways``).
    windows : ndarray of float64, shape (n, 2)
        Opening and closing times, of the depot first.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        The narrower windows, that of the depot as it was. The windows that were given, where they show that no tour
        keeps them all.

    References
    ----------
    A. Langevin, M. Desrochers, J. Desrosiers, S. Gélinas, F. Soumis, *A two-commodity flow formulation for the
    traveling salesman and the makespan problems with time windows*, Networks 23, 1993.

    N. Ascheuer, M. Fischetti, M. Grötschel, *Solving the asymmetric travelling salesman problem with time windows by
    branch-and-cut*, Mathematical Programming 90, 2001.
    """
    opens, closes = windows.T.copy()
    home = closes[0]
    opens[0] = closes[0] = 0.0  # of the depot, the time at which a tour leaves it
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
        opens[0] = closes[0] = 0.0
        if (opens > closes + slack).any():
            return windows
        if max(np.abs(opens - before[0]).max(), np.abs(closes - before[1]).max()) <= slack:
            return np.stack([np.append(windows[0, 0], opens[1:]), np.append(home, closes[1:])], axis=1)


def slack_of(distances: np.ndarray, windows: np.ndarray) -> float:
    """Return how much later than computed a time may be for nothing but rounding."""
    return float(ROUNDING * max(distances.max(), np.abs(windows).max()))


def precedences(shortest: np.ndarray, opens: np.ndarray, closes: np.ndarray, slack: float) -> np.ndarray:
    """Return which cities must come before which.

    Parameters
    ----------
    shortest : ndarray of float64, shape (n, n)
        The lengths of the shortest ways.
    opens, closes : ndarray of float64, shape (n,)
        When service can start at the earliest and at the latest.
    slack : float
        For rounding.

    Returns
    -------
    ndarray of bool, shape (n, n)
        Whether i must come before j; never for the depot.
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
