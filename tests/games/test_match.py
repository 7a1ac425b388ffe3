"""Matches: seats, seeds, points, and going on where one has stopped."""

import dataclasses
import json

import pytest
from coin import Coin
from games_of_users import Even, ThreeNim
from killed import continued, stopped

import nrpa
from nrpa.bench.statistics import share
from nrpa.games.match import Effort, GameRecord, read_games
from nrpa.io.files import locked

HEX = nrpa.Hex(size=3, first="none")
PLAYERS = (nrpa.MCPS(ref=5), nrpa.GRAVE(ref=5))


def played(games):
    """Return games without the time that they took."""
    return [
        dataclasses.replace(game, efforts=tuple(each._replace(seconds=0.0) for each in game.efforts)) for game in games
    ]


def play(games=6, **changes):
    settings = {"playouts": 12, "games": games, **changes}
    return nrpa.match(settings.pop("problem", HEX), *settings.pop("players", PLAYERS), **settings)


def test_the_same_seed_plays_the_same_games():
    """Whatever the workers and what was played before; another seed plays others; game k has seed + k."""
    whole = played(play().games)
    assert played(play(workers=2).games) == whole
    assert [game.seed for game in whole] == list(range(6))
    later = played(play(4, seed=2).games)
    assert [game.moves for game in later] == [game.moves for game in whole[2:]]
    assert len({game.moves for game in whole}) > 1


def test_kept_trees_are_those_of_one_game():
    """A game is the same whatever was played before it, whatever the workers; and it is another than without them."""
    players = nrpa.UCT(keep=True), nrpa.UCT(trees=2)
    whole = played(play(players=players).games)
    assert played(play(players=players, workers=2).games) == whole
    assert [game.moves for game in play(4, players=players, seed=2).games] == [game.moves for game in whole[2:]]
    assert [game.moves for game in play(players=(nrpa.UCT(), players[1])).games] != [game.moves for game in whole]


def test_a_game_begins_with_its_deal():
    """The coin is tossed anew in each game, and again the same by the same seed."""
    problem, players = Coin(), (nrpa.UCT(trees=4), nrpa.UCT(trees=4))
    dealt = [game.moves[0] for game in play(problem=problem, players=players, games=8).games]
    assert set(dealt) == {"heads", "tails"}
    assert dealt[2:] == [game.moves[0] for game in play(problem=problem, players=players, games=6, seed=2).games]


def test_colours_alternate():
    """Each player begins every second game, its rewards and moves are those of its seat, and the game is legal."""
    for game in play().games:
        assert game.seats == ((0, 1) if game.game % 2 == 0 else (1, 0))
        rewards = HEX.check(list(game.moves)).rewards
        assert game.rewards == tuple(rewards[game.seats.index(who)] for who in (0, 1))
        begun = game.efforts[game.seats[0]].moves
        assert (begun, sum(each.moves for each in game.efforts)) == (-(-len(game.moves) // 2), len(game.moves))
        assert all(each.walks <= 12 * each.moves for each in game.efforts)


def test_half_a_match_goes_on_to_the_whole(tmp_path):
    """A line cut short by a crash is played again; what is there is not; all is as if it had not been stopped."""
    out, seen = tmp_path / "m.csv", []
    whole = played(play().games)
    play(3, out=out)
    kept = out.read_text()
    out.write_text(kept[:-5])
    result = play(out=out, on_game=lambda standing: seen.append((standing.done, standing.total)))
    assert seen == [(2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]
    assert played(result.games) == whole
    assert played(read_games(out)) == whole
    assert tuple(read_games(out)) == result.games
    assert out.read_text().startswith("".join(kept.splitlines(keepends=True)[:3]))
    assert len(play(2, out=out).games) == 2
    assert len(read_games(out)) == 6
    assert set(json.loads(out.with_suffix(".json").read_text())) == {"match", "versions", "machine"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"playouts": 13}, "was made with playouts 12, not 13"),
        ({"seed": 1}, "was made with seed 0, not 1"),
        ({"players": PLAYERS[::-1]}, 'was made with first {"solver": "mcps"'),
        ({"problem": nrpa.Hex(size=4)}, "was made with instance 3x3, not 4x4"),
    ],
)
def test_another_match_is_not_mixed_in(tmp_path, change, message):
    """The records are left as they are."""
    out = tmp_path / "m.csv"
    play(1, out=out)
    before = out.read_bytes()
    with pytest.raises(nrpa.InputError, match=message):
        play(**{"games": 2, **change}, out=out)
    assert out.read_bytes() == before


