"""The kernel ``improve`` of VRPTW: what it makes is checked apart, and no exchange written down plainly is better."""

import itertools

import numpy as np
import pytest
from drawn_vrptw import random_problem

import nrpa
from nrpa.engine.machine_code import interpreted
from nrpa.problems.vrptw.improving import cheapest, improve, note, place_without


def improved(problem, routes, improve=improve):
    """Return what the kernel makes of routes, and what it says."""
    moves = [place for route in routes for place in [*route, 0]]
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
    for seed, first, longest in itertools.product(range(12), ("vehicles", "distance"), (None, 90.0)):
        problem = random_problem(seed, first=first, returns="free", longest=longest)
        begun = [[customer] for customer in range(1, len(problem.demand))]
        routes, said = improved(problem, begun)
        found = problem.check(routes)
        assert found.valid
        assert said == (found.score > problem.check(begun).score)
        assert improved(problem, routes) == (routes, 0)
        verdicts = [problem.check(each) for each in exchanged(routes)]
        assert all(each.score <= found.score + 1e-6 for each in verdicts if each.valid)
        changes += said
    assert changes > 30


@pytest.mark.parametrize("options", [{}, {"first": "distance", "vehicles": 3}, {"longest": 43.0}])
def test_a_vehicle_is_saved_that_exchanges_need(options):
    """Those who ask for 6, 3, 5, 3, 4, 5 and 4 fill three vehicles of ten exactly; or where only three may go."""
    places = np.array([[0, 0], [1, 9], [2, 9], [9, 1], [9, 2], [-9, 0], [-9, 1], [-9, 2]])
    distances = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    demand = [0, 6, 3, 5, 3, 4, 5, 4]
    windows = np.tile([0, 1000], (8, 1))
    problem = nrpa.VRPTW(distances, windows, demand, 10, returns="free", **options)
    routes, _ = improved(problem, [[1, 2], [3, 4], [5], [6], [7]])
    assert problem.check(routes).figures["vehicles"] == 3
    assert problem.check(routes).valid


def test_vehicles_too_many_are_saved_at_any_distance():
    """Two routes of 20 become one of 120 where there is one vehicle, and none comes back."""
    distances = [[0, 10, 10], [10, 0, 100], [10, 100, 0]]
    arrays = distances, [[0, 999]] * 3, [0, 1, 1], 2
    problem = nrpa.VRPTW(*arrays, first="distance", returns="free", vehicles=1)
    assert [sorted(*improved(problem, begun)[0]) for begun in ([[1], [2]], [[1, 2]])] == [[1, 2], [1, 2]]
    unlimited = nrpa.VRPTW(*arrays, first="distance", returns="free")
    assert sorted(improved(unlimited, [[1, 2]])[0]) == [[1], [2]]


def test_a_part_fits_no_route_that_becomes_too_long():
    """Two routes of 20 stay two where none may be longer than 25, though a vehicle costs 10,000."""
    arrays = [[0, 10, 10], [10, 0, 20], [10, 20, 0]], [[0, 999]] * 3, [0, 1, 1], 2
    short = nrpa.VRPTW(*arrays, returns="free", longest=25.0)
    assert improved(short, [[1], [2]]) == ([[1], [2]], 0)
    assert len(improved(nrpa.VRPTW(*arrays, returns="free"), [[1], [2]])[0]) == 1


def test_customers_who_wait_go_where_the_route_stays_short():
    """Customer 4 is nearest to 1 and 2; their route would be 25.4, as with 2 alone, with 3 22.9, with 1 alone 23.4."""
    places = np.array([[0, 0], [10, 0], [12, 0], [9, 3], [11, 2]])
    distances = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    sequence = np.array([1, 2, 0, 3, 0, 4])
    for longest, position, in_place_of_1 in ((None, 2, True), (25.0, 3, False)):
        problem = nrpa.VRPTW(distances, [[0, 999]] * 5, [0, 1, 1, 1, 1], 4, longest=longest)
        state = problem.new_state()
        assert note(problem.instance, state, sequence, 5)
        assert cheapest(problem.instance, state, sequence, 4, 5) == position
        assert (place_without(problem.instance, state, sequence, 4, 0, 0) >= 0) is in_place_of_1
        assert place_without(problem.instance, state, sequence, 4, 1, 1) >= 0
        assert not note(problem.instance._replace(longest=23.0), state, sequence, 5)


def test_the_first_route_leaves_when_the_depot_opens():
    """At -50, so that its first customer may change though all close at -20."""
    distances = 5.0 - 4.0 * np.roll(np.eye(4), 1, axis=1)
    windows = [[-50, 99]] + [[-99, -20]] * 3
    problem = nrpa.VRPTW(distances, windows, [0, 1, 1, 1], 3, returns="free")
    assert improved(problem, [[2, 1, 3]]) == ([[1, 2, 3]], 1)


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
        with np.errstate(over="ignore"):
            assert improved(problem, begun, interpreted(improve)) == improved(problem, begun)
