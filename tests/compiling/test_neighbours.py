"""What is asked of each two things, one right behind the other, beside plain Python."""

import math

import numpy as np
import pytest

from nrpa.compiling.cost import TranslatedCost

N = 12
SAME = [[abs(a - b) * (a + b) for b in range(N)] for a in range(N)]
OTHER = [[a * b + (a == 3 and b == 7) for b in range(N)] for a in range(N)]


def same(x):
    return sum(SAME[x[k - 1]][x[k]] for k in range(N))


def two_sums(x):
    total = 0
    for k in range(N - 1):
        total += SAME[x[k]][x[k + 1]]
    for k in range(1, N):
        total += OTHER[x[k]][x[k - 1]]
    return total


def failing(x):
    return sum(SAME[x[k - 1]][x[k]] + 1 // (OTHER[x[k - 1]][x[k]] - 22) for k in range(N))


def by_own(x):
    total = 0
    for k in range(N):
        total += k * x[k]
    return total


@pytest.mark.parametrize(
    ("cost", "sizes"),
    [(same, [121]), (two_sums, [121, math.inf]), (failing, [math.inf]), (by_own, [0])],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_terms_are_the_same_for_both_orders_of_two_things(cost, sizes):
    """Or one of them is not, be it that it fails; with neighbours, and without."""
    translated = TranslatedCost(cost, np.array([[0] * N, [N - 1] * N]))
    for sign in (-1.0, 0.0):
        best, found = translated._asked(sign)
        assert found == sizes
        assert len(best) == (N if sign and cost is not by_own else 0)
