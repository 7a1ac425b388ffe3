"""Ruin and recreate for VRPTW: what it makes is checked apart, and no exchange written down plainly is better."""

import itertools

import numpy as np
import pytest
from drawn_vrptw import random_problem, scattered

import nrpa
from nrpa.engine.machine_code import interpreted
from nrpa.problems.routing import insertion, routes, ruin
from nrpa.problems.routing.improving import change, save_vehicles, shorten_many
from nrpa.problems.routing.routes import ALLOWED, CHANGES, MIDDLE, NEAR, NOWHERE, STRING, build
from nrpa.problems.vrptw.kernels import improve, write_back
from nrpa.search.check_solver import StopAfter


def allowed(problem, allowance, **given):
    """Return the instance with another allowance."""
    rules = problem.instance.rules._replace(allowance=allowance, **given)
    return problem.instance._replace(rules=rules)


def improved(problem, routes, improve=improve, allowance=100_000):
    """Return what the kernel makes of routes, and what it says."""
    moves = [place for route in routes for place in [*route, 0]]
    sequence = np.full(2 * len(problem.demand), -1)
    sequence[: len(moves)] = moves
    said = improve(allowed(problem, allowance), problem.new_state(), sequence, len(moves))
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


def built(problem, routes_given):
    """Return the rules, and work areas with routes."""
    rules, state = problem.instance.rules, problem.new_state()
    moves = np.array([place for route in routes_given for place in [0, *route]])
    assert build(rules, state, moves, len(moves))
    return rules, state


def routes_of(problem, state):
    """Return the routes of a state."""
    sequence = np.full(2 * len(problem.demand), -1)
    write_back(problem.instance, state, sequence)
    return problem.solution(sequence[sequence >= 0])


def insertions(problem, begun, customer):
    """Return the routes after each insertion of a customer, a new route among them."""
    for number, route in enumerate([*begun, []]):
        for at in range(len(route) + 1):
            longer = [*route[:at], customer, *route[at:]]
            yield [*begun[:number], longer, *begun[number + 1 :]]


@pytest.mark.parametrize("longest", [None, 90.0])
def test_a_customer_comes_back_where_it_costs_least(monkeypatch, longest):
    """As the cheapest of all insertions that the check finds sound, route after route."""
    monkeypatch.setitem(interpreted(insertion.cheaper).__globals__, "BLINK", -1.0)
    for seed in range(12):
        problem = random_problem(seed, first="distance", returns="free", longest=longest)
        for customer in range(2, len(problem.demand)):
            begun, _ = improved(problem, [[each] for each in range(1, len(problem.demand))])
            begun = [[each for each in route if each != customer] for route in begun]
            begun = [route for route in begun if route]
            rules, state = built(problem, begun)
            ruin.begin_change(state)
            state.waiting[0] = customer
            with np.errstate(over="ignore"):
                assert interpreted(insertion.recreate)(rules, state, 1, len(problem.demand)) == 0
            verdicts = [problem.check(each) for each in insertions(problem, begun, customer)]
            best = max(each.score for each in verdicts if each.valid)
            assert problem.check(routes_of(problem, state)).score == pytest.approx(best)


@pytest.mark.parametrize("most", [1, 2])
def test_an_emptied_route_is_used_again(most):
    """By customers who share no vehicle, as long as no more than ``most`` routes have customers."""
    problem = nrpa.VRPTW([[0, 10, 10], [10, 0, 5], [10, 5, 0]], [[0, 999]] * 3, [0, 1, 1], 1, returns="free")
    rules, state = built(problem, [[1], [2]])
    ruin.begin_change(state)
    for customer in (1, 2):
        ruin.take_out(rules, state, customer, customer - 1)
    assert insertion.recreate(rules, state, 2, most) == 2 - most
    assert state.work[routes.USED] == most


def test_routes_improved_before_get_longer():
    """To save a vehicle where none can be: 1 to 64 times the usual work, at least 16 times in about a quarter."""
    problem = random_problem(3, returns="free")
    customers = [[customer] for customer in range(1, len(problem.demand))]
    begun, _ = improved(problem, customers)
    rules, state = built(problem, begun)
    rules = allowed(problem, 2_000, fewest=0).rules
    works = {False: [], True: []}
    state.stream[:] = 1, 2
    routes.keep(state)
    for is_again in (False, True) * 100:
        works[is_again].append(save_vehicles(rules, state, np.zeros(1, bool), 1.0, is_again) / 1_000)
    assert 1 <= min(works[False]) <= max(works[False]) < 1.5
    assert 1 <= min(works[True]) <= max(works[True]) < 65
    assert 15 <= sum(work > 16 for work in works[True]) <= 35


