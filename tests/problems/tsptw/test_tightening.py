from itertools import permutations

import numpy as np
import pytest
from naive_tsptw import random_instance, random_matrix
from naive_tsptw import tightened as naive

from nrpa.problems.routing.lengths import shortest_ways
from nrpa.problems.tsptw.tightening import tightened


def starts_of_service(distances, windows):
    """Return when service starts in each city, for each tour that keeps all windows."""
    found = []
    for tour in permutations(range(1, len(distances))):
        time, here, starts = windows[0, 0], 0, np.full(len(distances), windows[0, 0])
        for city in (*tour, 0):
            time = max(time + distances[here, city], windows[city, 0])
            here, starts[city] = city, time
            if time > windows[city, 1]:
                break
        else:
            found.append(starts)
    return found


@pytest.mark.parametrize("cities", [2, 3, 5, 6])
def test_no_tour_is_lost(cities):
    """Whatever tour keeps the windows keeps the narrower ones; and many windows are narrower."""
    narrower = 0
    for seed in range(200):
        distances, windows = random_matrix(cities, seed)
        narrow = tightened(distances, shortest_ways(distances), windows)
        found = starts_of_service(distances, windows)
        assert all((narrow[:, 0] <= starts).all() and (starts <= narrow[:, 1]).all() for starts in found)
        narrower += bool(found) and bool((narrow != windows).any())
    assert narrower > 10


@pytest.mark.parametrize(("make", "cities"), [(random_matrix, 6), (random_matrix, 9), (random_instance, 12)])
def test_as_narrow_as_one_city_at_a_time(make, cities):
    """The order in which the reasons are applied makes no difference."""
    for seed in range(40):
        distances, windows = make(cities, seed)
        narrow = tightened(distances, shortest_ways(distances), windows)
        np.testing.assert_allclose(narrow, naive(distances.tolist(), windows.tolist()), atol=1e-6)


def test_windows_that_nobody_can_keep_stay_as_they_are():
    """There is nothing to learn from them."""
    distances = np.array([[0.0, 5, 8], [15, 0, 15], [18, 15, 0]])
    windows = np.array([[0.0, 100], [10, 12], [0, 20]])
    assert tightened(distances, distances, windows) is windows


def test_what_each_reason_gives():
    """Two cities, of which the second must come first, from the depot directly: there is one time for each."""
    distances = np.array([[0.0, 5, 5], [5, 0, 4], [5, 4, 0]])
    windows = np.array([[0.0, 30], [0, 100], [6, 8]])
    assert tightened(distances, distances, windows).tolist() == [[0, 30], [10, 10], [6, 6]]
