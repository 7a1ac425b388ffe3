from itertools import permutations
from math import inf

import numpy as np
import pytest
from plain_games import random_game

import nrpa
from nrpa.base.errors import InputError
from nrpa.io.source import bundled, read_source
from nrpa.problems.scheduling.projects import parsed_project
from nrpa.problems.scheduling.rcpsp import RCPSP

PlainProject = RCPSP.plain_class
PROVEN = [
    *(0, 4, 0, 0, 12, 31, 4, 4, 10, 6, 12, 13, 4, 15, 12, 13, 23, 10, 18, 21, 29, 29, 36, 38, 28, 21, 15, 35, 28, 41),
    *(38, 43),
]
PATTERSON = "4 2\n3 2\n0 0 0 2 2 3\n4 2 1 1 4\n3 2 2 1 4\n0 0 0 0\n"
PSPLIB = """****
jobs (incl. supersource/sink ):  4
RESOURCES
  - renewable                 :  2   R
  - nonrenewable              :  0   N
  - doubly constrained        :  0   D
****
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          2           2   3
   2        1          1           4
   3        1          1           4
   4        1          0
****
REQUESTS/DURATIONS:
jobnr. mode duration  R 1  R 2
------------------------------
  1      1     0       0    0
  2      1     4       2    1
  3      1     3       2    2
  4      1     0       0    0
****
RESOURCEAVAILABILITIES:
  R 1  R 2
    3    2
****
"""


def random_project(rng, most=7):
    """Return a project of which some activities take no time, or need nothing; they follow others of any number."""
    count, kinds = int(rng.integers(2, most)), int(rng.integers(1, 3))
    capacity = rng.integers(1, 5, kinds)
    names = rng.permutation(count)
    after = [[] for _ in names]
    for k, other in enumerate(names):
        for one in names[:k]:
            if rng.random() < 0.3:
                after[one].append(int(other))
    hours = rng.integers(0, 5, count)
    hours[0] += 1
    return hours.tolist(), after, [rng.integers(0, capacity + 1).tolist() for _ in names], capacity.tolist()


def naive_starts(hours, after, demand, capacity, order):
    """Return starts: each activity in the order at the first time at which nothing is broken until it ends."""
    starts = {}
    for each in order:
        start = max((starts[one] + hours[one] for one in starts if each in after[one]), default=0)
        while any(
            sum(demand[k][kind] for k in starts if starts[k] <= time < starts[k] + hours[k]) + demand[each][kind] > has
            for time in range(start, start + hours[each])
            for kind, has in enumerate(capacity)
        ):
            start += 1
        starts[each] = start
    return [starts[k] for k in range(len(hours))]


def orders(project):
    """Return all orders in which each activity comes after those that it follows."""
    after = project[1]
    return [
        order
        for order in permutations(range(len(after)))
        if all(order.index(one) < order.index(other) for one in order for other in after[one])
    ]


@pytest.mark.parametrize("seed", range(20))
def test_activities_are_placed_as_early_as_can_be(seed):
    """As by trying one time after the other."""
    rng = np.random.default_rng(seed)
    project = random_project(rng)
    problem, some = PlainProject(*project), orders(project)
    order = list(some[rng.integers(len(some))])
    starts = problem.solution_of(order)
    assert starts == naive_starts(*project, order)
    state = problem.initial_state()
    for move in order:
        assert move in problem.legal_moves(state)
        state = problem.play(state, move)
    verdict = problem.check(starts)
    assert (verdict.valid, verdict.score) == (True, problem.score(state))
    assert problem.solution_of(problem.own_moves(starts)) == starts


@pytest.mark.parametrize("seed", range(20))
def test_justified_games_are_no_worse(seed):
    """They are games, and none ends later; the best of all orders is not below the bound."""
    rng = np.random.default_rng(seed)
    project = random_project(rng)
    problem, some, ends = PlainProject(*project), orders(project), []
    for order in some[:50]:
        better = problem.improve(list(order))
        assert tuple(better) in some
        made, before = (problem.check(problem.solution_of(each)).score for each in (better, order))
        assert made >= before
        ends.append(-made)
    assert min(ends, default=inf) >= problem.bound()


