"""Collins' conjecture on trees, and the exact check of what refutes it."""

import random
from itertools import combinations

import numpy as np
import pytest
from collins import Collins, characteristic_polynomial, coefficients, draw_tree, exact_coefficients
from matplotlib.figure import Figure

import nrpa
from nrpa.base.errors import InputError


def random_tree(vertices, seed):
    numbers = random.Random(seed)
    return tuple(numbers.randrange(k) for k in range(1, vertices))


def hubs(count, leaves):
    """Hubs that hang on the first one, each with so many leaves."""
    parents = [0] * leaves
    for _ in range(count - 1):
        hub = len(parents) + 1
        parents += [0] + [hub] * leaves
    return tuple(parents)


@pytest.mark.parametrize("seed", range(4))
def test_the_sequences_are_those_of_theory(seed):
    """The numbers of matchings of each size, listed; and Graham and Pollak's determinant (n - 1) 2^(n - 2)."""
    parents = random_tree(8, seed)
    edges = list(enumerate(parents, start=1))
    matchings = [
        sum(len({end for edge in chosen for end in edge}) == 2 * size for chosen in combinations(edges, size))
        for size in range(5)
    ]
    adjacency, distance = exact_coefficients(parents)
    assert adjacency == [number for number in reversed(matchings) if number]
    assert (distance[0], distance[-2], distance[-1]) == (7 * 2**6, 0, 2**8)


def test_a_characteristic_polynomial_by_hand():
    """Of [[2, 1], [1, 3]]: x² - 5x + 5."""
    assert characteristic_polynomial(np.array([[2, 1], [1, 3]], dtype=object)) == [5, -5, 1]


@pytest.mark.parametrize("vertices", [3, 14, 40])
def test_floating_point_agrees_with_whole_numbers(vertices):
    """Each coefficient to ten digits, and the score that the search sees."""
    parents = random_tree(vertices, vertices)
    for found, exact in zip(coefficients(parents), exact_coefficients(parents), strict=True):
        assert found / found.max() == pytest.approx([number / max(exact) for number in exact], rel=1e-10, abs=1e-12)
    problem = Collins(vertices)
    assert problem.score(parents) == pytest.approx(problem.check(parents).score, rel=1e-10)


@pytest.mark.parametrize(
    ("parents", "peaks"),
    [
        ((0,) * 30, ("1/2", "15/31")),
        (tuple(range(30)), ("7/16", "17/31")),
        (hubs(4, 6), ("1/5", "14/28")),
        (hubs(6, 8), ("1/7", "27/54")),
    ],
)
def test_peaks_of_stars_paths_and_joined_stars(parents, peaks):
    """They are at nearly the same place on the first two, and the more hubs, the further apart on the others."""
    found = Collins(len(parents) + 1).check(parents).figures
    assert (found["adjacency_peak"], found["distance_peak"]) == peaks


def test_the_search_refutes_it():
    """A tree of 31 vertices is found, and the search stops there; whole numbers agree."""
    problem = Collins(31)
    result = nrpa.solve(problem, nrpa.NRPA(level=2, iterations=50), seed=2, playouts=1_000)
    assert result.status == "target"
    found = problem.check(result.solution)
    assert found.valid
    assert found.figures["gap"] == pytest.approx(1 - 15 / 31 - 1 / 5)
    assert found.score == pytest.approx(result.score, rel=1e-10)


def test_what_is_no_tree_has_no_score():
    """A parent after its child, and a vertex too few."""
    for parents in ([0, 2], [0]):
        found = Collins(3).check(parents)
        assert (found.score, found.valid) == (None, False)


def test_the_picture():
    """All vertices, and where the peaks are."""
    axes = Figure().subplots()
    draw_tree(Collins(4), [0, 0, 1], axes)
    assert [len(line.get_xdata()) for line in axes.lines] == [2, 2, 2, 4]
    assert axes.get_title() == "4 vertices: peaks at 2/3 and 2/4, gap 0.1667"


def test_other_instances_are_refused():
    """A number of vertices, no more."""
    with pytest.raises(InputError, match="2: expected a number of vertices from 3 to 200"):
        Collins.load("2")