def test_other_files_and_a_file_in_use_are_left_alone(tmp_path):
    """What no match wrote is not written over, and two processes do not write one file."""
    out = tmp_path / "m.csv"
    out.write_text("my,own\n")
    with pytest.raises(nrpa.InputError, match=r"m\.csv: exists, but not .*m\.json"):
        play(1, out=out)
    assert out.read_text() == "my,own\n"
    out.unlink()
    with locked(out), pytest.raises(nrpa.InputError, match="another process is writing it"):
        play(1, out=out)


def test_draws_count_half():
    """Both get half of each point; the interval is that of as many halves."""
    result = play(4, problem=Even(), players=(nrpa.UCT(), nrpa.UCT()))
    for score in result.scores:
        assert (score.share, score.won, score.shared) == (share(2, 4), 0, 4)
    assert "50.00 %" in result.table()


def test_three_players_share():
    """Seats go round, each game's point goes to one of three, and the shares sum to one."""
    result = play(6, problem=ThreeNim(), players=(nrpa.UCT(), nrpa.MCPS(), nrpa.MCPS()))
    assert [game.seats for game in result.games[:4]] == [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)]
    assert sum(score.share.share for score in result.scores) == pytest.approx(1)
    for game in result.games:
        verdict = ThreeNim().check([int(move) for move in game.moves])
        assert game.rewards == tuple(verdict.rewards[game.seats.index(who)] for who in range(3))


def test_those_with_the_highest_reward_share_the_point():
    """Of any rewards, negative ones too."""

    def points(*rewards):
        return GameRecord(0, 0, (0, 1, 2), rewards, (Effort(0, 0, 0.0),) * 3, ()).points

    assert points(-1.0, -3.0, -2.0) == (1.0, 0.0, 0.0)
    assert points(5.0, 5.0, 2.0) == (0.5, 0.5, 0.0)
    assert points(0.0, 0.0, 0.0) == (1 / 3,) * 3


def test_players_may_tell_moves_apart_in_their_own_ways():
    """The moves of one problem object are understood by the others, also in plain Python."""
    abstract = nrpa.Hex(size=3, first="none", codes="abstract")
    seen = play(2, players=((nrpa.MCPS(ref=5), abstract), nrpa.GRAVE(ref=5)))
    assert played(seen.games) == played(play(2).games)
    own = play(2, problem=ThreeNim(), players=((nrpa.UCT(), ThreeNim()), nrpa.UCT(), (nrpa.UCT(), ThreeNim())))
    same = play(2, problem=ThreeNim(), players=(nrpa.UCT(),) * 3)
    assert [game.moves for game in own.games] == [game.moves for game in same.games]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"problem": nrpa.Morpion()}, "morpion is a problem of one player; expected a game"),
        ({"players": PLAYERS[:1]}, "hex has 2 players here; expected a second one as well"),
        ({"players": PLAYERS * 2}, "hex has 2 players here, not 4; leave the others out"),
        ({"players": (nrpa.MCPS(), nrpa.NMCS())}, "player 2: nmcs does not choose moves of games"),
        ({"players": (nrpa.MCPS(), (nrpa.MCPS(), nrpa.Hex(size=4)))}, "makes other rules for one player"),
        ({"games": 0}, "games must be a whole number of at least 1"),
        ({"games": 10**12}, "games must be at most"),
        ({"workers": 0}, "workers must be a whole number of at least 1"),
        ({"workers": 10**6}, "workers must be at most"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"time": 1.0}, "cannot both be the budget of a move"),
    ],
)
def test_bad_input_is_one_sentence(change, message):
    """It names what was expected."""
    with pytest.raises(nrpa.InputError, match=message) as fault:
        play(**change)
    assert "\n" not in str(fault.value)


def test_sigkill_loses_no_finished_game(tmp_path):
    """Killed in the middle, the match goes on where it was, with two processes."""
    out = tmp_path / "m.csv"
    players = ["--size", 3, "--game-first", "none", "--first", "mcps:ref=5", "--second", "grave:ref=5"]
    words = ["match", "hex", *players, "--playouts", 12, "--workers", 2, "--out", out, "-q", "--games"]
    stopped([*words, 100_000], lambda: out.exists() and out.read_bytes().count(b"\n") >= 8)
    kept = played(read_games(out))
    assert len(kept) >= 7
    games = len(kept) + 3
    continued(*words, games)
    assert played(read_games(out))[:games] == played(play(games).games)
