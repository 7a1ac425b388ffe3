"""The greedy clique."""

from itertools import combinations

import numpy as np

from nrpa.problems.coloring import graph
from nrpa.problems.coloring.graph import Graph


def test_it_is_a_clique_and_often_the_largest():
    """On random graphs of 10 nodes against all sets of nodes."""
    rng = np.random.default_rng(3)
    largest = 0
    for _ in range(40):
        adjacent = np.triu(rng.random((10, 10)) < 0.6, 1)
        adjacent |= adjacent.T
        found = Graph(10, np.argwhere(np.triu(adjacent))).clique
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
    assert Graph(4, []).clique == [0]


def test_work_is_bounded(monkeypatch):
    """Without any, the clique of the first node is found, and no other is begun."""
    monkeypatch.setattr(graph, "MOST_WORK", 1)
    star_and_triangle = [(0, 1), (0, 2), (0, 3), (0, 4), (5, 6), (6, 7), (5, 7)]
    assert Graph(8, star_and_triangle).clique == [0, 1]
