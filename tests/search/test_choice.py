"""Choosing a move of a position."""

import json

import pytest
from tictactoe import TicTacToe

import nrpa
from nrpa.search.choice import Budget, Chooser

HEX = nrpa.Hex(size=3, first="none")
CENTRE = ("b2",)


def test_each_legal_move_has_its_visits_and_value():
    """The walks after the first are shared out among the moves; the chosen one leads; JSON can hold all of it."""
    choice = nrpa.choose(HEX, nrpa.UCT(), moves=CENTRE, playouts=30, seed=1)
    assert [each.move for each in choice.opinions] == ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    assert choice.playouts == 30
    assert sum(each.visits for each in choice.opinions) == 29
    assert all(each.value is None or 0 <= each.value <= 1 for each in choice.opinions)
    assert (choice.player, choice.ranked[0].move, choice.opinion.move) == (1, choice.move, choice.move)
    record = json.loads(json.dumps(choice.to_dict()))
    assert record["opinions"][0].keys() == {"move", "visits", "value", "solved"}


def test_a_solved_position_ends_the_search():
    """The move that wins is found, and is the one that is played."""
    choice = nrpa.choose(HEX, nrpa.MCPS(), moves="b2 a1 b1 a2", playouts=10_000)
    assert (choice.move, choice.solved, choice.opinion.value) == ("b3", True, 1.0)
    assert choice.playouts < 10_000


def test_a_choice_depends_on_seed_position_and_playouts_alone():
    """Not on what the same search has chosen before, nor on the slices of its budget."""

    def told(choice):
        return choice.move, choice.opinions

    chooser = Chooser(HEX, nrpa.MCPS())
    moves = [4]
    first = told(chooser.choose(moves, Budget(playouts=40), 5))
    chooser.choose([], Budget(playouts=200), 6)
    assert told(chooser.choose(moves, Budget(playouts=40), 5)) == first
    assert told(nrpa.choose(HEX, nrpa.MCPS(), moves=CENTRE, playouts=40, seed=5)) == first
    assert told(nrpa.choose(HEX, nrpa.MCPS(), moves=CENTRE, playouts=40, seed=6)) != first


def test_a_time_gives_every_move_a_search():
    """However short it is."""
    choice = nrpa.choose(HEX, nrpa.MCPS(), time=1e-9)
    assert choice.playouts >= 2
    assert len(choice.opinions) == 9


def test_a_game_in_plain_python():
    """The only move that does not lose is found and proven to draw."""
    choice = nrpa.choose(TicTacToe(), nrpa.UCT(), moves=["0", "4", "8"], playouts=3000)
    assert choice.solved
    assert {each.move for each in choice.opinions if each.solved and each.value == 0.5} >= {choice.move}
    assert int(choice.move) in (1, 3, 5, 7)


def test_every_first_move_of_tic_tac_toe_is_proven_to_draw():
    """The whole tree is solved long before the playouts are used up."""
    choice = nrpa.choose(TicTacToe(), nrpa.UCT(), playouts=50_000, seed=1)
    assert choice.playouts < 50_000
    assert [(each.solved, each.value) for each in choice.opinions] == [(True, 0.5)] * 9


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"problem": nrpa.Morpion()}, "morpion is a problem of one player; expected a game"),
        ({"solver": nrpa.NMCS()}, "nmcs does not choose moves of games; expected a tree search such as mcps"),
        ({"solver": nrpa.MCPS}, "MCPS is a class; expected an instance of it"),
        ({"moves": ["b2", "b2"]}, "move 2, 'b2', is not legal; expected one of a1"),
        ({"moves": 3}, "moves must be a list of names of moves, not int"),
        ({"moves": [3]}, "moves must be names of moves as people call them, each a text"),
        ({"moves": "b1 a1 b2 a2 b3"}, "hex: the game has ended after 5 moves; there is none to choose"),
        ({"playouts": 1}, "playouts must be a whole number of at least 2, not 1"),
        ({"time": 0.0}, "time must be a positive number"),
        ({"time": 1.0, "playouts": 5}, "playouts and time cannot both be the budget of a move"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"solver": nrpa.UCT(commit=5.0)}, "commit is for one player; hex is a game for 2"),
    ],
)
def test_bad_input_is_one_sentence(given, message):
    """It names what was expected."""
    settings = {"problem": HEX, "solver": nrpa.MCPS(), **given}
    with pytest.raises(nrpa.InputError, match=message) as fault:
        nrpa.choose(settings.pop("problem"), settings.pop("solver"), **settings)
    assert "\n" not in str(fault.value)