def test_routes_of_many_places_become_shorter_near_one_or_at_length():
    """1 to 25 times the usual work, by more neighbours and longer strings; near a place where that is little."""
    problem = scattered(310, returns="free")
    rules, state = built(problem, improved(problem, [[each] for each in range(1, 311)])[0])
    routes.keep(state)
    state.stream[:] = 1, 2
    works = {False: [], True: []}
    for _ in range(100):
        routes.bring_back(rules, state)
        state.work[MIDDLE], before = NOWHERE, state.work[CHANGES]
        state.work[ALLOWED] = 0
        shorten_many(allowed(problem, 4_000_000).rules, state, np.ones(1, bool), 30.0)
        assert state.work[CHANGES] == before
        assert (state.work[NEAR], state.work[STRING]) == (rules.neighbours.shape[1], 30)
        works[state.work[MIDDLE] == NOWHERE].append(int(state.work[ALLOWED]))
    assert 1_990_000 < min(works[False]) <= max(works[False]) < 31_100_000
    assert 31_000_000 < min(works[True]) <= max(works[True]) < 50_000_000


def test_changes_near_a_place_leave_others():
    """Of two towns far from each other, the routes of one change."""
    one = scattered(200, returns="free")
    places = np.vstack([one.coordinates, one.coordinates[1:] + 30_000])
    distances = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    windows = np.tile([0.0, 1e6], (401, 1))
    problem = nrpa.VRPTW(distances, windows, np.minimum(np.arange(401), 1), 10, returns="free")
    begun = [list(range(first, first + 10)) for first in range(1, 401, 10)]
    rules, state = built(problem, begun)
    state.stream[:], state.work[MIDDLE] = (1, 2), 100
    for _ in range(300):
        change(rules, state, 1e3, 401)
    found = routes_of(problem, state)
    assert all(route in found for route in begun[20:])
    assert sum(route in found for route in begun[:20]) < 10


def test_improve_heeds_stop():
    """It returns at once where it shall stop, without a change."""
    problem = scattered(40, returns="free")
    state, sequence = problem.new_state(), np.full(80, -1)
    sequence[:] = [place for customer in range(1, 41) for place in (customer, 0)]
    state.stop[0] = True
    assert improve(problem.instance, state, sequence, 80) == 0
    assert state.work[routes.CHANGES] == 0
    state.stop[0] = False
    assert improve(allowed(problem, 2_000), state, sequence, 80) == 1


def test_improve_keeps_what_it_has_when_it_is_stopped():
    problem = scattered(40, returns="free")
    singles = [[each] for each in range(1, 41)]
    state, sequence = problem.new_state()._replace(stop=StopAfter(20)), np.full(80, -1)
    sequence[:] = [place for customer in range(1, 41) for place in (customer, 0)]
    with np.errstate(over="ignore"):
        assert interpreted(improve)(problem.instance, state, sequence, 80) == 1
    assert state.stop[0]
    assert state.work[ALLOWED] > 0
    verdict = problem.check(problem.solution(sequence[sequence >= 0]))
    assert verdict.valid
    assert verdict.score > problem.check(singles).score


def test_what_is_undone_is_as_before():
    """Routes, times, loads and lengths, after strings were removed and inserted elsewhere."""
    problem = scattered(40, returns="free")
    rules, state = built(problem, improved(problem, [[each] for each in range(1, 41)])[0])
    state.stream[:] = 1, 2
    names = ("after", "before", "route", "start", "latest", "leg", "load", "long", "size", "sums")
    for _ in range(20):
        was = [getattr(state, name).copy() for name in names]
        ruin.begin_change(state)
        out = ruin.ruin(rules, state)
        assert out > 0
        insertion.recreate(rules, state, out, 41)
        ruin.undo(rules, state)
        for name, before in zip(names, was, strict=True):
            assert getattr(state, name) == pytest.approx(before), name


def test_no_stretch_is_longer_than_the_allowance(monkeypatch):
    """What is looked at is counted, every position and node; no more than one change goes beyond the allowance."""
    problem, looked_at = scattered(40, returns="free"), [0]
    for caller, name in (
        (insertion.best_position, "cheaper"),
        (insertion.anywhere, "cheaper"),
        (routes.note, "start_of_service"),
    ):
        scope = interpreted(caller).__globals__

        def count(*arguments, counted=scope[name]):
            looked_at[0] += 1
            return counted(*arguments)

        monkeypatch.setitem(scope, name, count)
    state, sequence = problem.new_state(), np.full(80, -1)
    sequence[:] = [place for customer in range(1, 41) for place in (customer, 0)]
    with np.errstate(over="ignore"):
        assert interpreted(improve)(allowed(problem, 20_000), state, sequence, 80)
    assert -5_000 < state.work[ALLOWED] <= 0
    assert looked_at[0] <= 20_000 - state.work[ALLOWED]
    assert problem.instance.rules.allowance == 4_100_000
    assert scattered(1_000).instance.rules.allowance == 10_000_000


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
    result = nrpa.solve(problem, seed=1, playouts=2)
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
            assert improved(problem, begun, interpreted(improve), 2_000) == improved(problem, begun, allowance=2_000)
