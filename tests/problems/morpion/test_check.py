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
