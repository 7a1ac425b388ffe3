"""The neighbours of places."""

import numpy as np
import pytest

import nrpa


@pytest.mark.parametrize(
    ("places", "capacity", "neighbours"), [(300, 40, 40), (301, 10, 40), (301, 25, 75), (301, 40, 100)]
)
def test_neighbours_are_as_many_as_three_vehicles_serve(places, capacity, neighbours):
    """From 40 to 100, where there are more than 300 places; those near and in time come first."""
    distances = np.abs(np.subtract.outer(np.arange(places), np.arange(places))).astype(float)
    problem = nrpa.VRPTW(distances, [[0, 1e6]] * places, np.minimum(np.arange(places), 1), capacity)
    rules = problem.instance.rules
    assert rules.neighbours.shape == rules.followers.shape == (places, neighbours)
    assert sorted(rules.neighbours[150, :40].tolist()) == [*range(130, 150), *range(151, 171)]
