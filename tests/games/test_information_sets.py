"""Information-set UCT as an option of choosing a move."""

import numpy as np
import pytest
from coin import Coin
from tictactoe import TicTacToe
from whist import Whist

import nrpa

SOLVER = nrpa.UCT(worlds="walks")


def test_one_tree_of_what_players_know_does_not_guess_what_is_hidden():
    """Where trees of drawn worlds go on for 1, it takes the safe 0.7; the same seed gives the same choice."""
    choices = [nrpa.choose(Coin(), SOLVER, moves=["heads"], playouts=1000, seed=1) for _ in range(2)]
    assert choices[0].opinions == choices[1].opinions
    assert (choices[0].own_move, round(choices[0].opinion.value, 9), choices[0].solved) == ("safe", 0.7, False)
    assert nrpa.choose(Coin(), nrpa.UCT(trees=10), moves=["heads"], playouts=200).own_move == "on"


def test_a_hand_of_whist_is_played_to_the_end():
    """By a session, from the deal on; every walk counts."""
    session = nrpa.GameSession(Whist(), SOLVER, moves=Whist().deal(np.random.default_rng(4)))
    while session.legal:
        session.think(playouts=20)
        choice = session.choice()
        assert sum(each.visits for each in choice.opinions) == 20
        session.advance(choice.own_move)
    assert sorted(session.rewards) == [0.0, 1.0]


def test_the_last_trick_is_what_is_left():
    """Where one card is left to each, no other drawing changes which one is played."""
    moves = [6, 0, 5, 1, 7, 8, 9, 10, 13, 11, 5, 1, 6, 0, 7, 8, 10, 13, 9]
    assert nrpa.choose(Whist(), SOLVER, moves=moves, playouts=3, always=True).own_move == 11


@pytest.mark.parametrize(
    ("problem", "solver", "moves", "message"),
    [
        (Coin(), nrpa.GRAVE(worlds="walks"), ["heads"], "worlds=walks is for uct with no other option than c; found g"),
        (Coin(), nrpa.UCT(worlds="walks", trees=2), ["heads"], "found uct with trees"),
        (TicTacToe(), SOLVER, (), "worlds=walks is for games that hide something; TicTacToe has no determinize"),
        (Whist(), nrpa.UCT(), [0, 1, 2], r"the game has not been dealt after 3 moves; begin with the 10 moves that"),
    ],
)
def test_what_cannot_be_searched_so_is_refused(problem, solver, moves, message):
    """In a sentence."""
    with pytest.raises(nrpa.InputError, match=message):
        nrpa.choose(problem, solver, moves=moves, playouts=10)
