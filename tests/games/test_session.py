"""Games in a program."""

import threading

import pytest
from coin import Coin
from connect_four import ConnectFour
from games_of_users import Even
from tictactoe import TicTacToe

import nrpa

HEX = nrpa.Hex(size=3, first="none")


def test_a_session_is_played_by_own_moves_and_by_names():
    """Turns, legal moves and rewards follow; moves can be taken back, and a game ends."""
    session = nrpa.GameSession(TicTacToe(), nrpa.UCT(), seed=1)
    session.advance(0, "4", 8)
    assert (session.moves, session.player, session.legal, session.rewards) == ([0, 4, 8], 1, [1, 2, 3, 5, 6, 7], None)
    session.take_back()
    assert session.moves == [0, 4]
    session.advance(1, 3, 2)
    assert (session.legal, session.rewards) == ([], [1.0, 0.0])
    session.think(playouts=5)
    with pytest.raises(nrpa.InputError, match="TicTacToe: the game has ended; there is no move to choose"):
        session.choice()
    with pytest.raises(nrpa.InputError, match="move 6: the game has ended"):
        session.advance(5)


def test_thoughts_add_up_and_are_kept_from_move_to_move():
    """What was walked through the position counts on; the same calls give the same choices."""

    def told():
        session = nrpa.GameSession(HEX, nrpa.UCT(), moves=["b2"], seed=3)
        session.think(playouts=30)
        session.think(playouts=30)
        first = session.choice()
        assert first.playouts == 60
        assert sum(each.visits for each in first.opinions) == 59
        session.advance(first.move, "c1" if first.move != "c1" else "a1")
        session.think(playouts=10)
        second = session.choice()
        assert second.playouts == 10
        assert sum(each.visits for each in second.opinions) > 10
        return first.opinions, second.opinions

    assert told() == told()


def test_it_thinks_while_the_other_does():
    """In the background until a move is made; what it found then is kept."""
    session = nrpa.GameSession(HEX, nrpa.UCT(), moves=["b2"], seed=1)
    walked = threading.Event()
    think = session._chooser.think

    def told(budget, stopped):
        think(nrpa.games.choice.MoveBudget(playouts=60), stopped)
        walked.set()
        stopped.wait()

    session._chooser.think = told
    with session:
        session.think(background=True)
        assert walked.wait(60)
        assert session.is_thinking
        session.advance("a1")
        assert not session.is_thinking
        session._chooser.think = think
        assert sum(each.visits for each in session.choice().opinions) > 2
    session.stop()


def test_what_a_thought_in_the_background_raises_is_raised_by_the_next_call():
    """Once; the session goes on."""

    class Broken(TicTacToe):
        def rewards(self, state):
            raise ZeroDivisionError("no rewards")

    session = nrpa.GameSession(Broken(), nrpa.UCT())
    session.think(background=True)
    session._thread.join()
    with pytest.raises(ZeroDivisionError, match="no rewards"):
        session.advance(0)
    session.advance(0)
    assert session.moves == [0]


def test_a_session_begins_in_a_state():
    """The moves after it are those of the session; a choice is that of the position which moves lead to."""
    session = nrpa.GameSession(TicTacToe(), nrpa.UCT(), state="XX.OO....", moves=[8])
    session.think(playouts=300)
    assert (session.choice().own_move, session.moves) == (5, [8])
    assert nrpa.choose(TicTacToe(), nrpa.UCT(), state="XX.OO....", playouts=300).own_move == 2


def test_one_legal_move_is_played_at_once():
    """Nothing is searched, unless its value is asked for."""
    choice = nrpa.choose(Even(), nrpa.UCT(), time=1000.0)
    assert (choice.move, choice.playouts, choice.reason) == ("1", 0, "it is the only legal move")
    assert nrpa.choose(Even(), nrpa.UCT(), playouts=50, always=True).opinion.value == 0.5
    session = nrpa.GameSession(Even(), nrpa.UCT())
    assert session.choice().playouts == 0
    session.think(playouts=20)
    assert session.choice().opinion.value == 0.5


def test_a_choice_says_why_and_what_comes_then():
    """A proven win takes the shortest way, a loss the longest; the variation is a game that ends so."""
    won = nrpa.choose(ConnectFour(), nrpa.UCT(), moves=[2, 0, 3, 0], playouts=4000, seed=1)
    assert (won.solved, won.distance, won.own_move) == (True, 3, 4 if won.variation[0] == "4" else 1)
    game = nrpa.games.open_game.OpenGame(ConnectFour())
    game.play_moves([2, 0, 3, 0, *won.variation])
    assert (len(won.variation), game.legal, game.rewards()) == (3, [], [1.0, 0.0])
    assert won.reason == "it is proven to give 1, and no move gives more"
    lost = nrpa.choose(ConnectFour(), nrpa.UCT(), moves=[2, 0, 3, 0, won.own_move], playouts=4000, seed=1)
    assert (lost.solved, lost.distance, lost.opinion.value) == (True, 2, 0.0)
    open_ = nrpa.choose(ConnectFour(), nrpa.UCT(), playouts=50, seed=1)
    assert open_.reason == f"it has the most visits, {open_.opinion.visits} of 49"
    assert (open_.distance, open_.variation[0]) == (None, open_.move)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda session: session.advance("z"), "move 1: 'z' is not a legal move; expected one of a1"),
        (lambda session: session.think(), "expected seconds or playouts to think"),
        (lambda session: session.think(0), "seconds must be a positive number"),
        (lambda session: session.think(1.0, playouts=5), "playouts and time cannot both be the budget"),
        (lambda session: session.take_back(), "1 moves cannot be taken back after 0"),
        (lambda session: nrpa.GameSession(HEX, nrpa.NMCS()), "nmcs does not choose moves of games"),
        (lambda session: nrpa.GameSession(HEX, state=1), "hex is compiled, so that no state can be given"),
        (lambda session: nrpa.GameSession(Coin(), nrpa.UCT(trees=2)), "the game has not been dealt after 0 moves"),
        (lambda session: nrpa.GameSession(HEX, seed=-1), "seed must be a whole number"),
    ],
)
def test_bad_input_is_one_sentence(call, message):
    """It says what was expected."""
    with pytest.raises(nrpa.InputError, match=message) as fault:
        call(nrpa.GameSession(HEX))
    assert "\n" not in str(fault.value)
