import numpy as np
import pytest

import nrpa

DISTANCES = [[0, 5, 8], [5, 0, 4], [8, 4, 0]]
WINDOWS = [[0, 30], [7, 20], [0, 12]]


def test_a_good_tour():
    """Waiting costs time but no travel cost."""
    verdict = nrpa.TSPTW(DISTANCES, WINDOWS).check([1, 2])
    assert verdict.valid
    assert verdict.figures == {"cost": 17, "violations": 0}
    assert verdict.score == -17


def test_late_city_and_late_depot_are_named():
    """A missed window is named with the time of arrival, the depot's too."""
    verdict = nrpa.TSPTW(DISTANCES, [[0, 15], [7, 20], [0, 10]]).check([1, 2])
    assert verdict.faults == [
        "city 2 is reached at 11.00, after its window [0, 10] closes",
        "the depot is reached at 19.00, after its window [0, 15] closes",
    ]
    assert verdict.score == -(17 + 2e6)


def test_the_depot_opens():
    """No tour leaves before, where that is late, or earlier than 0; the makespan is when it is home."""
    distances = [[0, 60, 60], [60, 0, 10], [60, 10, 0]]
    late = nrpa.TSPTW(distances, [[480, 1080], [480, 500], [480, 1080]])
    assert late.check([1, 2]).faults == ["city 1 is reached at 540.00, after its window [480, 500] closes"]
    assert nrpa.TSPTW(distances, [[-100, 980], [-100, -40], [-100, 980]]).check([1, 2]).valid
    problem = nrpa.TSPTW(distances, [[480, 1080]] * 3, minimize="makespan")
    assert (problem.check([1, 2]).figures["makespan"], round(problem.bound())) == (610, 600)


def test_sums_of_decimals():
    """0.1 + 0.2 is 0.3, and what is later by more is late."""
    distances = [[0, 0.1, 9], [9, 0, 0.2], [0.1, 9, 0]]
    assert nrpa.TSPTW(distances, [[0, 10], [0, 0.1], [0, 0.3]]).check([1, 2]).valid
    assert not nrpa.TSPTW(distances, [[0, 10], [0, 0.1], [0, 0.3 - 1e-9]]).check([1, 2]).valid
    assert nrpa.TSPTW(distances, [[-0.3, 10], [-0.3, -0.2], [-0.3, 0]]).check([1, 2]).valid


def test_large_units():
    """A missed window counts more than any difference of costs, in the search as in the check."""
    distances, windows = 1e7 * np.array([[0, 1, 9], [9, 0, 1], [1, 9, 0]]), 1e7 * np.array([[0, 90], [8.5, 90], [0, 9]])
    problem = nrpa.TSPTW(distances, windows)
    late, kept = problem.check([1, 2]), problem.check([2, 1])
    assert (late.figures["cost"], kept.figures["cost"]) == (3e7, 27e7)
    assert (late.score, kept.score) == (-(1e9 + 3e7), -27e7)
    result = nrpa.solve(problem, nrpa.NMCS(level=1), seed=1, playouts=20)
    assert (result.solution, result.score, result.figures) == ([2, 1], -27e7, {"cost": 27e7, "violations": 0})


@pytest.mark.parametrize(
    ("tour", "fault"),
    [
        ([1], "city 2 is missing"),
        ([1, 2, 1], "city 1 is visited 2 times"),
        ([1, 7], "7 is not a city; expected 1 to 2"),
        ([1, "2"], "'2' is not a city"),
        ([1, True], "True is not a city"),
        ({"a": 1}, "a tour is a list of cities, not dict"),
    ],
)
def test_what_is_no_tour(tour, fault):
    """A broken list is refused with the city named, and has no figures."""
    verdict = nrpa.TSPTW(DISTANCES, WINDOWS).check(tour)
    assert any(fault in text for text in verdict.faults)
    assert verdict.figures == {}
    assert verdict.score is None
