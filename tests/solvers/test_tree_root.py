"""The move that a tree search would play."""

import numpy as np
import pytest

from nrpa.solvers.tree_root import Root, RootMove

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
