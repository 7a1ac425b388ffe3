"""Rich vehicle routing: rules, reader, and ruin and recreate, beside slow references."""

from itertools import combinations_with_replacement, pairwise, permutations

import numpy as np
import pytest

from nrpa import RichVRP, Source
from nrpa.base.errors import InputError
from nrpa.engine.machine_code import interpreted
from nrpa.problems.routing import insertion, ruin
from nrpa.problems.routing.routes import LENGTH, build, new_routes

PAIRS = """2 10 1
0 0 0 0 0 100 0 0 0
1 3 4 7 0 90 1 0 2
2 6 8 -7 0 90 1 1 0
3 0 5 4 0 90 1 0 4
4 0 9 -4 0 90 1 3 0
"""
DEPOTS = """TYPE : MDVRPTW
DIMENSION : 5
CAPACITY : 10
VEHICLES : 2
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 0 0
2 9 0
3 1 0
4 8 0
5 2 0
DEMAND_SECTION
1 0
2 0
3 5
4 5
5 5
VEHICLES_DEPOT_SECTION
1 1
2 2
DEPOT_SECTION
1
2
-1
EOF
"""


def read(text, **options):
    """Return the instance that a text holds, in plain Python."""
    return RichVRP.from_source(Source("here", text, ""), **options).plain


def drawn(seed, n=6, **given):
    """Return an instance of so many customers and two depots."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 20, (2, n + 2))
    opens = np.r_[0, 0, rng.integers(0, 60, n)]
    windows = np.stack([opens, opens + np.r_[200, 200, rng.integers(10, 60, n)]], axis=1)
    distances = np.hypot(x[:, None] - x, y[:, None] - y)
    demand = np.r_[0, 0, rng.integers(1, 5, n)]
    return RichVRP(distances, windows, demand, 9, depots=2, service=np.r_[0, 0, np.full(n, 2)], **given).plain


def fastest(problem, route):
    """Return the least duration of a route by trying when to leave, None if it is late whenever that is."""
    found = None
    for leaves in np.arange(0.0, 200.0, 0.25):
        time = leaves
        for here, there in pairwise(route):
            time = max(time + problem.service[here] + problem.distances[here, there], problem.ready[there])
            if time > problem.due[there]:
                break
        else:
            found = min(found or np.inf, time - leaves)
    return found


def test_segments_are_the_least_duration():
    """As found by trying all hours to leave, in steps of a quarter; the check finds the same."""
    problem = drawn(1)
    late = 0
    for route in permutations(range(2, 8), 3):
        segment = problem.stop(0)
        for here, there in zip((0, *route), (*route, 0), strict=True):
            segment = problem.joined(segment, problem.legs[here, there], problem.stop(there))
        slow = fastest(problem, (0, *route, 0))
        late += slow is None
        assert segment[3] == (slow is None)
        assert slow is None or segment[0] - 1e-9 <= slow <= segment[0] + 0.25
    assert 0 < late < 100


def test_pickups_come_before_their_deliveries():
    """What is no route is said; the cost of what is one is that of Li and Lim's convention."""
    problem = read(PAIRS)
    assert problem.check([[0, 1, 2, 0], [0, 3, 4, 0]]).figures == {
        "cost": pytest.approx(20_038.0),
        "vehicles": 2,
        "distance": pytest.approx(38.0),
        "left out": 0,
    }
    for routes, fault in (
        ([[0, 2, 1, 0], [0, 3, 4, 0]], "route 1: place 2 is not served with its partner 1, pickup first"),
        ([[0, 1, 4, 0], [0, 3, 2, 0]], "route 1: place 1 is not served with its partner 2, pickup first"),
        ([[0, 1, 3, 2, 4, 0]], "route 1 carries 11, more than 10"),
        ([[0, 1, 2, 0]], "place 3 is left out"),
        ([[0, 1, 2, 1, 0], [0, 3, 4, 0]], "place 1 is served 2 times"),
        ([[1, 2]], "route 1: expected places with the same depot at both ends, found [1, 2]"),
    ):
        assert problem.check(routes).faults[0] == fault
    assert problem.check([[0, 1, 2, 0], [0, 3, 0], [0, 4, 0]]).faults


