"""Intervals of what lines compute, by which checks are left out."""

import ast
import itertools
import math

import numpy as np
import pytest

import nrpa
from nrpa.compiling import cost as costs
from nrpa.compiling import touched
from nrpa.compiling.proven import Intervals

LARGE, SMALL = 2**40, [[1, 2], [3, -4]]
SCOPE = {"square": SMALL, "row": [5, 7, 9], "huge": [LARGE, LARGE], "narrow": np.array([1, 2], np.int32), "n": 3}
SCOPE["pairs"] = [(0, 100), (1, 50), (2, 70)]


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
        ("if k:\n    t = 1\nelse:\n    t = 2\nreturn row[t]", True, 9),
        ("if k:\n    t = 1\nreturn row[t]", False, 7),
        ("match k:\n    case 1:\n        t = 1\nreturn row[t]", False, None),
        ("return sum(row[a] for a in x)", False, None),
        ("t = 0\nfor i in range(4):\n    t += row[x[i]]\nreturn t", True, 36),
        ("t = 0\nfor i in range(3):\n    t -= row[i]\n    t = max(t, -20)\nreturn t", True, 47),
        ("t = u = 0\nfor i in range(4):\n    t += row[x[i]]\n    u += t * 2\nreturn u", True, 288),
        ("t = 0\nfor i in range(3):\n    for j in range(i, 3):\n        t += row[j]\nreturn t", True, 81),
        ("t = 0\nfor i in range(3):\n    a = row[t]\n    t = x[i]\nreturn t", True, 1),
        ("t = 0\nfor i in range(3):\n    a = row[t]\n    t += 1\nreturn t", False, 3),
        ("i = 7\nfor i in range(3):\n    t = row[i]\nreturn t", False, None),
        ("for i in range(3):\n    t = row[i]\nfor i in range(4):\n    t = x[i]\nreturn t", False, 9),
        ("t = 0\nfor i in range(3):\n    t = row[i]\nfor i in range(4):\n    t = x[i]\nreturn t", True, 9),
        ("for i in range(3):\n    i += 1\n    t = row[i]\nreturn t", False, None),
        ("for i in range(3):\n    t = row[i]\nreturn row[i]", False, None),
        ("t = 0\nfor i in range(4):\n    a = row[t]\n    t += 1\nreturn t", False, 4),
        ("t = 1\nfor i in range(9):\n    t = t * 3\nreturn t", True, None),
        ("t = 1\nfor i in range(9):\n    if x[0]:\n        t = 50\n        break\nreturn row[t - 48]", False, None),
        ("t = 0\nfor i in range(9):\n    if x[0]:\n        t = 50\n        continue\n    t = 1\nreturn t", True, 50),
        ("t = 0\nfor i in range(2, -1, -1):\n    t += row[i]\nreturn t", True, 27),
        ("t = 0\nfor i in range(k, 5):\n    t += 2\nelse:\n    t = t - 1\nreturn t", True, 10),
        ("t = 0\nfor i in x:\n    t += 2\nreturn t", True, None),
        ("t = _nrpa_filled(0, 3)\nfor i in range(4):\n    t[x[i]] += 5\nreturn t[2]", True, 20),
        ("t = _nrpa_filled(0, 1)\nfor i in range(4):\n    t[x[i]] += 5\nreturn t[0]", False, None),
        (
            "s = 0\nt = _nrpa_filled(0, 3)\nfor i in range(4):\n    for j in range(3):\n"
            "        s = max(s, t[j]) + row[j]\n        t[j] = s\nreturn max(t)",
            True,
            108,
        ),
        ("a, b = 2, x[0]\nreturn a - b", True, 2),
        ("t = _nrpa_filled(0, 3)\na, t[9] = row\nreturn 1", False, 1),
        ("t = _nrpa_filled(0, 3)\na, t[9] = 1, 2\nreturn a", False, 1),
        ("x = unknown(x)\nfor i in range(x[0] + 2):\n    t = row[i]\nreturn 1", False, 1),
        ("t = 0\nwhile t < 9:\n    t += 1\nreturn t", True, None),
        ("for t in range(2):\n    t = 0\nfor n in range(3):\n    s = row[n]\nreturn row[n]", False, None),
        ("return pairs[k][0] - x[pairs[k][0]] + pairs[k][1]", True, 102),
        ("return x[pairs[k][1]]", False, None),
        ("for i in range(3):\n    for i in range(9):\n        t = x[0]\n    t = row[i]\nreturn t", False, None),
        ("if k:\n    t = _nrpa_filled(0, 3)\nreturn t[0]", False, 0),
        ("if k:\n    return\nelse:\n    t = 1\nwhile k:\n    s = 1\nelse:\n    s = t\nreturn row[s]", False, None),
        ("if k:\n    return\nelse:\n    t = 1\nreturn row[t]", True, None),
        ("t += 1\nreturn row[t]", False, None),
    ],
)
def test_what_is_known(lines, is_safe, largest):
    """Places 0 to 3, choices 0 and 1, and k from 0 to 2."""
    tree = ast.parse(lines).body
    intervals = Intervals(SCOPE, "x", np.array([[0] * 4, [1] * 4]), {"k": (0, 2)})
    intervals.lines(tree)
    assert (intervals.is_safe, intervals.largest) == (is_safe, largest)
    proven = [each for each in ast.walk(tree[-1]) if getattr(each, "is_proven", False)]
    assert not proven or "huge[x[0]]" not in lines


@pytest.mark.parametrize("choices", [3, 12])
def test_a_table_that_is_too_small_raises_what_python_raises(choices, monkeypatch):
    """Where each index is in the table, no sequence reads beyond it, not even before the search."""
    table = np.random.default_rng(1).integers(0, 9, (3, 3)).tolist()

    def cost(x):
        return sum(table[a][b] for a, b in itertools.pairwise(x))

    monkeypatch.setattr(touched, "WORTH_OF_TERM", 0)
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
