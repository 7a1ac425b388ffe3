"""Intervals of what lines compute, by which checks are left out."""

import ast
import itertools
import math

import numpy as np
import pytest

import nrpa
from nrpa.compiling import cost as costs
from nrpa.compiling.proven import Intervals

LARGE, SMALL = 2**40, [[1, 2], [3, -4]]
SCOPE = {"square": SMALL, "row": [5, 7, 9], "huge": [LARGE, LARGE], "narrow": np.array([1, 2], np.int32), "n": 3}


@pytest.mark.parametrize(
    ("lines", "is_safe", "largest"),
    [
        ("return square[x[k]][x[k + 1]]", True, 4),
        ("return square[x[k]][x[-1]] * 2 - row[x[0] + 1]", True, 17),
        ("a = square[x[k]]\nreturn a[1]", True, 4),
        ("t = 0\nif x[k] > 1:\n    t += row[x[k]]\nreturn t + abs(-n)", True, 12),
        ("return row[(x[k] + k) % n] if x[k] else min(k, 1)", True, 9),
        ("return huge[x[k]] * 2", True, 2**41),
        ("return huge[x[k]] * huge[x[0]]", True, None),
        ("return narrow[x[k]]", True, None),
        ("return unknown(x[k])", True, None),
        ("return row[x[k] - 3]", True, 9),
        ("return row[x[k] + 2]", False, None),
        ("return row[x[k] - 4]", False, None),
        ("return row[k + 2]", False, None),
        ("return row[x[k] - 5]", False, None),
        ("return row[unknown]", False, None),
        ("return x[k + 4]", False, None),
        ("t = 1\nwhile k:\n    t = 9\nreturn row[t]", False, None),
        ("if k:\n    t = 1\nreturn row[t]", False, None),
        ("return sum(row[a] for a in x)", False, None),
    ],
)
def test_what_is_known(lines, is_safe, largest):
    """Places 0 to 3, choices 0 and 1, and k from 0 to 2."""
    tree = ast.parse(lines).body
    intervals = Intervals(SCOPE, "x", 4, 2, {"k": (0, 2)})
    intervals.lines(tree)
    assert (intervals.is_safe, intervals.largest) == (is_safe, largest)
    proven = [each for each in ast.walk(tree[-1]) if getattr(each, "is_proven", False)]
    assert not proven or "huge[x[0]]" not in lines


@pytest.mark.parametrize("choices", [3, 12])
def test_a_table_that_is_too_small_raises_what_python_raises(choices):
    """Where each index is in the table, no sequence reads beyond it, not even before the search."""
    table = np.random.default_rng(1).integers(0, 9, (3, 3)).tolist()

    def cost(x):
        return sum(table[a][b] for a, b in itertools.pairwise(x))

    problem = nrpa.assignment([choices] * 12, cost)
    costs.attach(problem)
    problem.function.expect(math.inf)
    is_derived = "by the terms" in problem.function.how_computed
    assert is_derived == (choices == 3)
    if is_derived:
        result = nrpa.solve(problem, nrpa.Tempering(), playouts=3000, seed=1)
        assert result.cost == cost(result.solution)
    else:
        with pytest.raises(IndexError):
            nrpa.solve(problem, nrpa.Tempering(), playouts=3000, seed=1)
