"""Tours with time windows by PyVRP, with one vehicle: two of Solomon and Potvin and Bengio, two of Gendreau."""

from __future__ import annotations

from typing import Any

import numpy as np
from by_pyvrp import routes

INSTANCES = "rc204.1", "rc207.2", "n100w120.002", "n200w120.002"
PEER = "PyVRP"
BASELINE = "the window that closes first"
SCALE = 1000


def answer(problem: Any, seconds: float) -> list[int] | None:
    """Return the tour that PyVRP finds; distances and times are in thousandths."""
    far, windows = (np.rint(SCALE * np.asarray(each)).astype(int) for each in (problem.distances, problem.windows))
    places = np.zeros((len(far), 2), int)
    times = np.column_stack([places[:, 0], windows])
    found = routes(places, places[:, 0] + 1, len(far), seconds, far, times, num_available=1)
    return found[0] if found else None


def baseline(problem: Any) -> list[int]:
    """Visit the cities in the order in which their windows close."""
    order: list[int] = 1 + np.argsort(problem.windows[1:, 1], kind="stable")
    return [int(city) for city in order]
