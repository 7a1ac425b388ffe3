import numpy as np
import pytest
from executors import Inline
from marks import Marks
from user_problems import Bits

import nrpa
from nrpa.games.choice import Chooser, MoveBudget
from nrpa.search.threads import Threads
from nrpa.solvers.tree.options import GRAVE, MCPS, UCT, AnytimeSequentialHalving

SOLVERS = {
    "uct": UCT,
    "grave": GRAVE,
    "mcps": MCPS,
    "halving": AnytimeSequentialHalving,
    "adapt": lambda **options: UCT(policy="adapt", **options),
}


def shared(problem, workers, solver=UCT, seed=4, parallel="tree", **options):
    search = solver(parallel=parallel, **options).start(problem, seed)
    search.share_out(workers, Threads)
    return search


@pytest.mark.parametrize("parallel", ["leaf", "tree"])
@pytest.mark.parametrize("name", SOLVERS)
def test_one_worker_does_what_the_search_alone_does(name, parallel):
    """Bit for bit, whatever the slices."""
    problem = Marks(cells=14, marks=7)
    alone = SOLVERS[name]().start(problem, 4)
    alone.advance(3000)
    search = shared(problem, 1, SOLVERS[name], parallel=parallel)
    for _ in range(30):
        search.advance(100)
    assert (search.playouts, search.score, search.moves.tolist()) == (3000, alone.score, alone.moves.tolist())
    nodes, edges = alone.memory.count[0]["nodes"], alone.memory.count[0]["edges"]
    # Which walk was the last to come by is noted only where there is one worker.
    fields = [name for name in alone.memory.nodes.dtype.names if name != "walk"]
    assert np.array_equal(search.memory.nodes[:nodes][fields], alone.memory.nodes[:nodes][fields])
    assert np.array_equal(search.memory.edges[:edges], alone.memory.edges[:edges])
    assert search.memory.random.tolist() == alone.memory.random.tolist()


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("players", [1, 2])
def test_no_playout_is_lost(name, players, monkeypatch):
    """Visits and sums of nodes and of the moves that lead there agree, though four threads have counted them."""
    monkeypatch.setattr("nrpa.engine.model.Model.has_hash", False)
    search = shared(Marks(cells=16, marks=12, players=players), 4, SOLVERS[name])
    for _ in range(5):
        search.advance(4000)
    memory, nodes = search.memory, search.memory.nodes[: search.nodes]
    assert search.playouts == nodes[0]["visits"] == 20_000
    assert not memory.flying.any()
    ended_here = 0
    for row in nodes:
        edges = memory.edges[row["first"] : row["first"] + row["count"]]
        ended_here += row["visits"] - edges["tried"].sum()
        for edge in edges[edges["child"] >= 0]:
            assert memory.nodes[edge["child"]]["visits"] == edge["tried"]
            assert edge["sum"] <= edge["tried"] * edge["best"]
    assert ended_here == 20_000


@pytest.mark.parametrize("name", SOLVERS)
def test_leaves_are_played_from_by_all(name, monkeypatch):
    """Each leaf by three workers, the last one by two, the same each time and in all slices."""
    monkeypatch.setattr("nrpa.engine.model.Model.has_hash", False)
    searches = [shared(Marks(cells=14, marks=9), 3, SOLVERS[name], parallel="leaf") for _ in range(2)]
    searches[0].advance(1199)
    for playouts in (300, 600, 299):
        searches[1].advance(playouts)
    once, again = searches
    nodes = once.memory.nodes[: once.nodes]
    assert once.playouts == again.playouts == nodes[0]["visits"] == 1199
    assert once.nodes == 400
    assert np.array_equal(nodes, again.memory.nodes[: again.nodes])
    assert once.moves.tolist() == again.moves.tolist()


def test_transpositions_are_entered_once():
    """Each state has one node, whoever comes to it first."""
    search = shared(Marks(cells=12, marks=8), 4)
    search.advance(100_000)
    alone = UCT().start(Marks(cells=12, marks=8), 1)
    alone.advance(100_000)
    assert search.proven
    assert (search.nodes, search.score) == (alone.nodes, alone.score)


def test_improvements_are_in_order_and_the_target_ends_the_search():
    """Scores rise with the playouts, and what the other workers do after the target is counted."""
    problem = Marks(cells=14, marks=7)
    best = nrpa.solve(problem, UCT(parallel="tree"), seed=1, workers=3, playouts=5000)
    points = [(each.playouts, each.score) for each in best.improvements]
    assert points == sorted(points)
    assert points[-1][1] == best.score
    assert best.playouts == 5000
    again = nrpa.solve(problem, UCT(parallel="tree"), seed=2, workers=3, playouts=100_000, target=points[-2][1])
    assert again.status in ("target", "optimal")
    assert again.score >= points[-2][1]


def test_the_result_says_that_it_cannot_be_repeated():
    """Where several workers share a tree, and nowhere else."""
    problem = Marks(cells=9, marks=5)

    def repeatable(workers, **options):
        return nrpa.solve(problem, UCT(**options), seed=1, workers=workers, playouts=20).repeatable

    assert [repeatable(1, parallel="tree"), repeatable(2), repeatable(2, parallel="leaf")] == [True, True, True]
    assert not repeatable(2, parallel="tree")


def test_a_move_is_chosen_by_threads_in_one_tree():
    """Move after move in the same arrays."""
    game = Marks(cells=11, marks=8, players=2)
    chooser = Chooser(game, UCT(parallel="tree", keep=True), 3)
    for moves in ([], [0, 1], [0, 1, 2, 3]):
        choice = chooser.choose(moves, MoveBudget(playouts=300), seed=len(moves))
        assert choice.playouts == 300 or choice.solved
        assert len(choice.opinions) == 11 - len(moves)


def test_what_cannot_share_a_tree_is_refused():
    """In one sentence."""
    problem = Marks(cells=9, marks=5)
    with pytest.raises(nrpa.InputError, match="commit is for workers with trees of their own; expected parallel="):
        UCT(parallel="tree", commit=10.0).start(problem, 1)
    with pytest.raises(nrpa.InputError, match="its playouts call Python, so threads cannot share a tree"):
        nrpa.solve(Bits(), UCT(parallel="tree"), workers=2, playouts=10)
    with pytest.raises(nrpa.InputError, match="only threads can share a tree, not the workers of an executor"):
        nrpa.solve(problem, UCT(parallel="tree"), workers=2, playouts=10, executor=Inline())
