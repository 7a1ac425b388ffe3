"""Shortest ways between cities."""

from __future__ import annotations

import numpy as np

ROUNDING = 1e-9
"""A way must be shorter by more than this share of the longest distance, so that rounding makes none."""


def shortest_ways(distances: np.ndarray) -> np.ndarray:
    """Return the lengths (float64[n, n]) of the shortest ways between cities, through any cities but the depot.

    Where the triangle inequality holds, they are the array that was given.

    Source: R. W. Floyd, *Algorithm 97: Shortest path*, Communications of the ACM 5, 1962.
    """
    shortest = distances.copy()
    for through in range(1, len(distances)):
        np.minimum(shortest, shortest[:, through, None] + shortest[through], out=shortest)
    shorter = distances - shortest > ROUNDING * distances.max()
    return np.where(shorter, shortest, distances) if shorter.any() else distances
