"""Shortest ways between cities."""

from __future__ import annotations

import numpy as np

ROUNDING = 1e-9
"""A way must be shorter by more than this share of the longest distance, so that rounding makes none."""


def shortest_ways(distances: np.ndarray) -> np.ndarray:
    """Return the lengths of the shortest ways between cities, through any cities but the depot.

    Parameters
    ----------
    distances : ndarray of float64, shape (n, n)
        The cost of going from i to j, 0 or more.

    Returns
    -------
    ndarray of float64, shape (n, n)
        The least cost of going from i to j. The array that was given, where no way through other cities is shorter: the
        triangle inequality holds.

    References
    ----------
    R. W. Floyd, *Algorithm 97: Shortest path*, Communications of the ACM 5, 1962.

    Examples
    --------
    >>> shortest_ways(np.array([[0.0, 9.0, 2.0], [9.0, 0.0, 3.0], [2.0, 3.0, 0.0]])).tolist()
    [[0.0, 5.0, 2.0], [5.0, 0.0, 3.0], [2.0, 3.0, 0.0]]
    """
    shortest = distances.copy()
    for through in range(1, len(distances)):
        np.minimum(shortest, shortest[:, through, None] + shortest[through], out=shortest)
    shorter = distances - shortest > ROUNDING * distances.max()
    return np.where(shorter, shortest, distances) if shorter.any() else distances
