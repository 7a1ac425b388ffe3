"""Small instances of vehicle routing, drawn at random."""

import numpy as np

from nrpa import VRPTW


def random_problem(seed, **options):
    """Return a small instance in which each customer can be served alone."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    places = rng.integers(0, 30, (n, 2))
    distances = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    opens = distances[0] + rng.integers(0, 40, n)
    windows = np.stack([opens, opens + rng.integers(1, 60, n)], axis=1)
    windows[0] = 0, 400
    windows += 30 * (seed % 2)
    demand = rng.integers(1, 10, n).astype(float)
    demand[0] = 0
    service = np.where(np.arange(n) > 0, 5.0, 0.0)
    return VRPTW(distances, windows, demand, 15, service=service, coordinates=places, **options)
