import numpy as np
import pytest
from naive_tsptw import random_instance, random_matrix
from naive_tsptw import shortest_ways as naive

from nrpa.problems.routing import lengths
from nrpa.problems.routing.lengths import ROUNDINGS, short_ways, shortest_ways, shortest_ways_from


def test_ways_as_short_as_relaxation_makes_them():
    """On whole matrices that break the triangle inequality."""
    for seed in range(20):
        distances, _ = random_matrix(9, seed)
        shortest = shortest_ways(distances)
        assert shortest.tolist() == naive(distances.tolist())
        assert (shortest < distances).any()


def test_ways_from_a_place_are_a_row_of_all():
    """From the depot, and to it where the matrix is turned over; none leads through the depot."""
    for seed in range(20):
        distances, _ = random_matrix(9, seed)
        shortest = shortest_ways(distances)
        assert np.delete(shortest_ways_from(distances), 0) == pytest.approx(shortest[0, 1:])
        assert np.delete(shortest_ways_from(distances.T), 0) == pytest.approx(shortest[1:, 0])


def test_nothing_is_made_where_no_way_is_shorter():
    """The distances of the plane are the array that comes back, whatever their sums are rounded to."""
    on_a_line = np.abs(np.subtract.outer(np.arange(30) / 7, np.arange(30) / 7))
    for distances in (on_a_line, random_instance(30, seed=1)[0]):
        assert shortest_ways(distances) is distances


def test_short_ways_lead_through_near_places(monkeypatch):
    """They lie between the shortest and the distances, and are the shortest where all places are near; none is made."""
    plane = random_instance(60, seed=1)[0]
    assert short_ways(plane) is plane
    drawn = [ROUNDINGS["down"](plane / 3), *(random_matrix(60, seed)[0] for seed in range(3))]
    for distances in drawn:
        found, shortest = short_ways(distances), shortest_ways(distances)
        assert (shortest <= found).all()
        assert (found <= distances).all()
        assert (found < distances).sum() > (shortest < distances).sum() / 2
    monkeypatch.setattr(lengths, "NEAR", 58)
    monkeypatch.setattr(lengths, "MOST_PASSES", 60)
    for distances in drawn:
        np.testing.assert_array_equal(short_ways(distances), shortest_ways(distances))


def test_no_way_leads_through_the_depot():
    """A tour passes it only at its ends."""
    distances = np.array([[0.0, 1, 1], [1, 0, 9], [1, 9, 0]])
    assert shortest_ways(distances) is distances


def test_roundings():
    """What lies a rounding error below a whole number, or a tenth, is not rounded down to the one before."""
    distances = np.array([2.5, 3.0 - 1e-12, 0.3, 0.1 + 0.2 - 1e-12, 7.77])
    made = {how: function(distances).tolist() for how, function in ROUNDINGS.items()}
    assert made == {
        "exact": distances.tolist(),
        "down": [2, 3, 0, 0, 7],
        "nearest": [3, 3, 0, 0, 8],
        "tenths": [2.5, 3.0, 0.3, 0.3, 7.7],
    }
