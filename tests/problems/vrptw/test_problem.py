"""Vehicle routing as a user meets it."""

import math

import numpy as np
import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for
from drawn_vrptw import scattered

from nrpa import GNRPA, VRPTW, solve, start
from nrpa.base.errors import InputError
from nrpa.checking.validate import hints_of

LINE = [[0, 3, 4], [3, 0, 5], [4, 5, 0]]
OPEN = [[0, 99], [0, 50], [0, 60]]


def test_a_solomon_instance():
    """Its search serves everybody with few vehicles, and the best-known value stands beside."""
    problem = VRPTW.load("c101")
    result = solve(problem, GNRPA(level=2), seed=1, playouts=3_000)
    assert (problem.best_known.value, result.figures["vehicles"]) == (100828.94, 10)
    assert result.figures["cost"] == pytest.approx(100_000 + result.figures["distance"])
    assert problem.check(result.solution).valid


def test_more_than_three_hundred_customers():
    """The routes keep windows and capacity by a walk of their own, and the same playouts find them in two parts.

    The best game is improved again, where playouts alone find nothing better.
    """
    problem = scattered(320)
    result = solve(problem, seed=1, playouts=5)
    assert sorted(place for route in result.solution for place in route) == list(range(1, 321))
    length = 0.0
    for route in result.solution:
        time, here = 0.0, 0
        for place in [*route, 0]:
            leg = math.dist(problem.coordinates[here], problem.coordinates[place])
            time = max(time + leg + (10.0 if here else 0.0), problem.windows[place, 0])
            assert time <= problem.windows[place, 1] + 1e-6
            length, here = length + leg, place
        assert sum(problem.demand[place] for place in route) <= 200
    assert result.score == pytest.approx(-(length + problem.vehicle_cost * len(result.solution)))
    run = start(problem, seed=1)
    scores = [run.progress.score for playouts in (1, 4) if run.advance(playouts=playouts)]
    assert scores[0] < scores[1] == result.score
    assert solve(problem, seed=2, playouts=1, warm_start=result.solution).score >= result.score


def test_distance_first():
    """Then a vehicle costs nothing, and best-known values of the other objective say nothing."""
    problem = VRPTW.load("c101", first="distance", returns="free")
    assert problem.best_known is None
    figures = VRPTW(LINE, OPEN, [0, 1, 1], 2, first="distance").check([[1], [2]]).figures
    assert figures == {"cost": 14.0, "vehicles": 2, "distance": 14.0}


@pytest.mark.parametrize("scale", [0.1, 1e-7, 1e9])
def test_sums_of_decimals(scale):
    """0.1 + 0.2 fit 0.3 as 1 + 2 fit 3, of times, loads and lengths, in the check as in the search."""
    distances, windows = np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0]]), np.array([[0, 6], [0, 1], [0, 3]])
    given = scale * distances, scale * windows, scale * np.array([0, 1, 2]), 3 * scale
    problem = VRPTW(*given, longest=6 * scale)
    assert problem.check([[1, 2]]).valid
    state, moves = problem.new_state(), moves_for(problem)
    compiled_reset(problem.instance, state)
    for place in (1, 2, 0):
        assert place in moves.move[: compiled_legal_moves(problem.instance, state, moves)]
        compiled_play(problem.instance, state, place)
    assert compiled_score(problem.instance, state) == problem.check([[1, 2]]).score
    assert problem.instance.rules.fewest == 1
    assert not VRPTW(*given[:3], 3 * scale * (1 - 1e-9)).check([[1, 2]]).valid
    with pytest.raises(InputError, match="is in no route"):
        VRPTW(*given, longest=6 * scale * (1 - 1e-9))


def test_a_vehicle_counts_more_than_any_way():
    """In metres, too, one vehicle less is better than 30 km; 10,000 are enough in kilometres."""
    for unit, cost in ((1.0, 1e4), (1e3, 1e6)):
        distances = unit * np.array([[0, 90, 90], [90, 0, 99], [9, 99, 0]])
        problem = VRPTW(distances, [[0, 999 * unit]] * 3, [0, 1, 1], 2)
        assert problem.vehicle_cost == cost
        assert problem.check([[1, 2]]).score > problem.check([[1], [2]]).score


def test_vrplib_files(tmp_path):
    """Without windows the places are always open."""
    path = tmp_path / "tiny.vrp"
    path.write_text(
        "NAME : tiny\nTYPE : CVRP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 2\nNODE_COORD_SECTION\n"
        "1 0 0\n2 3 4\n3 0 4\nDEMAND_SECTION\n1 0\n2 1\n3 1\nDEPOT_SECTION\n1\n-1\nEOF\n"
    )
    problem = VRPTW.load(str(path))
    result = solve(problem, GNRPA(level=1), seed=1, playouts=50)
    assert (result.figures["vehicles"], result.figures["distance"]) == (1, 12.0)


