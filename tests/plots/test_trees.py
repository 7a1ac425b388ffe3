import numpy as np
import pytest

import nrpa
from nrpa.plots import tree


class Pick(nrpa.Problem):
    """One of two things, then another."""

    objective = nrpa.Objective("cost", sign=-1, digits=1)

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return ["low", "high"] if len(state) < 2 else []

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return -float(state.count("high"))


def test_a_tree_names_moves_with_visits_and_costs():
    """A label for each move, what is left out after it, a square where it is solved, the widest line to the first."""
    with nrpa.debug():
        run = nrpa.start(Pick(), nrpa.UCT(), seed=1)
        run.advance(playouts=12)
    axes = tree(run, nodes=3)
    shown = [node for depth, node in run.tree(3).lines() if depth]
    texts = [text.get_text() for text in axes.texts]
    for node in shown:
        beginning = f"{node.move}  {node.visits}  {-node.value:.1f}"
        assert beginning + f"  + {node.left_out}" * bool(node.left_out) in texts
    assert axes.get_title() == f"Pick: {run.tree(3).visits} tree walks"
    lines = axes.collections[0]
    visits = [node.visits for node in shown]
    assert np.argmax(lines.get_linewidths()) == np.argmax(visits)
    assert [*lines.get_array()] == [-node.value for node in shown]
    assert sum(len(each.get_offsets()) for each in axes.collections[1:]) == 3


def test_a_choice_without_a_tree_is_refused():
    """It has to be asked for where the choice is made."""
    choice = nrpa.Choice("a", 0, 0, (), 0, 0.0, False)
    with pytest.raises(nrpa.InputError, match="the choice keeps no tree"):
        tree(choice)
