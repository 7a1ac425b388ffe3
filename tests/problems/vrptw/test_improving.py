"""The kernel ``improve`` of VRPTW: what it makes is checked apart, and no exchange written down plainly is better."""

import itertools

import numpy as np
import pytest
from drawn_vrptw import random_problem

import nrpa
from nrpa.engine.machine_code import interpreted
from nrpa.problems.vrptw.improving import improve


def improved(problem, routes, improve=improve):
    """Return what the kernel makes of routes, and what it says."""
    moves = problem.moves_of(routes)
    sequence = np.full(2 * len(problem.demand), -1)
    sequence[: len(moves)] = moves
    said = improve(problem.instance, problem.new_state(), sequence, len(moves))
    return problem.solution(sequence[: np.flatnonzero(sequence < 0)[0]]), said


def exchanged(routes):
    """Return the routes after each exchange of two parts of at most three customers, or of two ends."""
    cuts = [
        (r, i, j) for r, route in enumerate(routes) for i in range(len(route) + 1) for j in range(i, len(route) + 1)
    ]
    for (r, i, j), (s, k, m) in itertools.combinations(cuts, 2):
        route, other = routes[r], routes[s]
        is_end = j == len(route) and m == len(other)
        if r == s or not (is_end or (j - i <= 3 and m - k <= 3)):
            continue
        pair = [route[:i] + other[k:m] + route[j:], other[:k] + route[i:j] + other[m:]]
        yield [each for each in [*pair, *(one for t, one in enumerate(routes) if t not in (r, s))] if each]


def test_no_exchange_of_two_routes_is_better():
    """Begun with a vehicle for each customer; what comes out is sound, cheaper, and no exchange is left."""
    changes = 0
    for seed, first in itertools.product(range(12), ("vehicles", "distance")):
        problem = random_problem(seed, first=first, returns="free")
        begun = [[customer] for customer in range(1, len(problem.demand))]
        routes, said = improved(problem, begun)
        found = problem.check(routes)
        assert found.valid
        assert said == (found.score > problem.check(begun).score)
        assert improved(problem, routes) == (routes, 0)
        verdicts = [problem.check(each) for each in exchanged(routes)]
        assert all(each.score <= found.score + 1e-6 for each in verdicts if each.valid)
        changes += said
    assert changes > 15


def test_a_vehicle_is_saved_that_exchanges_need():
    """Those who ask for 6, 3, 5, 3, 4, 5 and 4 fill three vehicles of ten exactly."""
    places = np.array([[0, 0], [1, 9], [2, 9], [9, 1], [9, 2], [-9, 0], [-9, 1], [-9, 2]])
    distances = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    demand = [0, 6, 3, 5, 3, 4, 5, 4]
    windows = np.tile([0, 1000], (8, 1))
    problem = nrpa.VRPTW(distances, windows, demand, 10, returns="free")
    routes, _ = improved(problem, [[1, 2], [3, 4], [5], [6], [7]])
    assert problem.check(routes).figures["vehicles"] == 3


def test_what_has_a_rule_for_going_home_stays():
    """Routes that end early are no game where a vehicle must serve whom it can."""
    problem = random_problem(3)
    begun = [[customer] for customer in range(1, len(problem.demand))]
    assert improved(problem, begun) == (begun, 0)


@pytest.mark.parametrize("name", ["r101", "rc105"])
def test_auto_is_at_the_fewest_vehicles(name):
    """In a few playouts, where playouts alone need more."""
    problem = nrpa.VRPTW.load(name)
    result = nrpa.solve(problem, seed=1, playouts=1500)
    assert problem.check(result.solution).score == pytest.approx(result.score)
    fewest = int(problem.best_known.value // 10_000)
    assert result.figures["vehicles"] <= fewest + (name != "r101")


@pytest.mark.filterwarnings("error")
def test_plain_python_does_the_same():
    """Route for route, so that numbers mean the same in Python and in numba."""
    for seed in (1, 4, 7):
        problem = random_problem(seed, returns="free")
        begun = [[customer] for customer in range(1, len(problem.demand))]
        assert improved(problem, begun, interpreted(improve)) == improved(problem, begun)
