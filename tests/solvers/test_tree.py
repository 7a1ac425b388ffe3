import pytest
from marks import Marks
from naive_tree import NaiveTree

from nrpa.engine.model import Model
from nrpa.solvers.tree import (
    GRAVE,
    MCPS,
    PUCT,
    RAVE,
    SHUSS,
    SPMCTS,
    UCT,
    AnytimeSequentialHalving,
    SequentialHalving,
)
from nrpa.solvers.tree_amaf import FROZEN, place_of
from nrpa.solvers.tree_memory import BEST, BLOCK, CHILD, CLOSED, CODE, COUNT, FIRST, MOVE, OPEN, SUM, TRIED, VISITS

BANDITS = ("ucb1", "ucb1-tuned", "epsilon-greedy", "decaying-epsilon", "boltzmann")
# Each solver beside the name of its selection and of its halving in the plain search.
SOLVERS = {
    **{f"uct-{name}": (UCT(selection=name, epsilon=0.3, tau=0.2), name, None) for name in BANDITS},
    "uct-mix": (UCT(mix=0.3), "ucb1", None),
    "uct-raw": (UCT(c=5.0, normalise=False), "ucb1", None),
    "sp-mcts": (SPMCTS(), "sp-mcts", None),
    "sp-mcts-raw": (SPMCTS(c=0.5, d=100.0, normalise=False), "sp-mcts", None),
    "puct": (PUCT(), "puct", None),
    "rave": (RAVE(amaf_bias=1e-3), "grave", None),
    "grave": (GRAVE(ref=10, amaf_bias=1e-3), "grave", None),
    "mcps": (MCPS(ref=10), "mcps", None),
    "mcps-0": (MCPS(ref=0), "mcps", None),
    "sequential-halving": (SequentialHalving(budget=200), "ucb1", "sequential"),
    "shuss": (SHUSS(budget=200), "ucb1", "shuss"),
    "anytime-halving": (AnytimeSequentialHalving(), "ucb1", "anytime"),
    "bias": (UCT(policy="bias"), "ucb1", None),
    "greedy": (UCT(policy="greedy"), "ucb1", None),
    "mast": (UCT(policy="mast"), "ucb1", None),
    "adapt": (UCT(policy="adapt", alpha=0.5), "ucb1", None),
}
PROBLEMS = {
    "one-path": (dict(cells=9, marks=5), False),
    "one-hash": (dict(cells=14, marks=7), True),
    "one-shared-codes": (dict(cells=10, marks=5, coarse=2), False),
    "two-path": (dict(cells=9, marks=7, players=2), False),
    "two-hash": (dict(cells=11, marks=8, players=2), True),
    "two-hashed-codes": (dict(cells=10, marks=6, players=2, coarse=2, hashed_codes=True), True),
    "three": (dict(cells=10, marks=6, players=3), False),
}


def oracle(problem, name, by_key, seed, playouts):
    solver, kind, halving = SOLVERS[name]
    problem.plain.by_key = by_key
    options = {**solver.options, "halving": halving}
    return NaiveTree(problem.plain, kind, seed, **options).run(playouts)


def assert_same_tree(search, naive):
    """Every node of the compiled tree has the visits, values and AMAF statistics of the plain one, and none is left out."""
    nodes, edges, amaf = search.memory.nodes, search.memory.edges, search.memory.amaf
    spread = search.problem.instance.spread
    seen = {}

    def compare(node, plain):
        if node in seen:
            return
        seen[node] = plain
        row = nodes.whole[node]
        assert row[VISITS] == plain.visits
        assert nodes.number[node, 0] == pytest.approx(plain.sum)
        assert (row[OPEN] == 0) == (plain.solved is not None)
        if plain.solved is not None:
            assert nodes.number[node, 1:].tolist() == pytest.approx(plain.solved)
        if row[BLOCK] >= 0 and not amaf.block[row[BLOCK], FROZEN]:
            for code, (n, total) in plain.amaf.items():
                cell = amaf.cell[place_of(amaf, row[BLOCK], number(code * spread))]
                assert cell.tolist() == pytest.approx([n, total])
        for m, edge in enumerate(plain.edges or []):
            found, k = edges.number[row[FIRST] + m], edges.whole[row[FIRST] + m]
            assert (k[MOVE], found[TRIED]) == (edge.move, edge.n)
            assert found[SUM] == pytest.approx(edge.sum)
            assert found[BEST] == edge.best
            assert bool(k[CLOSED]) == edge.closed
            if edge.child is not None and edge.n:
                compare(k[CHILD], edge.child)
        assert row[COUNT] == len(plain.edges or [])

    def number(code):
        table = search.memory.codes.table.word.reshape(-1, 2)
        return code if len(table) == 2 else int(table[table[:, 0] == code][0, 1])

    compare(0, naive.nodes[naive.root_key])
    assert len(seen) == search.nodes == len(naive.nodes)


MAIN = ("uct-ucb1", "grave", "mcps", "shuss")
PAIRS = [(kind, name) for name in MAIN for kind in PROBLEMS]
# Each of the others on two of the problems.
PAIRS += [
    (list(PROBLEMS)[(k + shift) % len(PROBLEMS)], name)
    for k, name in enumerate(name for name in SOLVERS if name not in MAIN)
    for shift in (0, 3)
]


@pytest.mark.parametrize(("kind", "name"), PAIRS)
def test_agrees_with_the_algorithm_as_printed(kind, name, monkeypatch):
    """The same visits and values at every node as a plain search, for games and one player, trees and transpositions."""
    options, by_key = PROBLEMS[kind]
    if options.get("players", 1) > 1 and name == "uct-mix":
        kind = "one-path"
        options, by_key = PROBLEMS[kind]
    monkeypatch.setattr(Model, "has_hash", by_key)
    problem = Marks(**options)
    playouts = 700 if name.startswith("mcps") else 2000
    search = SOLVERS[name][0].start(problem, 4)
    search.advance(playouts)
    naive = oracle(problem, name, by_key, 4, playouts)
    assert (search.playouts, search.proven) == (len(naive.scores), naive.proven)
    assert_same_tree(search, naive)
