import numpy as np
import pytest

import nrpa
from nrpa.plots import tree
from nrpa.plots.picture import new_axes
from nrpa.plots.trees import draw_rooted, layers


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
    """A label for each move, what is left out after it, whether it is proven, the widest line to the most visited."""
    with nrpa.debug():
        run = nrpa.start(Pick(), nrpa.UCT(), seed=1)
        run.advance(playouts=12)
    axes = tree(run, nodes=3)
    shown = run.tree(3).flat()[0][1:]
    texts = [text.get_text() for text in axes.texts]
    for node in shown:
        beginning = f"{node.move}  {node.visits}  {-node.value:.1f}" + "  proven" * node.solved
        assert beginning + f"  + {node.left_out}" * bool(node.left_out) in texts
    assert any(node.solved for node in shown)
    assert axes.get_title() == f"Pick: {run.tree(3).visits} tree walks; moves with visits and mean cost"
    lines, dots = axes.collections
    visits = [node.visits for node in shown]
    assert np.argmax(lines.get_linewidths()) == np.argmax(visits)
    assert [*dots.get_array()] == [node.value for node in shown]
    ends = [[*map(tuple, line)] for line in lines.get_segments()]
    assert [end for _, end in ends] == [*map(tuple, dots.get_offsets())]
    places = [(0, 0), *(end for _, end in ends)]
    assert [start for start, _ in ends] == [places[parent] for parent in run.tree(3).flat()[1]]


def test_a_choice_without_a_tree_is_refused():
    """It has to be asked for where the choice is made."""
    choice = nrpa.Choice("a", 0, 0, (), 0, 0.0, False)
    with pytest.raises(nrpa.InputError, match="the choice keeps no tree"):
        tree(choice)


@pytest.mark.parametrize("seed", range(5))
def test_no_edge_goes_through_a_vertex_and_none_crosses_another(seed):
    """Edges lead from a layer to the next, from left to right in the order of their upper ends."""
    random = np.random.default_rng(seed)
    parents = [int(random.integers(k)) for k in range(1, 20)]
    found = layers(parents)
    assert len(np.unique(found, axis=0)) == 20
    assert len(np.unique(found[:, 0])) == 20 - len({*parents})
    edges = [(*found[parent], *found[child]) for child, parent in enumerate(parents, start=1)]
    assert all(y - 1 == below for _, y, _, below in edges)
    for x, y, ended, _ in edges:
        for other, layer, other_ended, _ in edges:
            if layer == y and other > x:
                assert other_ended > ended


def test_children_are_in_their_order_the_first_below_its_parent():
    """So the most visited move of a search is beside its parent."""
    assert layers([0, 0, 1, 1]).tolist() == [[0, 0], [0, -1], [2, -1], [0, -2], [1, -2]]


def test_a_vertex_alone():
    """It is drawn, too."""
    axes = new_axes()
    draw_rooted([], axes)
    assert len(axes.lines) == 1
