"""Lists that are the sequence between ends: what loops over them read, in plain Python."""

import ast
import itertools
import random

import numpy as np
import pytest

from nrpa.compiling.loops import Loops
from nrpa.compiling.source import tree_of

N, DEPOT = 9, 9
ROWS = np.random.default_rng(1).integers(0, 100, (N + 2, N + 2)).tolist()


def there_and_back(x):
    route = [DEPOT, *x, DEPOT]
    return sum(ROWS[a][b] for a, b in itertools.pairwise(route))


def customers(x):
    route = [0] + [each + 1 for each in x] + [0, 2]
    total = 0
    for k in range(1, len(route)):
        if route[k] > 3:
            continue
        total += k * ROWS[route[k - 1]][route[k]]
    return total + ROWS[route[0]][route[-1]]


def without_a_name(x):
    return max(ROWS[a][b] for a, b in zip([DEPOT, *x], x + [DEPOT], strict=True))  # noqa: RUF005


def numbered(x):
    total = 0
    for k, each in enumerate([3, 4, *(2 * a - 1 for a in x)]):
        total += k * each
    return total


def within_pairs(x):
    ends = [7, *x]
    total = 0
    for i in range(len(ends)):
        for j in range(N):
            total += (i + 1) * ROWS[ends[i]][x[j]]
    return total


def drawn():
    """Yield drawn sequences, of things that may be there several times."""
    chance = random.Random(1)
    for _ in range(50):
        yield [chance.randrange(N) for _ in range(N)]


def rewritten(cost, within):
    """Return a cost whose loops read the sequence, and its text."""
    text = ast.unparse(Loops(cost, tree_of(cost), N).rewritten(within))
    scope = {**cost.__globals__}
    exec(text, scope)
    return scope[cost.__name__], text


@pytest.mark.parametrize("within", [True, False])
@pytest.mark.parametrize("cost", [there_and_back, customers, without_a_name, numbered, within_pairs])
def test_loops_read_the_sequence(cost, within):
    """The list is gone, and the value the same."""
    made, text = rewritten(cost, within)
    assert not any(part in text for part in ("route", "ends", "_list", "*x", "for a in x"))
    for x in drawn():
        assert made(x) == cost(x)


def grows(x):
    route = [DEPOT, *x]
    route.append(DEPOT)
    return sum(ROWS[a][b] for a, b in itertools.pairwise(route))


def has_an_alias(x):
    route = [DEPOT, *x, DEPOT]
    other = route
    other[1] = 0
    return sum(ROWS[a][b] for a, b in itertools.pairwise(route))


def stops(x):
    route = [DEPOT, *x, DEPOT]
    total = 0
    for a, b in itertools.pairwise(route):
        if a == 4:
            break
        total += ROWS[a][b]
    return total


def goes_round(x):
    route = [DEPOT, *x]
    return sum(ROWS[route[k - 1]][route[k]] for k in range(len(route)))


def twice(x):
    route = [DEPOT, *x, DEPOT, *x]
    return sum(ROWS[a][b] for a, b in itertools.pairwise(route))


@pytest.mark.parametrize("within", [True, False])
@pytest.mark.parametrize("cost", [grows, has_an_alias, stops, goes_round, twice])
def test_other_lists_stay(cost, within):
    """Those that change, and loops that end early or read around an end."""
    made, text = rewritten(cost, within)
    assert "route = [DEPOT" in text or "route = [9" in text
    for x in drawn():
        assert made(x) == cost(x)
