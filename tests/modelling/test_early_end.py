"""Games that end although moves are left."""

import pytest
from games_of_users import Ring

import nrpa
from nrpa.games.open_game import OpenGame


class Repeated(Ring):
    at_repetition = (0.5, 0.5)


class Endless(Ring):
    max_steps = 5000
    at_max_steps = None


def test_a_game_ends_after_max_steps():
    """In matches, in checks of what was played, and in searches; a shorter game is not over."""
    game = OpenGame(Ring())
    game.play_moves([1, 1] * 10)
    assert (len(game.moves), game.legal, game.rewards()) == (20, [], [0.5, 0.5])
    assert nrpa.Problem.check(Ring(), [1, 1] * 10).rewards == (0.5, 0.5)
    assert nrpa.Problem.check(Ring(), [1, 1] * 9).faults == [
        "after 18 moves the end is not reached: more can be played"
    ]
    assert nrpa.check_problem(Ring(), seed=1).faults == []
    choice = nrpa.choose(Ring(), nrpa.UCT(), moves=[1, 1] * 9, playouts=50, always=True)
    assert {each.value for each in choice.opinions} == {0.5}


def test_a_game_ends_where_a_state_comes_again():
    """So do walks: nobody can be sure to win, whatever the other does, so all is drawn."""
    game = OpenGame(Repeated())
    game.play_moves([1, 1, -1, -1])
    assert (game.legal, game.rewards()) == ([], [0.5, 0.5])
    assert nrpa.Problem.check(Repeated(), [1, 1, -1, -1]).rewards == (0.5, 0.5)
    assert "the end is not reached" in nrpa.Problem.check(Repeated(), [1, 1, -1]).faults[0]
    assert "the end is not reached" in nrpa.Problem.check(Endless(), [1, 1, -1, -1]).faults[0]
    assert nrpa.check_problem(Repeated(), seed=1).faults == []
    choice = nrpa.choose(Repeated(), nrpa.UCT(), moves=[1, 1, -1], playouts=200, seed=1)
    values = {each.own_move: each.value for each in choice.opinions}
    assert values[-1] == 0.5  # back to where the game began
    assert not choice.opinions[0].solved


@pytest.mark.parametrize("solver", [nrpa.UCT(), nrpa.MCPS()], ids=["uct", "mcps"])
def test_walks_do_not_go_round(solver):
    """Even where nothing ends a game early, a walk that comes back to a node plays out from there."""
    choice = nrpa.choose(Endless(), solver, playouts=500, seed=1)
    assert choice.playouts == 500


def test_a_match_is_drawn_by_repetition():
    """Every game ends, with the rewards that the author chose."""
    result = nrpa.match(Repeated(), nrpa.UCT(keep=True), nrpa.UCT(), playouts=60, games=4)
    assert all(len(game.moves) <= 20 and sum(game.rewards) == 1 for game in result.games)
    assert any(game.rewards == (0.5, 0.5) for game in result.games)


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"at_max_steps": (1,)}, r"at_max_steps is \(1,\); expected 2 finite numbers, none above largest_reward = 1"),
        ({"at_max_steps": 0.5}, "at_max_steps is 0.5; expected 2 finite numbers"),
        ({"at_repetition": (2, 0)}, r"at_repetition is \(2, 0\); expected 2 finite numbers"),
        (
            {"players": 1, "score": len, "at_repetition": None, "at_max_steps": (1,)},
            "at_max_steps is for games of several players",
        ),
        (
            {"at_repetition": (0, 0), "initial_state": lambda self: [0, 4, 0]},
            "at_repetition is set, but states have no key",
        ),
    ],
)
def test_rewards_that_cannot_be_are_refused(own, message):
    """Before anything is played."""
    problem = type("Mine", (Ring,), own)()
    with pytest.raises(nrpa.ProblemError, match=message):
        nrpa.checking.validate.validate(problem)
