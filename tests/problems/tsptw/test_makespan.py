"""The makespan as what is minimised."""

import numpy as np
from naive_tsptw import best_tour, random_instance, random_matrix

import nrpa

DISTANCES, WINDOWS = [[0, 5, 8], [5, 0, 4], [8, 4, 0]], [[0, 40], [7, 20], [15, 30]]


def test_waiting_counts():
    """Home at 23 by waiting for city 2, not sooner; the travel cost is still told."""
    problem = nrpa.TSPTW(DISTANCES, WINDOWS, minimize="makespan")
    assert problem.check([1, 2]).figures == {"makespan": 23, "cost": 17, "violations": 0}
    assert (problem.check([1, 2]).score, problem.check([2, 1]).score) == (-23, -24)
    assert nrpa.solve(problem, seed=1, playouts=100).status == "optimal"
    late = nrpa.TSPTW(DISTANCES, [[0, 20], *WINDOWS[1:]], minimize="makespan").check([1, 2])
    assert (late.score, late.faults) == (
        -(23 + 1e6),
        ["the depot is reached at 23.00, after its window [0, 20] closes"],
    )


def test_the_least_is_found():
    """Of drawn instances, as by trying all orders, and never below the bound."""
    kept = 0
    for seed in range(12):
        distances, windows = (random_instance if seed % 2 else random_matrix)(6, seed)
        problem = nrpa.TSPTW(distances, windows, minimize="makespan", moves="all")
        tour = best_tour(distances.tolist(), windows.tolist(), "makespan")
        result = nrpa.solve(problem, seed=1, playouts=2000)
        assert (result.violations == 0) == (tour is not None)
        if tour is not None:
            assert np.isclose(result.makespan, -problem.check(list(tour)).score)
            assert problem.bound() <= result.makespan * (1 + 1e-9)
            kept += 1
        assert problem.check(result.solution).figures == result.figures
    assert kept > 5


def test_other_units_and_records():
    """A missed window counts more than the latest opening, and the travel cost that is known is no goal."""
    assert nrpa.TSPTW(DISTANCES, [[0, 9e6], [7, 9e6], [8e6, 9e6]], minimize="makespan").instance.penalty == 1e7
    assert nrpa.TSPTW.load("rc201.1", minimize="makespan").best_known is None
    assert nrpa.TSPTW.load("rc201.1").best_known.value == 444.54
