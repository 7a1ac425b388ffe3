"""Tours with two costs, experiments/two_costs.py, and the published search, experiments/pareto_nrpa.py."""

import json
import os
import subprocess
import sys
from itertools import pairwise, permutations, product
from pathlib import Path

import numpy as np
import pytest

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"
FRONT = """
import json, sys
import numpy as np
from pareto_nrpa import pareto_nrpa
print(json.dumps(pareto_nrpa(*map(np.array, json.loads(sys.argv[1])), level=2, iterations=20, seed=1)))
"""


@pytest.fixture
def two_costs(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import two_costs

    return two_costs


def costs(first, second, windows, tour):
    """Return both costs of a tour with 10^6 for each window missed."""
    time, missed = 0.0, 0
    for one, other in pairwise([0, *tour, 0]):
        time = max(time + first[one][other], windows[other][0])
        missed += time > windows[other][1]
    return tuple(sum(of[a][b] for a, b in pairwise([0, *tour, 0])) + 1e6 * missed for of in (first, second))


def front(points):
    """Return the points that no other beats."""
    return sorted(p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points))


def test_the_published_search_finds_the_front_of_a_small_instance():
    """All 24 tours of five places, without machine code: 400 playouts find those that no other beats."""
    random = np.random.default_rng(3)
    places = random.integers(0, 30, (2, 5, 2))
    first, second = (np.linalg.norm(each[:, None] - each, axis=2) for each in places)
    windows = [[0, 500], [0, 60], [20, 80], [0, 100], [10, 90]]
    given = json.dumps([first.tolist(), second.tolist(), np.array(windows, float).tolist()])
    found = subprocess.run(
        [sys.executable, "-c", FRONT, given],
        cwd=EXPERIMENTS,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    expected = front({costs(first, second, windows, tour) for tour in permutations(range(1, 5))})
    assert len(expected) > 1
    assert np.array(sorted(json.loads(found))) == pytest.approx(np.array(expected))


def test_both_costs_have_the_penalty(two_costs):
    """Of a tour that misses windows; the places are the same each time."""
    problem = two_costs.TwoCosts.drawn("rc201.3")
    tour = [*range(problem.cities - 1, 0, -1)]
    figures = problem.check(tour).figures
    assert figures["violations"] > 0
    assert (figures["first"], figures["second"]) == pytest.approx(
        costs(problem.distances, problem.second, problem.windows, tour)
    )
    assert (problem.second == two_costs.TwoCosts.drawn("rc201.3").second).all()


def test_the_hypervolume_is_the_area_that_the_front_covers(two_costs):
    """Of random points: unit squares before the reference point that some point beats."""
    random = np.random.default_rng(1)
    for _ in range(20):
        points = random.integers(0, 12, (6, 2))
        squares = sum(any(a <= x and b <= y for a, b in points) for x, y in product(range(10), range(9)))
        assert two_costs.hypervolume(points.tolist(), (10, 9)) == squares
