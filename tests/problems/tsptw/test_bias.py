import numpy as np
import pytest
from naive_tsptw import NaiveTSPTW, bias_by_neighbours, random_instance, random_matrix

import nrpa


def load(name, **options):
    return nrpa.TSPTW.load(name, **options)


def test_bias_is_minus_ten_for_the_longest_way():
    """β runs from 0 on the shortest way to -10 on the longest, as the formula says in between."""
    problem = load("rc204.1")
    naive = NaiveTSPTW(problem.distances.tolist(), problem.windows.tolist())
    bias = problem.bias_by_code().reshape(problem.cities, problem.cities)
    others = ~np.eye(problem.cities, dtype=bool)
    assert bias[others].max() == 0
    assert bias[others].min() == -10
    assert bias[3, 7] == pytest.approx(naive.bias((3,), 7))


def test_the_scale_multiplies_the_bias():
    """And cannot turn it round."""
    plain, scaled = load("rc204.1").bias_by_code(), load("rc204.1", bias_scale=2.5).bias_by_code()
    np.testing.assert_allclose(scaled, 2.5 * plain)
    with pytest.raises(nrpa.InputError, match=r"bias_scale must be a number from 0 to .*, not -1"):
        load("rc204.1", bias_scale=-1.0)


@pytest.mark.parametrize("name", ["rc201.1", "rc204.1", "rbg086a"])
def test_neighbours_agree_with_the_rule_written_out(name):
    """City by city; with a scale."""
    problem = load(name, bias_rule="neighbours", bias_scale=1.5)
    expected = bias_by_neighbours(problem.distances.tolist(), problem.windows.tolist())
    np.testing.assert_allclose(problem.bias_by_code(), 1.5 * np.ravel(expected), rtol=1e-9, atol=1e-9)
    assert problem.bias_by_code().min() < -10


def test_neighbours_of_odd_instances():
    """Few cities, no width, equal distances, windows that no tour keeps: β is a number, and the search runs."""
    instances = [random_instance(cities, seed=cities) for cities in (2, 3, 5, 6, 7, 9)]
    instances += [random_matrix(cities, 1) for cities in (4, 8)]
    instances += [(np.ones((8, 8)), np.full((8, 2), 9.0)), (np.zeros((3, 3)), np.zeros((3, 2)))]
    for distances, windows in instances:
        problem = nrpa.TSPTW(distances, windows, bias_rule="neighbours")
        expected = bias_by_neighbours(np.asarray(distances).tolist(), np.asarray(windows).tolist())
        np.testing.assert_allclose(problem.bias_by_code(), np.ravel(expected), rtol=1e-9, atol=1e-9)
    assert nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=5).score == 0


def test_neighbours_do_not_weaken_as_cities_become_more():
    """Twice as many cities in the same square: the nearest are as likely, relative to the sixth nearest."""

    def drop(cities):
        beta = load_square(cities).bias_by_code().reshape(cities, cities)
        return np.mean([np.sort(np.delete(row[1:], max(i - 1, 0)))[-7] for i, row in enumerate(beta)])

    def load_square(cities):
        place = np.random.default_rng(1).uniform(0, 100, (cities, 2))
        distances = np.hypot(*(place[:, None] - place).transpose(2, 0, 1))
        return nrpa.TSPTW(distances, [[0, 10_000]] * cities, bias_rule="neighbours")

    assert drop(160) == pytest.approx(drop(80), rel=0.3)
