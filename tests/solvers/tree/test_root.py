"""The move that a tree search would play."""

import numpy as np
import pytest

from nrpa.solvers.tree.root import Root, RootMove, added_up, averaged_roots

A = RootMove(0, 10, 0.6, False)
B = RootMove(1, 30, 0.4, False)
NEVER = RootMove(2, 0, -np.inf, False)
DRAWN = RootMove(3, 5, 0.5, True)
LOST = RootMove(4, 50, 0.0, True)
WON = RootMove(5, 1, 1.0, True)


@pytest.mark.parametrize(
    ("moves", "solved", "survivor", "chosen"),
    [
        ((A, B, NEVER), False, -1, B),
        ((A, A._replace(move=9, value=0.7), A._replace(move=8)), False, -1, A._replace(move=9, value=0.7)),
        ((A, A._replace(move=9)), False, -1, A),
        ((A, B, LOST), False, -1, B),
        ((A, B, DRAWN), False, -1, DRAWN),
        ((A, B, WON), True, -1, WON),
        ((LOST, LOST._replace(move=6, visits=60)), True, -1, LOST._replace(move=6, visits=60)),
        ((A, B), False, 0, A),
        ((A, B, DRAWN), False, 1, DRAWN),
        ((A, LOST, B), False, 1, LOST),
    ],
    ids=["visits", "mean", "first", "lost", "drawn", "won", "all-lost", "survivor", "surer", "survivor-solved"],
)
def test_the_move_that_is_played(moves, solved, survivor, chosen):
    """The most visited one, what Sequential Halving has left, or a solved one that surely gives more."""
    assert Root(0, moves, solved, survivor).chosen() == chosen


def test_trees_that_have_solved_a_position_together_know_its_value():
    """Each move is solved by some tree: the best of them is played, though no tree knew all."""
    one = Root(0, (LOST, B._replace(move=DRAWN.move)), False, -1)
    other = Root(0, (A._replace(move=LOST.move), DRAWN), False, -1)
    root = added_up([one, other])
    assert root.solved
    assert root.chosen() == DRAWN._replace(visits=DRAWN.visits + B.visits)


def test_moves_are_added_up_whatever_their_order():
    """A tree that was kept may have come to the position by another order of moves."""
    root = added_up([Root(0, (A, B), False, -1), Root(0, (B, A), False, -1)])
    assert [(each.move, each.visits, each.value) for each in root.moves] == [(0, 20, 0.6), (1, 60, 0.4)]


def test_a_move_counts_alike_in_all_positions_that_may_be():
    """The mean of positions, not of visits; what was not tried is as bad as the worst that was."""
    seldom, often, untried = RootMove(1, 1, 0.2, False), RootMove(1, 99, 0.6, False), RootMove(2, 0, -np.inf, False)
    root = averaged_roots(
        [Root(1, (seldom, RootMove(2, 5, 0.9, False)), False, -1), Root(1, (untried, often), False, -1)]
    )
    assert root.moves == (RootMove(1, 100, 0.4, False), RootMove(2, 5, 0.75, False))
    assert (root.player, root.solved, root.chosen()) == (1, False, root.moves[1])
