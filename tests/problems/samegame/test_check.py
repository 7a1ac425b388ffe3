"""The independent check of a SameGame game."""

import pytest

from nrpa.problems.samegame.problem import SameGame


@pytest.fixture(scope="module")
def board() -> SameGame:
    """Return a board that four cells of one colour and four of another fill."""
    return SameGame([[0, 0, 1], [0, 1, 1], [0, 1, 2]])


def test_a_game_worked_out_by_hand(board):
    """Two groups of four bring 4 points each; one cell stays."""
    verdict = board.check([[0, 0], [0, 0]])
    assert verdict.valid
    assert verdict.figures == {"points": 8, "moves": 2, "cells_left": 1}
    assert verdict.score == 8.0


def test_an_empty_board_brings_a_thousand():
    """(n - 2)² for each group, and 1000 at the end."""
    verdict = SameGame([[0, 0, 1], [0, 1, 1]]).check([[2, 0], [0, 0]])
    assert verdict.valid
    assert verdict.score == 1 + 1 + 1000
