"""The most visited lines, against all lines of the tree."""

import pytest

import nrpa
from nrpa.search.workers import searches_of
from nrpa.solvers.tree.root import root_of


class Digits(nrpa.Problem):
    """Three digits; states are sequences, so that no two lines lead to one node."""

    objective = nrpa.Objective("cost", sign=-1)

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [1, 2, 3] if len(state) < 3 else []

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return -sum(state)


class Ending(Digits):
    """A game of two: who makes the last move wins unless the digits add up to an even number."""

    players = 2

    def player(self, state):
        return len(state) % 2

    def rewards(self, state):
        return (1.0, 0.0) if sum(state) % 2 else (0.0, 1.0)


def run_of(problem, solver, playouts=60):
    with nrpa.debug():
        run = nrpa.start(problem, solver, seed=1)
        run.advance(playouts=playouts)
    return run


def all_visits(memory, node=0):
    """Return the visits of every move in the tree."""
    found, row = [], memory.nodes[node]
    if row["open"] < 0:
        return []
    for edge in memory.edges[row["first"] : row["first"] + row["count"]]:
        found += [int(edge["tried"])] * bool(edge["tried"])
        if edge["child"] >= 0:
            found += all_visits(memory, edge["child"])
    return found


@pytest.mark.parametrize("solver", [nrpa.UCT(), nrpa.RAVE(), nrpa.GRAVE(), nrpa.MCPS(), nrpa.SPMCTS()])
def test_the_most_visited_moves_are_kept(solver):
    """As many as were asked for, and none that is left out has more visits; what is left out is counted."""
    run = run_of(Digits(), solver)
    memory = searches_of(run._search)[0].memory
    tree = run.tree(7)
    kept = sorted((node.visits for node in tree.flat()[0][1:]), reverse=True)
    assert kept == sorted(all_visits(memory), reverse=True)[:7]
    known = {each.move: each for each in root_of(memory).moves}
    for child in tree.children:
        own = known[run.problem.model.moves[int(child.move)]]
        assert (child.visits, child.value, child.solved) == (own.visits, own.value, own.solved)
    whole, parents = run.tree(1000).flat()
    assert all(node in whole[parent].children for node, parent in zip(whole[1:], parents, strict=True))
    assert (len(whole) - 1, {node.left_out for node in whole}) == (len(all_visits(memory)), {0})
    assert tree.left_out + len(tree.children) == 3


def test_trees_of_workers_are_added_up():
    """A choice from two trees: the moves of the root have the visits of both."""
    with nrpa.debug():
        choice = nrpa.choose(Ending(), nrpa.UCT(trees=2), moves=[2], playouts=20, seed=2, tree=50)
    opinions = {each.move: (each.visits, each.value) for each in choice.opinions}
    assert {child.move: (child.visits, child.value) for child in choice.tree.children} == opinions
    assert choice.tree.move == "Ending, after 1 move"
    assert "tree" not in choice.to_dict()


def test_the_only_legal_move_has_a_tree():
    """It is then not chosen without a search."""

    class One(Ending):
        def legal_moves(self, state):
            return [1] if len(state) < 3 else []

    with nrpa.debug():
        choice = nrpa.choose(One(), nrpa.UCT(), playouts=5, tree=9)
    assert [child.move for child in choice.tree.children] == ["1"]


def test_what_has_no_tree_says_so():
    """Another solver, too many nodes."""
    with pytest.raises(nrpa.InputError, match="nmcs leaves no tree"):
        run_of(Digits(), nrpa.NMCS(level=1), 3).tree()
    with pytest.raises(nrpa.InputError, match="nodes must be at most 1000, not 2000"):
        run_of(Digits(), nrpa.UCT(), 3).tree(2000)
