"""The time away as what is minimised."""

import numpy as np
import pytest
from compiled_kernels import compiled_play, compiled_reset, compiled_score
from naive_tsptw import best_tour, least_duration, random_instance, random_matrix

import nrpa

DISTANCES, WINDOWS = [[0, 5, 8], [5, 0, 4], [8, 4, 0]], [[0, 40], [7, 20], [15, 30]]


def test_the_depot_is_left_late():
    """So that city 1 is reached when it closes, at 20, and nobody waits; at 8, and city 2 opens three hours later."""
    problem = nrpa.TSPTW(DISTANCES, WINDOWS, minimize="duration")
    assert problem.check([1, 2]).figures == {"duration": 17, "leaves": 15, "cost": 17, "violations": 0}
    assert [visit.start for visit in problem.visits([1, 2])] == [20, 24, 32]
    narrow = nrpa.TSPTW(DISTANCES, [[0, 40], [7, 8], [15, 30]], minimize="duration")
    assert narrow.check([1, 2]).figures == {"duration": 20, "leaves": 3, "cost": 17, "violations": 0}
    assert narrow.check([1, 2]).score == -20
    late = narrow.check([2, 1])
    assert late.score == -(24 + 1e6), "a tour that misses a window leaves when the depot opens"


@pytest.mark.parametrize("near", [False, True])
def test_the_least_is_found(near):
    """Of drawn instances, as by trying all orders, each with its latest hour to leave."""
    kept = earlier = 0
    for seed in range(12):
        distances, windows = (random_instance if seed % 2 else random_matrix)(6, seed)
        problem = nrpa.TSPTW(distances, windows, minimize="duration", moves="all", near=near)
        tour = best_tour(distances.tolist(), windows.tolist(), "duration")
        result = nrpa.solve(problem, seed=1, playouts=1000)
        assert (result.violations == 0) == (tour is not None)
        if tour is not None:
            least = least_duration(distances, windows, tour)
            assert np.isclose(result.duration, least)
            assert np.isclose(-problem.check(list(tour)).score, least)
            kept += 1
            earlier += problem.leaves(result.solution) > windows[0, 0]
        assert np.isclose(problem.check(result.solution).score, result.score)
    assert kept > 5
    assert earlier > 3


@pytest.mark.parametrize("near", [False, True])
def test_the_score_of_a_game_is_that_of_the_check(near):
    """Of drawn games, whose tours keep all windows or miss some."""
    rng, kept = np.random.default_rng(1), 0
    for seed in range(40):
        distances, windows = (random_instance if seed % 2 else random_matrix)(4, seed)
        problem = nrpa.TSPTW(distances, windows, minimize="duration", moves="all", near=near)
        state, tour = problem.new_state(), rng.permutation([1, 2, 3]).tolist()
        compiled_reset(problem.instance, state)
        for city in tour:
            compiled_play(problem.instance, state, city)
        verdict = problem.check(tour)
        assert np.isclose(compiled_score(problem.instance, state), verdict.score)
        kept += not verdict.faults
    assert 5 < kept < 35