def test_depots_have_their_own_vehicles():
    """One too many counts as a fault in the score."""
    problem = read(DEPOTS)
    assert (problem.depots, problem.vehicles.tolist(), problem.rules.place[5:].tolist()) == (2, [1, 1], [0, 1])
    assert problem.check([[0, 2, 4, 0], [1, 3, 1]]).figures["cost"] == 6.0
    verdict = problem.check([[0, 2, 0], [0, 4, 0], [1, 3, 1]])
    assert verdict.faults == ["depot 0 has 1 vehicles, not 2"]
    assert verdict.score == -(8.0 + problem.penalty)


def test_backhauls_come_last():
    """A route has one stop of the others at least, and its two loads count each alone."""
    problem = drawn(2, backhauls=np.r_[[False] * 5, True, True, True])
    assert problem.check([[0, 5, 2, 0]]).faults[-1] == "route 1: place 2 comes after a backhaul"
    game = problem.initial_state()
    assert {place for _, place in problem.legal_moves(game)} == {2, 3, 4}


def test_what_is_not_worth_its_way_is_left_out():
    """The prize counts in the cost; a game ends where all that is left has one."""
    problem = drawn(3, prizes=np.r_[0, 0, 0.5, 0.5, 500.0, 500.0, 500.0, 0.0])
    moves = problem.improve(problem.own_moves([[0, 7, 0]]), [])
    verdict = problem.check(problem.solution_of(moves))
    assert verdict.valid
    assert verdict.figures["left out"] == 2
    assert verdict.figures["cost"] == pytest.approx(verdict.figures["distance"] + 1.0)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_improve_finds_the_best_of_few(seed):
    """All ways to serve five places from two depots are tried."""
    problem = drawn(seed, n=5, vehicles=[2, 2], duration=60.0)
    best = problem.check(problem.solution_of(problem.improve(first_game(problem), [])))
    assert best.valid
    assert -best.score == pytest.approx(least_cost(problem, frozenset(range(2, 7)), (2, 2)))


def first_game(problem):
    """Return the moves of a game, always the first that is legal."""
    state, moves = problem.initial_state(), []
    while legal := problem.legal_moves(state):
        moves.append(legal[0])
        state = problem.play(state, legal[0])
    return moves


def in_time(problem, route):
    """Return whether a route is in time and not too long."""
    took = fastest(problem, route)
    return took is not None and took <= problem.duration


def least_cost(problem, places, vehicles):
    """Return the least distance of routes that serve all places, with so many vehicles at two depots."""
    if not places:
        return 0.0
    first, least = min(places), np.inf
    for depot in range(2):
        if vehicles[depot]:
            left = tuple(number - (k == depot) for k, number in enumerate(vehicles))
            for size in range(1, len(places) + 1):
                for route in permutations(sorted(places), size):
                    if first in route:
                        stops = [depot, *route, depot]
                        length = sum(problem.distances[leg] for leg in pairwise(stops))
                        if length < least and sum(problem.demand[[*route]]) <= 9 and in_time(problem, stops):
                            least = min(least, length + least_cost(problem, places - {*route}, left))
    return least


def paired(seed):
    """Return an instance of three pickups with deliveries and one depot."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 20, (2, 7))
    distances = np.hypot(x[:, None] - x, y[:, None] - y)
    windows = np.stack([np.zeros(7), np.r_[200, rng.integers(40, 120, 6)]], axis=1)
    demand = np.r_[0, np.repeat(rng.integers(3, 7, 3), 2) * np.tile([1, -1], 3)]
    return RichVRP(distances, windows, demand, 9, partners=[0, 2, 1, 4, 3, 6, 5], vehicles=[2]).plain


def backhauls(seed):
    """Return an instance of one depot, half of whose places are backhauls."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 20, (2, 7))
    distances = np.hypot(x[:, None] - x, y[:, None] - y)
    demand = np.r_[0, rng.integers(1, 5, 6)]
    return RichVRP(distances, [[0, 999]] * 7, demand, 9, backhauls=np.arange(7) > 3, vehicles=[3]).plain


