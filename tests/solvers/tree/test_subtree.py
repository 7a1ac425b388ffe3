"""What is left of a tree behind a node."""

import copy

import numpy as np
import pytest
from connect_four import ConnectFour
from games_of_users import ThreeNim
from tictactoe import TicTacToe

import nrpa
from nrpa.engine.hash_table import FREE
from nrpa.solvers.tree import search
from nrpa.solvers.tree.subtree import subtree


def seen_of(memory, root):
    """Return what is known of each node behind one, by the moves of a shortest way, and which nodes are shared."""
    found, ways, last = {}, {root: ()}, [root]
    for node in last:
        row = memory.nodes[node]
        edges = memory.edges[row["first"] : row["first"] + row["count"]]
        children = [int(child) for child in edges["child"]]
        for move, child in zip(edges["move"].tolist(), children, strict=True):
            if child >= 0 and child not in ways:
                ways[child] = (*ways[node], move)
                last.append(child)
        figures = [row[name].item() for name in ("open", "visits", "mover", "distance", "sum")]
        told = [[edge[name].item() for name in ("move", "closed", "tried", "sum", "squares", "best")] for edge in edges]
        priors = memory.priors[row["first"] : row["first"] + row["count"]].tolist() if len(memory.priors) > 1 else []
        found[ways[node]] = figures, told, priors, memory.outcomes[node].tolist(), children
    return {way: (*rest, [ways.get(child) for child in children]) for way, (*rest, children) in found.items()}


@pytest.mark.parametrize("solver", [nrpa.UCT(), nrpa.PUCT()], ids=["uct", "puct"])
@pytest.mark.parametrize("problem", [TicTacToe(), ConnectFour()], ids=["tictactoe", "connect-four"])
def test_all_that_is_known_behind_a_node_stays(problem, solver):
    """Figures, moves, priors and shared nodes, by the moves that lead there; nothing else; also by hash."""
    begun = solver.start(problem, 1)
    begun.advance(600)
    memory = begun.memory
    root = int(memory.edges["child"][np.argmax(memory.edges["tried"][: memory.nodes["count"][0]])])
    before, table = seen_of(memory, root), memory.node_table.word.copy()
    nodes = {int(value): int(key) for key, value in table.reshape(-1, 2) if key != FREE}
    kept = subtree(copy.deepcopy(memory), root)
    assert seen_of(kept, 0) == before
    assert kept.count["nodes"][0] == len(before) < memory.count["nodes"][0]
    assert kept.count["edges"][0] == sum(len(told) for _, told, *_ in before.values())
    after = {int(value): int(key) for key, value in kept.node_table.word.reshape(-1, 2) if key != FREE}
    assert sorted(after) == list(range(len(before)))
    assert after[0] == nodes[root]


@pytest.mark.parametrize("solver", [nrpa.UCT(), nrpa.MCPS(ref=5), nrpa.PUCT()], ids=["uct", "mcps", "puct"])
@pytest.mark.parametrize("problem", [TicTacToe, ThreeNim], ids=["tictactoe", "nim"])
def test_playouts_in_one_call_are_those_step_by_step(solver, problem, monkeypatch):
    """The same random numbers give the same walks, with the same codes and players of all moves."""
    whole = nrpa.choose(problem(), solver, playouts=300, seed=1)
    monkeypatch.setattr(search, "plays_whole", lambda solver: False)
    assert nrpa.choose(problem(), solver, playouts=300, seed=1).opinions == whole.opinions
