"""The independent check of games, and its plain rules against the naive ones."""

import random

import naive_morpion
import pytest

from nrpa import Morpion
from nrpa.problems.morpion.rules import VARIANTS, MorpionGame, Move, cross


@pytest.mark.parametrize("variant", VARIANTS)
def test_rules(variant):
    """The rules give the naive legal moves in every state of a random game."""
    assert cross(variant) == naive_morpion.cross(variant)
    generator = random.Random(6)
    game, slow = MorpionGame(variant, cross(variant)), naive_morpion.NaiveGame(variant)
    while moves := slow.legal_moves():
        assert game.legal_moves() == moves
        move = generator.choice(sorted(moves))
        game.play(Move(*move))
        slow.play(move)
    assert game.legal_moves() == set()


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        ([[3, 0, "H", 0]], "move 1 (3 0 H 0) is not legal: there is a dot at (3, 0) already"),
        ([[1, 0, "H", 0]], "move 1 (1 0 H 0) is not legal: its line has no dot at (2, 0)"),
        ([[2, 0, "H", 5]], "move 1 (2 0 H 5) is not legal: position 5 is not in a line of 5 dots, numbered from 0"),
        (
            [[2, 0, "H", 0], [7, 0, "H", 4]],
            "move 2 (7 0 H 4) is not legal: "
            "its line shares a segment at (3, 0) with an earlier one of the same direction",
        ),
        ([[2, 0, "W", 0]], "move 1: the direction must be one of H, V, DP, DN, not 'W'"),
        ([[2.0, 0, "H", 0]], "move 1: x, y and position must be whole numbers, found [2.0, 0, 'H', 0]"),
        ([[2, 0, "H"]], "move 1: expected [x, y, direction, position], found [2, 0, 'H']"),
        ("2 0 H 0", "a game is a list of moves, not str"),
    ],
)
def test_faults(game, fault):
    """The first wrong move is named, with the reason."""
    assert Morpion("5T").check(game).faults == [fault]


def test_touching_and_disjoint():
    """Two lines that share an end dot are legal in 5T, not in 5D."""
    row = {(x, 0) for x in (0, 1, 2, 3, 5, 6, 7)}
    game = [[4, 0, "H", 4], [8, 0, "H", 4]]
    assert Morpion("5T", dots=row).check(game).valid
    assert Morpion("5D", dots=row).check(game).faults == [
        "move 2 (8 0 H 4) is not legal: its line shares the dot at (4, 0) with an earlier one of the same direction"
    ]


def test_unfinished_game():
    """A game may stop early; the score counts its moves, a figure those still possible."""
    slow = naive_morpion.NaiveGame("5T")
    slow.play((2, 0, "H", 0))
    verdict = Morpion("5T").check([[2, 0, "H", 0]])
    assert verdict.valid
    assert verdict.score == 1
    assert verdict.figures == {"moves": 1, "moves_left": len(slow.legal_moves())}


def test_score_of_a_broken_game():
    """An illegal move ends the game: the score counts the moves before it."""
    verdict = Morpion("5T").check([[2, 0, "H", 0], [2, 0, "H", 0]])
    assert not verdict.valid
    assert verdict.score == 1
