"""What check_problem finds in games: rewards, turns, and what chance deals and hides."""

import pytest
from coin import Coin
from games_of_users import Ring
from tictactoe import TicTacToe
from whist import Whist

import nrpa


def draws_from_a_generator_of_its_own(self, random):
    self.drawn = getattr(self, "drawn", 0) + 1
    return [("heads", "tails")[self.drawn % 2]]


@pytest.mark.parametrize(
    ("problem", "methods", "fault"),
    [
        (
            TicTacToe,
            {"rewards": lambda self, state: (10, 0)},
            "a player got 10, more than largest_reward = 1; set it to",
        ),
        (Ring, {"largest_reward": 0.7}, "a player got 1, more than largest_reward = 0.7"),
        (Coin, {"deal": lambda self, random: ["edge"]}, "deal gave 'edge' as move 1, which is not legal there"),
        (Coin, {"deal": lambda self, random: ["heads", "up"]}, "deal gave 'up' as move 2, which is not legal there"),
        (Coin, {"deal": draws_from_a_generator_of_its_own}, "deal is not deterministic: it gives other moves for one"),
        (
            Coin,
            {"determinize": lambda self, moves, random: ["edge"]},
            "determinize gave 'edge' as move 1, which is not",
        ),
        (Coin, {"determinize": lambda self, moves, random: ["heads"]}, "determinize led to another player or other le"),
        (Coin, {"determinize": lambda self, moves, random: None}, "deal or determinize raised TypeError"),
        (Coin, {"determinize": lambda self, moves, random: [*self.deal(random), *moves[1:]]}, ""),
        (Whist, {}, ""),
    ],
)
def test_faults_of_games_are_found(problem, methods, fault):
    """Each in words, by few games."""
    contract = nrpa.check_problem(type("Mine", (problem,), methods)(), seed=1, games=3)
    assert contract.kept == (not fault), contract.summary()
    assert fault in contract.summary()


def test_a_player_who_never_moves_is_a_doubt():
    """It is seldom meant, as a player who is always 0; a game in which all move has none."""
    contract = nrpa.check_problem(type("Mine", (TicTacToe,), {"player": lambda self, state: 0})(), seed=1, games=3)
    assert contract.doubts == ["player gives 0 alone in 3 games; of 2 players, 1 never moves"]
    assert nrpa.check_problem(TicTacToe(), seed=1, games=3).doubts == []