def test_texts():
    """What is drawn is read back, but for the figures; other forms of lines too."""
    assert VRPTW.parse_solution("5 3 0\n\nroute 2: 1\n0 2, 4 0") == [[5, 3], [1], [2, 4]]
    problem = VRPTW(LINE, OPEN, [0, 1, 1], 2)
    assert problem.draw([[1, 2]]) == "Route #1: 1 2   (load 2 of 2, distance 12.00)"
    assert VRPTW.parse_solution("Route #1: 5 3   (load 7 of 9, distance 8.00)\nCost: 42\nTotal time : 2") == [[5, 3]]
    with pytest.raises(InputError, match="line 2: expected places of a route, found 'x'"):
        VRPTW.parse_solution("1 2\nx")


@pytest.mark.parametrize(
    ("solution", "fault"),
    [
        ("1", "a solution is a list of routes, not str"),
        ([1, 2], "route 1: expected a list of customers, found 1"),
        ([[1, 3]], "route 1: expected customers from 1 to 2, found 3"),
        ([[1, True]], "route 1: expected customers from 1 to 2, found True"),
        ([[1]], "customer 2 is missing"),
        ([[1, 2], [2]], "customer 2 is served 2 times"),
        ([[1, 2]], "route 1 carries 3, more than 2"),
        ([[1], [2]], "route 2 is at customer 2 at 4.00, after its window closes at 3"),
    ],
)
def test_faults(solution, fault):
    """Each fault in words."""
    problem = VRPTW(LINE, OPEN, [0, 1, 1], 2)
    problem.windows[2, 1] = 3
    problem.demand[1] = 2
    assert fault in problem.check(solution).faults


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"distances": [[0, 1]]}, r"distances must be a square matrix, not of shape \(1, 2\)"),
        ({"distances": [[0]]}, "windows must be of shape"),
        ({"distances": [[0, -1, 1]] * 3}, "the distance from 0 to 1 must be from 0 to"),
        ({"distances": "far"}, "distances must be numbers"),
        ({"demand": [0, 1]}, r"demand must be of shape \(3,\), not \(2,\)"),
        ({"demand": [0, 1, -1]}, "demand and service must not be negative"),
        ({"demand": [0, 1, 3]}, "customer 2 asks for 3, more than 2, what a vehicle carries"),
        ({"capacity": 0}, "the capacity must be a positive number, not 0"),
        ({"demand": [1, 1, 1]}, "the demand of the depot must be 0, not 1"),
        ({"vehicles": 0}, "vehicles must be a whole number of at least 1, not 0"),
        ({"vehicles": 1.5}, "vehicles must be a whole number of at least 1, not 1.5"),
        ({"longest": -1}, "longest must be a positive number, not -1"),
        ({"longest": 7.9}, "customer 2 is in no route of a distance of at most 7.9"),
        ({"rounding": "up"}, "rounding must be one of"),
        ({"windows": [[50, 99], [0, 50], [0, 60]]}, "customer 1 cannot be served in time by any route"),
        ({"capacity": "x"}, "the capacity must be a positive number, not 'x'"),
        ({"windows": [[0, 99], [9, 5], [0, 60]]}, "the window of place 1 closes at 5 before it opens at 9"),
        ({"coordinates": "far"}, "coordinates must be numbers"),
        ({"windows": [[0, 99], [0, 2], [0, 60]]}, "customer 1 cannot be served in time by any route"),
        ({"windows": [[0, 7], [0, 50], [0, 60]]}, "customer 2 cannot be served in time"),
    ],
)
def test_bad_arguments(changes, message):
    """One sentence each."""
    arguments = {"distances": LINE, "windows": OPEN, "demand": [0, 1, 1], "capacity": 2, **changes}
    with pytest.raises(InputError, match=message):
        VRPTW(**arguments)


def test_limits():
    """Each vehicle too many and each route too long is a fault, and costs the penalty of a missed window."""
    problem = VRPTW(LINE, OPEN, [0, 1, 1], 2, vehicles=1, longest=11.0)
    assert problem.moves_of([[1], [2]]).tolist() == [1, 0, 2, 0]
    long, many = problem.check([[1, 2]]), problem.check([[1], [2]])
    assert long.faults == ["route 1 has a distance of 12.00, more than 11"]
    assert many.faults == ["2 vehicles are used, more than 1"]
    assert (long.score, many.score) == (-10_012 - problem.penalty, -20_014 - problem.penalty)
    assert long.figures == {"cost": 10_012.0, "vehicles": 1, "distance": 12.0}
    kept = VRPTW(LINE, OPEN, [0, 1, 1], 2, vehicles=1, longest=12.0)
    for found in (kept, hints_of(kept).arms[0]):
        assert (found.vehicles, found.longest, solve(found, seed=1, playouts=20).figures["vehicles"]) == (1, 12.0, 1)
    any_number = VRPTW(LINE, OPEN, [0, 1, 1], 2, vehicles=10**30, first="distance")
    assert solve(any_number, seed=1, playouts=20).figures["distance"] == 12.0
    assert len({each.digest() for each in (problem, kept, VRPTW(LINE, OPEN, [0, 1, 1], 2))}) == 3


