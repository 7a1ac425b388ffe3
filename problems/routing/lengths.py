"""Matrices of distances: checked, rounded, and the shortest ways between places."""

from collections.abc import Callable
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import numbers
from nrpa.problems.lines import LARGEST

ROUNDING = 1e-9
"""A way must be shorter by more than this share of the longest distance, so that rounding makes none."""
NEAR, MOST_PASSES = 8, 4
ROUNDINGS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exact": lambda distances: distances,
    "down": lambda distances: np.floor(distances + ROUNDING),
    "nearest": lambda distances: np.floor(distances + 0.5),
    "tenths": lambda distances: np.floor(10.0 * distances + ROUNDING) / 10.0,
}
"""What is made of a distance, by the option ``rounding``."""
ROUNDING_HELP = "How distances are rounded, if at all."


def checked_distances(distances: Any) -> np.ndarray:
    """Return a matrix of distances (float64[n, n]); InputError if it is none, or one is not from 0 to 1e100."""
    array = numbers("distances", distances)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InputError(f"distances must be a square matrix, not of shape {array.shape}")
    for i, j in np.argwhere(~((array >= 0) & (array <= LARGEST)))[:1]:
        raise InputError(f"the distance from {i} to {j} must be from 0 to {LARGEST:g}, not {array[i, j]:g}")
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
