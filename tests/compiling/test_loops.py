"""Costs rewritten to loops over places mean what they meant, and what is proven of them holds."""

import ast
import importlib.util
import itertools
import random

import numpy as np
import pytest
from drawn_costs import drawn_cost

from nrpa.compiling import loops
from nrpa.compiling.cost import TranslatedCost
from nrpa.compiling.idioms import filled
from nrpa.compiling.loops import FILLED, Loops
from nrpa.compiling.proven import Intervals
from nrpa.compiling.source import tree_of

N = 9
HALVES = [k / 2 for k in range(N)]
PAIRS = [(k, 2 * k % N) for k in range(7)]
ROWS = np.arange(N * N).reshape(N, N).tolist()


class Marked(ast.NodeTransformer):
    """Lets each part that is proven to be within its table, and each proven number, be looked at."""

    def visit_Subscript(self, node):
        is_known = getattr(node, "is_within", False) and isinstance(node.ctx, ast.Load)
        self.generic_visit(node)
        if not is_known:
            return node
        given = [ast.Name("_within", ast.Load()), node.value, node.slice, ast.Constant(node.is_from_0)]
        return ast.copy_location(ast.Call(given[0], given[1:], []), node)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        is_known = getattr(node, "is_proven", False)
        return ast.copy_location(ast.Call(ast.Name("_held", ast.Load()), [node], []), node) if is_known else node


def within(values, at, is_from_0):
    """Return a part of what has parts, whose index must be within them."""
    for each in at if isinstance(at, tuple) else (at,):
        assert type(each) is not bool
        assert 0 <= each < len(values) or (not is_from_0 and -len(values) <= each < 0)
        values = values[each]
    return values


def held(number):
    """Return a whole number of fewer than 63 bits."""
    assert type(number) in (int, np.int64)
    assert abs(number) < 2**62
    return number


def rewritten(cost, places, ranges, within_loops=True):
    """Return a cost with loops over places in plain Python, whether it is safe, and the largest that it may return."""
    found = Loops(cost, tree_of(cost), places)
    tree = found.rewritten(within_loops)
    intervals = Intervals(found.meanings, found.sequence, ranges, {})
    intervals.lines(tree.body[0].body)
    cells = zip(cost.__code__.co_freevars, cost.__closure__ or (), strict=True)
    scope = {**cost.__globals__, **{name: cell.cell_contents for name, cell in cells}}
    scope |= {FILLED: filled, "_within": within, "_held": held}
    tree.body[0].decorator_list, tree.body[0].name = [], "made"
    exec(compile(ast.fix_missing_locations(Marked().visit(tree)), "made", "exec"), scope)
    return scope["made"], found.sequence and intervals.is_safe, intervals.largest


@pytest.mark.parametrize("seed", range(150))
def test_drawn_costs_mean_what_they_meant(seed, tmp_path):
    """Each value is the same, also where sums within loops are left as they are; no proof fails."""
    file = tmp_path / f"drawn_loops_{seed}.py"
    file.write_text(drawn_cost(seed))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    chance, ranges = random.Random(seed), np.array([[0] * N, [N - 1] * N])
    for within_loops in (True, False):
        made, _, largest = rewritten(module.cost, N, ranges, within_loops)
        for _ in range(30):
            x = chance.sample(range(N), N) if chance.random() < 0.5 else [chance.randrange(N) for _ in range(N)]
            try:
                wanted = module.cost([*x])
            except (KeyError, ValueError, ZeroDivisionError):
                continue
            found = made([*x])
            assert found == wanted
            assert type(found) is type(wanted)
            assert largest is None or abs(found) <= largest


def by_pairwise(x):
    return max(abs(a - b) for a, b in itertools.pairwise(x) if a > 1)


def by_rows(x):
    return sum(x[a] * b for a, b in PAIRS) - sum(row[0] for row in ROWS[2:-1])


def by_strict(x):
    total = 0
    for k, (a, row) in enumerate(zip(x, ROWS, strict=True), 2):
        total += row[a] * k
    return total


def around(x):
    total = 0
    for a, b in zip([x[-1]] + x, x + [x[0]], strict=True):  # noqa: RUF005
        total += ROWS[a][b]
    return total


def by_cells(x):
    ready, n = [0] * len(x), len(x)
    for a in reversed(x):
        for k in range(n):
            ready[k] = max(ready[k], ready[k - 1]) + a
    return min(ready) + sum(ready) + max(ready)


@pytest.mark.parametrize("cost", [by_pairwise, by_rows, by_strict, around, by_cells])
def test_loops_over_places_are_safe(cost):
    """All loops are over places, and all indexes within their tables."""
    made, is_safe, largest = rewritten(cost, N, np.array([[0] * N, [N - 1] * N]))
    x = random.Random(1).sample(range(N), N)
    assert made(x) == cost(x)
    assert is_safe
    assert abs(cost(x)) <= largest


def effects(x):
    left = [*x]
    return left.pop() * 100 + sum(left) + sum(a for a in left)


def shadows(x):
    return sum(x for x in [1, 2])


def two(x, y):
    return sum(x)


def lists_grow(x):
    seen = [0] * 3
    for a in x:
        seen.append(a)
    return sum(seen)


def lists_alias(x):
    one = [0] * 3
    other = one
    for a in x:
        other[a % 3] += a
    return one[0]


@pytest.mark.parametrize("cost", [effects, shadows, lists_grow, lists_alias])
def test_what_is_left_as_it_is(cost):
    """Effects keep their order, and lists that are more than cells are lists."""
    found = Loops(cost, tree_of(cost), N)
    assert found.cells == {}
    assert FILLED not in ast.unparse(found.rewritten(within=True))
    made = rewritten(cost, N, np.array([[0] * N, [N - 1] * N]))[0]
    x = random.Random(1).sample(range(N), N)
    assert made([*x]) == cost([*x])


def test_a_cost_of_two_arguments_is_left_as_it_is():
    """Its loops say nothing of places."""
    assert Loops(two, tree_of(two), N).sequence == ""


@pytest.mark.parametrize(("cost", "is_rewritten"), [(by_rows, True), (lambda x: sum(HALVES[a] for a in x), False)])
def test_sums_of_decimals_of_other_versions_of_python(cost, is_rewritten, monkeypatch):
    """A sum that Python makes with what was lost, from 3.12 on, is none by additions."""
    monkeypatch.setattr(loops, "ADDS_PLAINLY", False)
    translated = TranslatedCost(cost, np.array([[0] * N, [N - 1] * N]))
    assert (translated._rewritten() is not None) == is_rewritten