def test_a_way_home_through_others_counts_in_a_longest_route():
    """Customer 1 is home at 13 through 2, which is far from the depot otherwise."""
    far = [[0, 5, 50], [90, 0, 5], [3, 90, 0]]
    result = solve(VRPTW(far, [[0, 999]] * 3, [0, 1, 1], 2, longest=13), GNRPA(level=1), seed=1, playouts=50)
    assert result.solution == [[1, 2]]
    with pytest.raises(InputError, match="customer 1 is in no route of a distance of at most 12"):
        VRPTW(far, [[0, 999]] * 3, [0, 1, 1], 2, longest=12)


def test_vehicles_leave_when_the_depot_opens():
    """At 10, so that customer 2 is reached at 14."""
    problem = VRPTW(LINE, [[10, 99], [0, 50], [0, 14]], [0, 1, 1], 2)
    assert solve(problem, seed=1, playouts=50).solution == [[2, 1]]
    assert problem.check([[1, 2]]).faults == ["route 1 is at customer 2 at 18.00, after its window closes at 14"]


def test_rounding():
    """Once, also for the instance that is searched; best known values are of distances that are not rounded."""
    lengths = np.array([[0, 1.19, 2.5], [1.19, 0, 0.99], [2.5, 0.99, 0]])
    for rounding, row in (
        ("exact", [0, 1.19, 2.5]),
        ("down", [0, 1, 2]),
        ("nearest", [0, 1, 3]),
        ("tenths", [0, 1.1, 2.5]),
    ):
        problem = VRPTW(lengths, OPEN, [0, 1, 1], 2, rounding=rounding)
        assert problem.distances[0].tolist() == problem.hints().arms[0].distances[0].tolist() == row
    assert VRPTW.load("c101", rounding="tenths").best_known is None


DETOURS = [[0, 16, 2, 0], [19, 0, 19, 14], [19, 19, 0, 19], [19, 6, 0, 0]]
EARLY = [[0, 161], [0, 6], [34, 90], [0, 14]]


def test_where_the_way_through_others_is_shorter():
    """Customer 1 is reached in time through 3 only; unless service there takes too long."""
    problem = VRPTW(DETOURS, EARLY, [0, 1, 1, 1], 3, service=[0, 0, 5, 0], first="distance")
    with pytest.raises(InputError, match="customer 1 cannot be served in time"):
        VRPTW(DETOURS, EARLY, [0, 1, 1, 1], 3, service=[0, 0, 5, 1])
    assert solve(problem, GNRPA(level=1, bias=False), seed=1, playouts=300).solution == [[3, 1, 2]]
    assert problem.check([[3, 1, 2]]).valid


def test_a_helper_for_two():
    """Both customers have to go home through the third, so that one is late, or goes too far: that has its penalty."""
    far = [[0, 5, 5, 5], [90, 0, 90, 5], [90, 90, 0, 5], [5, 90, 90, 0]]
    for units, penalty, closes, longest in ((1.0, 1e6, 30, None), (1e5, 1e8, 30, None), (1.0, 1e6, 999, 16.0)):
        windows = units * np.array([[0, closes], [0, 9], [0, 9], [0, closes]])
        arrays = units * np.array(far), windows, [0, 1, 1, 1], 3
        problem = VRPTW(*arrays, first="distance", longest=longest)
        result = solve(problem, GNRPA(level=1), seed=1, playouts=200)
        verdict = problem.check(result.solution)
        assert (len(verdict.faults), verdict.faults_counted) == (1, True)
        assert result.score == pytest.approx(verdict.score) == -(verdict.figures["cost"] + penalty)


def test_narrow_windows():
    """Windows of no width, long waited for, leave every move a weight above 0."""
    problem = VRPTW(LINE, [[0, 999], [500, 500], [600, 600]], [0, 1, 1], 2)
    assert solve(problem, GNRPA(level=1), seed=1, playouts=20).solution == [[1, 2]]


def test_one_place_is_none():
    """A depot alone."""
    with pytest.raises(InputError, match="expected at least one customer beside the depot"):
        VRPTW([[0]], [[0, 1]], [0], 1)


def test_digest():
    """Every number counts."""
    problem = VRPTW(LINE, OPEN, [0, 1, 1], 2)
    assert problem.digest() == VRPTW(np.array(LINE), OPEN, [0, 1, 1], 2.0).digest()
    assert problem.digest() != VRPTW(LINE, OPEN, [0, 1, 1], 3).digest()