def insertions(solution, depots, places):
    """Return the routes after each insertion of places in their order, new routes among them."""
    for number, route in enumerate([*solution, *([depot, depot] for depot in range(depots))]):
        for ends in combinations_with_replacement(range(1, len(route)), len(places)):
            longer = [*route]
            for end, place in reversed(list(zip(ends, places, strict=True))):
                longer.insert(end, place)
            yield [*solution[:number], longer, *solution[number + 1 :]]


@pytest.mark.parametrize("make", [paired, backhauls, lambda seed: drawn(seed, vehicles=[2, 2], duration=60.0)])
def test_a_request_comes_back_where_it_costs_least(monkeypatch, make):
    """As the cheapest of all insertions that the check finds valid: of pairs, backhauls, and several depots."""
    for function in (insertion.cheaper, insertion.cheaper_pair):
        monkeypatch.setitem(interpreted(function).__globals__, "BLINK", -1.0)
    compared = 0
    for seed in range(5):
        problem = make(seed)
        solution = problem.solution_of(problem.improve(first_game(problem), []))
        for request in problem.requests.tolist() if problem.check(solution).valid else []:
            places = [request, *problem.partners[[request]][problem.partners[[request]] > 0].tolist()]
            left = [route for route in ([x for x in each if x not in places] for each in solution) if len(route) > 2]
            state = new_routes(len(problem.due), int(problem.vehicles.sum()), False)
            starts = np.array([place for route in left for place in route[:-1]], np.int64)
            if not build(problem.rules, state, starts, len(starts)):
                continue
            verdicts = map(problem.check, insertions(left, problem.depots, places))
            best = max(each.score for each in verdicts if each.valid)
            with np.errstate(over="ignore"):
                assert interpreted(insertion.recreate)(problem.rules, state, 1, len(state.size)) == 0
            assert state.sums[LENGTH] == pytest.approx(-best)
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("is_paired", [False, True])
def test_what_is_undone_is_as_before(is_paired):
    """Pairs, or places of two depots with a longest duration: all that is known of their routes."""
    problem = RichVRP.load("pd-c101-10").plain if is_paired else drawn(2, vehicles=[2, 2], duration=60.0)
    rules, state = problem.rules, new_routes(len(problem.due), int(problem.vehicles.sum()), False)
    starts = np.array([start for start, _ in problem.improve(first_game(problem), [])])
    assert build(rules, state, starts, len(starts))
    state.stream[:] = 1, 2
    names = ("after", "before", "route", "start", "latest", "leg", "part", "load", "long", "size", "sums")
    for _ in range(20):
        was = [getattr(state, name).copy() for name in names]
        ruin.begin_change(state)
        out = ruin.ruin(rules, state)
        assert out > 0
        insertion.recreate(rules, state, out, len(state.size))
        ruin.undo(rules, state)
        for name, before in zip(names, was, strict=True):
            assert getattr(state, name) == pytest.approx(before), name


@pytest.mark.parametrize(
    ("text", "old", "new", "fault"),
    [
        (PAIRS, "2 10 1", "2 10 2", "here:1: expected a speed of 1, or 0, as some published files have it, found '2'"),
        (PAIRS, "-7 0 90 1 1 0", "-7 0 90 1 1", "here:4: expected 9 numbers"),
        (PAIRS, "-7", "-6", "here:3: expected a pickup and its delivery, which name each other, with the same demand"),
        (PAIRS, "0 4\n", "0 2\n", "here:5: expected a pickup and its delivery"),
        (PAIRS, "2 10 1\n", "", "here:1: is in none of the forms that are read"),
        (DEPOTS, "1 1\n2 2\nDEPOT", "1 1\n2 3\nDEPOT", "here:20: vehicle 2 is at no depot; expected 1 to 2"),
        (DEPOTS, "2\n-1", "3\n-1", "here:23: DEPOT_SECTION: expected node 2, as depots are the first nodes"),
        (DEPOTS, "CAPACITY", "DISTANCE : 9\nCAPACITY", "here:3: DISTANCE is not read, and could change the routes"),
        (DEPOTS, "3 5\n4 5", "3 50\n4 5", "place 2 asks for 50, more than 10, the capacity"),
    ],
)
def test_what_is_refused(text, old, new, fault):
    """In one sentence, with the line."""
    with pytest.raises(InputError) as raised:
        read(text.replace(old, new))
    assert str(raised.value).startswith(fault), raised.value


