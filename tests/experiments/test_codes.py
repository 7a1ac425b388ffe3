"""How often codes appear in random games, experiments/codes.py, against all games of a small problem."""

import subprocess
import sys
from pathlib import Path

import pytest
from user_problems import Bits

import nrpa

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


@pytest.fixture
def code_shares(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import codes

    return codes.code_shares


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


def test_figures_are_those_of_all_games(code_shares):
    """On a small board the mean length, and the mean share of the codes, are near those counted over every game."""
    problem = nrpa.Hex(size=2, first="none")
    games = list(all_games(problem.rules, lambda rules, move: (rules.player, move)))
    moves, length, share = code_shares(problem, games=5_000, seed=2)
    assert moves == 4
    assert length.mean == pytest.approx(sum(p * len(codes) for p, codes in games), abs=2 * length.half_width)
    expected = sum(p * sum((0, move) in codes for move in range(4)) / 4 for p, codes in games)
    assert share.mean == pytest.approx(expected, abs=2 * share.half_width + 1e-9)


def test_codes_that_several_moves_share_are_counted_for_each(code_shares):
    """Whatever the wealth, the code without it is the same; alone in a team everything goes to one member."""
    assert code_shares(nrpa.Investment(members=1, codes="receiver"), games=10, seed=0) == (1, (5, 0, 10), (1, 0, 10))


def test_the_seed_says_which_games_are_played(code_shares):
    """The same ones for the same seed, others for another."""
    problem = nrpa.Hex(size=3)
    assert code_shares(problem, games=20, seed=1) == code_shares(problem, games=20, seed=1)
    assert code_shares(problem, games=20, seed=1) != code_shares(problem, games=20, seed=2)


def test_a_problem_of_one_player_has_random_games_too(code_shares):
    """Of ten bits, of which the first is 0 or 1."""
    assert code_shares(Bits(), games=20, seed=1) == (2, (10, 0, 20), (0.5, 0, 20))


@pytest.mark.parametrize(
    ("problem", "length", "share"),
    [
        (nrpa.Hex(), 41.300, 0.435),
        (nrpa.Nogo(players=3), 20.844, 0.292),
        (nrpa.Wargame(codes="abstract"), 54.448, 0.297),
        (nrpa.Investment(codes="receiver"), 46.212, 0.901),
        (nrpa.VideoGame(codes="specific"), 55.353, 0.131),
    ],
    ids=lambda given: given.name if isinstance(given, nrpa.BaseProblem) else "",
)
def test_random_games_are_those_of_the_paper(code_shares, problem, length, share):
    """Their length and the shares of codes are as in Table 7 of the permutation paper, within four standard errors."""
    _, ours, of_codes = code_shares(problem, games=1000, seed=1)
    assert ours.mean == pytest.approx(length, abs=2 * ours.half_width)
    assert of_codes.mean == pytest.approx(share, abs=2 * of_codes.half_width + 0.0005)


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["wargame", "--units=3", "--games=20"], 0, "moves   3 in the first position"),
        (["wargame", "--units=0"], 2, "error: units must be a whole number of at least 1, not 0"),
        (["wargame", "--games=1"], 2, "error: games must be a whole number of at least 2, not 1"),
    ],
)
def test_the_script_prints_figures_or_a_sentence(arguments, code, text):
    """With the options of `nrpa` commands."""
    command = [sys.executable, str(EXPERIMENTS / "codes.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, (done.stdout + done.stderr).splitlines()[0]) == (code, text)
