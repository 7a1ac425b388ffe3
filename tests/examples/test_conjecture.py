"""The conjecture of AutoGraphiX that small trees refute."""

from itertools import combinations, product

import numpy as np
import pytest
from conjecture import Conjecture, draw_tree, largest_eigenvalue, matching
from matplotlib.figure import Figure

import nrpa
from nrpa.base.errors import InputError


def test_matching_of_all_small_trees():
    """Against every set of edges without a common vertex."""
    for parents in product(*(range(k + 1) for k in range(5))):
        edges = list(enumerate(parents, start=1))
        best = max(
            size
            for size in range(4)
            for chosen in combinations(edges, size)
            if len({end for edge in chosen for end in edge}) == 2 * size
        )
        assert matching(parents) == best


def test_a_star_meets_the_conjecture_exactly():
    """Its eigenvalue is the root of its leaves, and its matching one edge."""
    assert largest_eigenvalue((0,) * 18) == pytest.approx(np.sqrt(18))
    assert Conjecture(19).score((0,) * 18) == pytest.approx(0)


def test_the_search_refutes_it():
    """A tree of 19 vertices is found, and the search stops there."""
    result = nrpa.solve(Conjecture(19), nrpa.NRPA(level=2, iterations=30), seed=6, playouts=20_000)
    assert result.status == "target"
    assert result.score > 0.01
    edges = list(enumerate(result.solution, start=1))
    adjacency = np.zeros((19, 19))
    for a, b in edges:
        adjacency[a, b] = adjacency[b, a] = 1
    assert result.score == pytest.approx(np.sqrt(18) + 1 - np.linalg.eigvalsh(adjacency).max() - 2)


def test_the_picture():
    """All vertices and edges."""
    axes = Figure().subplots()
    draw_tree(Conjecture(4), [0, 0, 1], axes)
    assert [len(line.get_xdata()) for line in axes.lines] == [2, 2, 2, 4]
    assert axes.get_title().startswith("4 vertices: gap ")


def test_other_instances_are_refused():
    """A number of vertices, no more."""
    with pytest.raises(InputError, match="one: expected a number of vertices from 2 to 200"):
        Conjecture.load("one")
