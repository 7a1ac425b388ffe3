"""The greedy clique."""

from itertools import combinations

import numpy as np

from nrpa.problems.coloring.problem import greedy_clique


def test_it_is_a_clique_and_often_the_largest():
    """On random graphs of 10 nodes against all sets of nodes."""
    rng = np.random.default_rng(3)
    largest = 0
    for _ in range(40):
        adjacent = np.triu(rng.random((10, 10)) < 0.6, 1)
        adjacent |= adjacent.T
        found = greedy_clique(adjacent)
        assert all(adjacent[a, b] for a, b in combinations(found, 2))
        best = max(
            size
            for size in range(1, 11)
            for nodes in combinations(range(10), size)
            if all(adjacent[a, b] for a, b in combinations(nodes, 2))
        )
        assert len(found) <= best
        largest += len(found) == best
    assert largest >= 36


def test_no_edges():
    """One node is a clique."""
    assert len(greedy_clique(np.zeros((4, 4), bool))) == 1
