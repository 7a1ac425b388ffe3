from functools import cache

import pytest

import nrpa
from nrpa.io.source import Source, bundled
from nrpa.problems.goals.problem import Goals

PLAIN = Goals.plain_class


def least_cost(problem):
    """Return the least cost of a route, goal by goal and depth by depth."""

    @cache
    def best(name, depth):
        ways = [(parts, cost) for made, parts, cost in problem.rules if made == name]
        if name in problem.in_stock:
            return 0.0
        if not ways or depth == problem.depth:
            return problem.penalty
        return min(cost + sum(best(part, depth + 1) for part in parts) for parts, cost in ways)

    return best(problem.target, 0)


@pytest.mark.parametrize("name", [name for name in bundled("goals") if name != "goals-800"])
def test_best_values_are_proved(name):
    problem = PLAIN.load(name)
    assert least_cost(problem) == pytest.approx(problem.best_known.value, abs=0.001)


def test_the_least_cost_is_found():
    """Among all routes for a cake: one by a dead end, one too deep, and one that is cheapest."""
    problem = PLAIN.load("cake")
    result = nrpa.solve(problem, nrpa.NMCS(level=2), seed=1, playouts=200)
    assert result.cost == least_cost(problem) == 40
    assert problem.draw(result.solution).splitlines()[:3] == ["cake (10)", "  sponge (20)", "    batter (2)"]


@pytest.mark.parametrize(
    ("goals", "ways", "depth", "seed"), [(20, 3, 5, 5), (20, 3, 5, 6), (30, 2, 5, 4), (30, 3, 5, 3)]
)
def test_the_default_finds_the_least_cost_of_drawn_books(goals, ways, depth, seed):
    """Rules that are likely and lead to no end do not mislead it."""
    problem = PLAIN.drawn(goals, ways, depth, seed)
    assert nrpa.solve(problem, seed=1, playouts=1000).cost == pytest.approx(least_cost(problem))


def test_a_goal_at_the_largest_depth_stays_open():
    rules = [("a", ["b", "c"], 1), ("b", ["c"], 2), ("c", ["d"], 3)]
    problems = [PLAIN("a", rules, ["d"], depth) for depth in (1, 2, 3)]
    costs = [nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=2).cost for problem in problems]
    assert costs == [1 + 2 * 300, 1 + 2 + 3 + 300, 1 + 2 + 3 + 3]


@pytest.mark.parametrize(
    ("solution", "fault"),
    [
        ([1], "step 1: the rule makes b; expected one for a"),
        ([0], "there is no rule for b, which has some"),
        ([0, 1, 1], "1 rules are too many"),
        ([0, 2], "step 2: expected the number of a rule, 0 to 1, found 2"),
    ],
)
def test_what_is_wrong_with_a_route(solution, fault):
    problem = PLAIN("a", [("a", ["b", "c"], 1), ("b", ["c"], 2)], ["c"], 3)
    assert problem.check([0, 1]).figures == {"cost": 3.0, "open": 0}
    assert problem.check(solution).faults == [fault]


WHOLE = "target a\ndepth 2\nstock b\nrule 1 a = b\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("target a\n", "", "has no line 'target'"),
        ("depth 2\n", "", "has no line 'depth'"),
        ("depth 2", "depth 0", "file:2: expected a depth of 1 to 100, found '0'"),
        ("depth 2", "depth 2\ndepth 3", "file:3: expected depth, once, and one word"),
        ("stock b", "stok b", "file:3: expected target, depth, stock or rule, found 'stok'"),
        ("rule 1 a = b", "rule 1 a b", "file:4: expected a rule: its cost, what it makes, = and its parts"),
        ("rule 1 a", "rule one a", "file:4: expected a number, found 'one'"),
        ("rule 1 a", "rule -1 a", "file:4: expected a cost from 0 to 1"),
        ("target a", "target b", "file:1: the target 'b' is in stock already"),
        ("target a", "target c", "file:1: the target 'c' is made by no rule"),
    ],
)
def test_wrong_books_are_refused(old, new, message):
    assert PLAIN.from_source(Source("file", WHOLE, "")).rules == [("a", ["b"], 1.0)]
    with pytest.raises(nrpa.InputError, match=message):
        PLAIN.from_source(Source("file", WHOLE.replace(old, new), ""))


def test_bundled_books_are_those_drawn():
    problem, drawn = PLAIN.load("goals-100"), PLAIN.drawn(100, 4, 8)
    assert (problem.target, problem.rules, problem.in_stock) == (drawn.target, drawn.rules, drawn.in_stock)
