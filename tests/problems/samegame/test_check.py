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


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        ([[0, 0]], "the game is not over: a group can be played at [0, 0]"),
        ([[2, 0]], "move 1 at [2, 0] is not legal: the cell has no neighbour of its colour"),
        ([[0, 0], [2, 2]], "move 2 at [2, 2] is not legal: the cell is empty"),
        ([[-1, 0]], "move 1 at [-1, 0] is not legal: the cell is empty"),
        ([[0, 0], 3], "move 2: expected a cell [column, row], found 3"),
        ([[0, True]], "move 1: expected a cell [column, row], found [0, True]"),
        ("0 0", "a game is a list of cells [column, row], not str"),
    ],
)
def test_faults_are_named(board, game, fault):
    """Whatever is wrong with a game is said, in words."""
    verdict = board.check(game)
    assert not verdict.valid
    assert verdict.faults == [fault]