def test_justified_games_are_better():
    """Of some random games of an instance."""
    problem, rng = RCPSP.load("j30_13_1").plain, np.random.default_rng(1)
    before, after = 0, 0
    for _ in range(5):
        order, _ = random_game(problem, rng)
        before += problem.check(problem.solution_of(order)).figures["makespan"]
        after += problem.check(problem.solution_of(problem.improve(order))).figures["makespan"]
    assert after < 0.97 * before


def test_a_proven_optimum():
    """The solution of j30_1_1 is valid, worth what is on record, and a start for a search."""
    problem = RCPSP.load("j30_1_1")
    verdict = problem.check(PROVEN)
    assert (verdict.valid, verdict.figures) == (True, {"makespan": problem.best_known.value})
    assert nrpa.solve(problem.plain, nrpa.RandomSampling(), seed=1, playouts=1, warm_start=PROVEN).makespan == 43


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({1: 5}, "activity 11 begins at 12, before activity 2 ends at 13"),
        ({10: 11}, "activity 11 begins at 11, before activity 2 ends at 12"),
        (dict.fromkeys(range(6), 99), "at 99, "),
    ],
)
def test_faults(changes, fault):
    """An activity before one that it waits for, and several at a time that need more than there is."""
    starts = [*PROVEN]
    for each, start in changes.items():
        starts[each] = start
    faults = RCPSP.load("j30_1_1").check(starts).faults
    assert any(found.startswith(fault) for found in faults)


def test_the_capacity_is_checked():
    """Two activities at a time need 4 of 3."""
    verdict = PlainProject([4, 3], [[], []], [[2], [2]], [3]).check([0, 2])
    assert verdict.faults == ["at 2, 4 of resource 1 are in use, and there are 3"]


def test_both_forms_are_read():
    """They say the same."""
    expected = [0, 4, 3, 0], [[1, 2], [3], [3], []], [[0, 0], [2, 1], [2, 2], [0, 0]], [3, 2]
    assert parsed_project(PATTERSON, "x") == parsed_project(PSPLIB, "x") == expected


def test_bounds_are_no_more_than_the_optimum():
    """Of all bundled projects."""
    for name, row in bundled("rcpsp").items():
        source = read_source("rcpsp", name)
        assert PlainProject.from_source(source).bound() <= row.best_known.value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x: ends where a number of activities is expected"),
        (PATTERSON.replace("0 0 0 0\n", "0 0 0 1\n"), "x: ends where a successor is expected"),
        (PATTERSON.replace("0 0 0 0\n", "0 0 0 1 2\n"), "the activities wait for each other: 2 after 4 after 2"),
        (PATTERSON + "7", "x:7: expected nothing after 4 activities, found '7'"),
        (PATTERSON.replace("4 2 1 1 4", "4 9 1 1 4"), "activity 2: expected 2 demands up to the capacities"),
        (PSPLIB.replace("nonrenewable              :  0", "nonrenewable              :  2"), "x:5: expected renewable"),
        (PSPLIB.replace("  3        1          1", "  3        2          1"), "x:12: expected one mode of activity 3"),
        (PSPLIB.replace("2    1\n", "2    1   9\n"), "x:19: expected 5 numbers of activity 2"),
        (PSPLIB.replace("REQUESTS", "QUESTS"), "x: expected one section REQUESTS/DURATIONS, found 0"),
    ],
)
def test_what_is_no_project(text, message):
    """The message says what was expected, and in which line."""
    with pytest.raises(InputError) as error:
        RCPSP.from_source(nrpa.Source("x", text, ""))
    assert str(error.value).startswith(message)
