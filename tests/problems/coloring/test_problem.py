"""Colouring as a user meets it."""

import numpy as np
import pytest

from nrpa import GNRPA, NRPA, Coloring, solve
from nrpa.base.errors import InputError


def test_the_bundled_graphs():
    """A small graph with a proven number of colours is solved; the clique proves it where one is as large."""
    problem = Coloring.load("myciel5")
    result = solve(problem, NRPA(level=2), seed=1, playouts=200)
    assert (result.figures["colors"], problem.best_known.value, problem.bound()) == (6, 6, 2)


def test_a_clique_ends_the_search():
    """As many colours as a clique has nodes are optimal."""
    wheel = [(0, k) for k in range(1, 7)] + [(k, k % 6 + 1) for k in range(1, 7)]
    problem = Coloring(7, wheel)
    result = solve(problem, NRPA(level=2), seed=1, playouts=2_000)
    assert (result.figures, result.status) == ({"colors": 3, "clashes": 0}, "optimal")
    assert Coloring.load("school1").bound() == 14


def test_given_colors():
    """Clashes are the objective, 0 of them the end; the best known number of colours says nothing of them."""
    problem = Coloring.load("queen8_8", colors=11)
    result = solve(problem, GNRPA(level=2), seed=1, playouts=5_000)
    assert (result.status, result.figures["clashes"], problem.best_known) == ("optimal", 0, None)
    too_few = solve(Coloring.load("queen8_8", colors=7), GNRPA(level=2), seed=1, playouts=500)
    assert too_few.figures["clashes"] == -too_few.score > 0
    assert (problem.objective.name, Coloring.objective.name) == ("clashes", "colors")


def test_more_colors_than_nodes():
    """They take no memory; a colouring that numbers them high is valid all the same."""
    problem = Coloring(3, [(0, 1), (1, 2)], colors=10_000_000)
    assert (problem.max_moves, problem.codes) == (3, 9)
    assert problem.check([10_000_000, 1, 10_000_000]).valid
    assert len(problem.moves_of([10_000_000, 1, 10_000_000])) == 3


def test_warm_start():
    """A colouring becomes moves again, whatever its colours are called."""
    problem = Coloring(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    found = solve(problem, NRPA(level=1), seed=1, playouts=5).solution
    renamed = [9 - colour for colour in found]
    assert problem.check(problem.solution(problem.moves_of(renamed))).figures["colors"] == 3
    with pytest.raises(InputError, match="coloring: nodes 1 and 2 are neighbours of one colour, 1"):
        problem.moves_of([1, 1, 2, 3, 2])
    with pytest.raises(InputError, match="the search cannot give node 3 the colour 3"):
        Coloring(3, [(0, 1)]).moves_of([1, 2, 3])


def test_a_large_sparse_graph(tmp_path):
    """It is read and coloured; neighbours differ, and the colours are few."""
    nodes, rng = 30_000, np.random.default_rng(1)
    pairs = rng.integers(0, nodes, (90_000, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]].tolist()
    (tmp_path / "large.col").write_text(
        f"p edge {nodes} {len(pairs)}\n" + "".join(f"e {a + 1} {b + 1}\n" for a, b in pairs)
    )
    problem = Coloring.load(str(tmp_path / "large.col"))
    result = solve(problem, seed=1, playouts=2)
    assert len(result.solution) == nodes
    assert all(result.solution[a] != result.solution[b] for a, b in pairs)
    assert len(set(result.solution)) == result.figures["colors"] <= 5


def test_a_hub():
    """The colours that there can be are bounded by the degrees of all nodes where there are many."""
    star = Coloring(20_000, [(0, k) for k in range(1, 20_000)])
    assert (star.max_moves, star.instance.most[:2].tolist()) == (3, [3, 2])
    assert solve(star, GNRPA(level=1, iterations=2), seed=1, playouts=1).figures["colors"] == 2
    with pytest.raises(
        InputError, match=r"20,000 nodes with up to 20,000 colours take too much memory; .* 100,000,000"
    ):
        Coloring(20_000, [(0, 1)], colors=20_000)


def test_a_copy_shares_the_graph():
    """It is not made again."""
    problem = Coloring(3, [(0, 1)])
    assert problem.hints().arms[0].graph is problem.graph


def test_drawing():
    """A line a colour."""
    assert Coloring(3, [(0, 1)]).draw([1, 2, 1]) == "1: 1 3\n2: 2"
    assert Coloring(90, []).sketch([1] * 90).endswith(" …")


def test_edges_may_come_twice():
    """In both directions, from any iterable."""
    problem = Coloring(3, iter([(1, 0), (0, 1), (1, 2)]))
    assert problem.edges.tolist() == [[0, 1], [1, 2]]
    assert problem.digest() == Coloring(3, np.array([[0, 1], [2, 1]])).digest()
