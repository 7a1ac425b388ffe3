"""How often codes appear in random games, against all games of a small problem."""

import json
import random

import pytest
from tictactoe import TicTacToe
from user_problems import Bits

import nrpa
from nrpa.bench import code_shares


def all_games(rules_of, code, moves=(), weight=1.0):
    """Yield the probability and the codes of every uniformly random game, played again from its beginning each time."""
    rules = rules_of()
    codes = []
    for move in moves:
        codes.append(code(rules, move))
        rules.play(move)
    legal = rules.legal()
    if not legal:
        yield weight, codes
    for move in legal:
        yield from all_games(rules_of, code, (*moves, move), weight / len(legal))


def test_figures_are_those_of_all_games():
    """On a small board the mean length, and the share of each code, are near those counted over every game."""
    problem = nrpa.Hex(size=2, first="none")
    games = list(all_games(problem.rules, lambda rules, move: (rules.player, move)))
    found = code_shares(problem, games=40_000, seed=2)
    assert found.moves == 4
    assert found.length == pytest.approx(sum(p * len(codes) for p, codes in games), abs=2 * found.length_interval)
    for move in range(4):
        share = sum(p for p, codes in games if (0, move) in codes)
        assert found.by_move[problem.move_name(move)] == pytest.approx(share, abs=0.01)
    assert found.share == pytest.approx(sum(found.by_move.values()) / 4)


def test_codes_that_several_moves_share_are_counted_for_each():
    """Whatever the wealth, the code without it is the same; alone in a team everything goes to one member."""
    found = code_shares(nrpa.Investment(members=1, codes="receiver"), games=10)
    assert (found.length, found.length_interval, found.share, found.by_move) == (5.0, 0.0, 1.0, {"X1": 1.0})


@pytest.mark.parametrize("problem", [nrpa.Wargame(units=3), TicTacToe(), Bits()], ids=lambda given: given.name)
def test_plain_python_and_machine_code_agree(problem):
    """The same games for the same seed, of games and of a problem of one player."""
    with nrpa.debug():
        slow = code_shares(problem, games=100, seed=3)
    assert code_shares(problem, games=100, seed=3) == slow
    assert code_shares(problem, games=100, seed=4) != slow


def test_long_lists_of_moves_get_room():
    """A problem in plain Python says nowhere how many moves a state can have."""

    class Wide(Bits):
        steps = 2

        def legal_moves(self, state):
            return range(100 if len(state) == 1 else 2) if len(state) < 2 else ()

    found = code_shares(Wide(), games=50)
    assert (found.moves, found.length) == (2, 2.0)


def test_games_that_do_not_end_are_an_error():
    """It names the limit."""

    class Endless(Bits):
        steps = 10**9
        max_steps = 20

    with pytest.raises(nrpa.ProblemError, match="a playout made more moves than max_steps = 20"):
        code_shares(Endless(), games=2)


@pytest.mark.parametrize(("games", "seed", "fault"), [(1, 0, "games must be"), (10, -1, "seed must be")])
def test_numbers_out_of_range_are_refused(games, seed, fault):
    """One sentence names the argument."""
    with pytest.raises(nrpa.InputError, match=fault):
        code_shares(TicTacToe(), games=games, seed=seed)


def test_the_record_can_be_written():
    """As JSON, with the share of each move by its name."""
    found = code_shares(nrpa.Wargame(units=3), games=20, seed=random.Random(1).randrange(9))
    record = json.loads(json.dumps(found.to_dict()))
    assert list(record["by_move"]) == ["O1", "O2", "O3"]
    assert record["options"] == nrpa.Wargame(units=3).options


@pytest.mark.parametrize(
    ("problem", "length", "share"),
    [
        (nrpa.Atarigo(), 24.165, 0.343),
        (nrpa.Breakthrough(), 64.100, 0.423),
        (nrpa.Gomoku(), 53.426, 0.333),
        (nrpa.Hex(), 41.300, 0.435),
        (nrpa.Knightthrough(), 33.624, 0.210),
        (nrpa.Nogo(), 22.023, 0.450),
        (nrpa.Nogo(players=3), 20.844, 0.292),
        (nrpa.Wargame(), 54.448, 0.116),
        (nrpa.Wargame(codes="abstract"), 54.448, 0.297),
        (nrpa.Wargame(players=3), 84.520, 0.058),
        (nrpa.Investment(), 46.212, 0.372),
        (nrpa.Investment(codes="receiver"), 46.212, 0.901),
        (nrpa.Investment(members=10, players=3), 52.254, 0.295),
        (nrpa.VideoGame(), 55.353, 0.060),
        (nrpa.VideoGame(codes="abstract"), 55.353, 0.256),
        (nrpa.VideoGame(codes="specific"), 55.353, 0.131),
    ],
    ids=lambda given: f"{given.name}-{given.label}-{given.coding}" if isinstance(given, nrpa.BaseProblem) else "",
)
def test_random_games_are_those_of_the_paper(problem, length, share):
    """Their length and the shares of codes are as in Table 7 of the permutation paper, within four standard errors."""
    found = code_shares(problem, games=5000, seed=1)
    assert found.length == pytest.approx(length, abs=2.5 * found.length_interval)
    assert found.share == pytest.approx(share, abs=2.5 * found.share_interval + 0.0005)
