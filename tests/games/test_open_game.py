"""Games in progress."""

import pytest

import nrpa
from nrpa.games.open_game import OpenGame

HEX = nrpa.Hex(size=3, first="none")


def test_a_game_is_played_by_the_names_of_its_moves():
    """Turns, legal moves, text and rewards follow; moves can be taken back, and a game begun again."""
    game = OpenGame(HEX)
    game.play_moves(["b1", "a1", "b2", "a2"])
    assert (game.player, sorted(game.names)) == (0, ["a3", "b3", "c1", "c2", "c3"])
    before = game.text()
    game.play(game.number_of("b3"))
    assert (game.legal, game.rewards(), game.solution()) == ([], [1.0, 0.0], ["b1", "a1", "b2", "a2", "b3"])
    with pytest.raises(nrpa.InputError, match="move 6: the game has ended: there is no legal move"):
        game.number_of("c3")
    game.take_back(1)
    assert (game.text(), game.player, len(game.legal)) == (before, 0, 5)
    game.begin()
    assert (game.moves, len(game.legal)) == ([], 9)


def test_an_illegal_move_is_named_with_legal_ones():
    """Those before it have been made."""
    game = OpenGame(HEX)
    with pytest.raises(nrpa.InputError, match=r"^move 2: 'b1' is not a legal move; expected one of a1, c1, .*, c3$"):
        game.play_moves(["b1", "b1"])
    assert len(game.moves) == 1
    game.begin()
    with pytest.raises(nrpa.InputError, match=r"expected one of a1, .*, b3, …$"):
        game.number_of("z")


def test_a_problem_of_one_player_is_no_game():
    """It is said in a sentence."""
    with pytest.raises(nrpa.InputError, match="morpion is a problem of one player; expected a game"):
        OpenGame(nrpa.Morpion())