def test_the_smallest_bundled_instance():
    """Its pairs were drawn from two routes, which have the value in the table; other options have another value."""
    problem = RichVRP.load("pd-c101-10").plain
    verdict = problem.check([[0, 2, 1, 3, 4, 0], [0, 5, 8, 9, 10, 6, 7, 0]])
    assert verdict.valid
    assert -verdict.score == pytest.approx(problem.best_known.value, abs=0.005)
    assert RichVRP.load("pd-c101-10", first="distance").plain.best_known is None


@pytest.mark.parametrize("scale", [0.1, 1e-7, 1e9])
def test_sums_of_decimals(scale):
    """0.1 + 0.2 fit 0.3 as 1 + 2 fit 3, of times, loads and durations, in the check as in the rules."""
    distances, windows = np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0]]), np.array([[0, 6], [0, 1], [0, 3]])
    given = scale * distances, scale * windows, scale * np.array([0, 1, 2])
    problem = RichVRP(*given, 3 * scale, duration=6 * scale).plain
    assert problem.check([[0, 1, 2, 0]]).valid
    tour = problem.initial_state()
    for leg in ((0, 1), (1, 2), (2, 0)):
        assert leg in problem.legal_moves(tour)
        tour = problem.play(tour, leg)
    assert problem.score(tour) == problem.check([[0, 1, 2, 0]]).score
    for capacity, less in ((3 * scale, {"duration": 6 * scale * (1 - 1e-9)}), (3 * scale * (1 - 1e-9), {})):
        assert not RichVRP(*given, capacity, **less).plain.check([[0, 1, 2, 0]]).valid


def test_nothing_comes_after_a_backhaul():
    """Nor what asks for nothing, nor where the backhaul does."""
    for demand in ([0, 1, 0, 1], [0, 1, 1, 0]):
        problem = RichVRP(np.ones((4, 4)), [[0, 99]] * 4, demand, 9, backhauls=[0, 0, 0, 1]).plain
        assert problem.check([[0, 1, 2, 3, 0]]).valid
        assert problem.check([[0, 1, 3, 2, 0]]).faults == ["route 1: place 2 comes after a backhaul"]


def test_speed_0():
    """Some published files have it for 1."""
    assert read(PAIRS.replace("2 10 1", "2 10 0")).check([[0, 1, 2, 0], [0, 3, 4, 0]]).valid
    with pytest.raises(InputError, match="here:1: expected a speed of 1, or 0"):
        read(PAIRS.replace("2 10 1", "2 10 2"))


BACKHAULS = """TYPE : VRPB
DIMENSION : 3
CAPACITY : 9
EDGE_WEIGHT_TYPE : EXACT_2D
NODE_COORD_SECTION
1 0 0
2 3 4
3 6 8
DEMAND_SECTION
1 0
2 5
3 %s
BACKHAUL_SECTION
%s
DEPOT_SECTION
1
-1
EOF
"""


def test_forms_of_backhauls():
    """A list that ends with -1 is that of rows of all nodes."""
    for text in (BACKHAULS % (4, "3 -1"), BACKHAULS % (4, "3\n-1"), BACKHAULS % (0, "1 0\n2 0\n3 4")):
        problem = read(text)
        assert problem.kinds.tolist() == [0, 0, 1]
        assert problem.demand.tolist() == [0, 5, 4]
    with pytest.raises(InputError, match="here:14: BACKHAUL_SECTION: expected a node from 2 to 3, or -1 at the end"):
        read(BACKHAULS % (4, "4 -1"))
