"""Tours without windows by LKH, ten runs of it (elkai): instances of TSPTW whose windows are always open."""

from __future__ import annotations

from typing import Any

import numpy as np

import nrpa

INSTANCES = "rc204.1", "n100w120.002", "n200w120.002"
PEER = "LKH"
BASELINE = "the nearest city"
SCALE = 1000


def load(instance: str) -> nrpa.TSPTW:
    """Return an instance whose windows are always open."""
    distances = np.asarray(nrpa.TSPTW.load(instance).distances)
    return nrpa.TSPTW(distances, [(0, distances.sum())] * len(distances))


def answer(problem: Any, _seconds: float) -> list[int]:
    """Return the tour of ten runs of LKH, which has no limit of time; distances are in thousandths."""
    import elkai

    far = np.rint(SCALE * np.asarray(problem.distances)).astype(int)
    tour: list[int] = elkai.DistanceMatrix(far.tolist()).solve_tsp(runs=10)
    return tour[1:-1]


def baseline(problem: Any) -> list[int]:
    """Go to the nearest city that is left."""
    left, tour, here = set(range(1, len(problem.distances))), list[int](), 0
    while left:
        here = min(left, key=lambda city: (problem.distances[here, city], city))
        tour.append(here)
        left.remove(here)
    return tour
