"""The command ``nrpa ask``: games and values, a step a call."""

import json

import pytest

import nrpa

TWO = (
    "ask",
    "tsptw",
    "rc201.1",
    "--solver",
    "nrpa",
    "--level",
    "2",
    "--seed",
    "3",
    "--saved",
    "run",
    "--json",
    "games",
)


def test_steps_give_the_games_of_one_run(nrpa_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run, value = nrpa.ask_tell(nrpa.TSPTW.load("rc201.1"), nrpa.NRPA(level=2), seed=3), 900.0
    told = []
    for _ in range(3):
        (tmp_path / "told").write_text(json.dumps({f"{number}": value for number in told}))
        run.tell(dict.fromkeys(told, value))
        code, _, _ = nrpa_command(*TWO, "--games", "2", "--tell", "told")
        found, expected = json.loads((tmp_path / "games").read_text()), run.ask(2)
        assert (code, [game["moves"] for game in found["games"]]) == (0, [game.moves for game in expected])
        told, value = [game.number for game in expected], value - 1.0
    assert (found["told"], found["value"], found["best"]["number"], found["open"]) == (4, 898.0, 3, [5, 6])


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("[1]", "told: expected an object of values by the numbers of games"),
        ('{"9": 1}', "game 9 is not open"),
        ('{"1": 1, "01": 2}', "game '01' is not open"),
        ('{"1": true}', "the value of game 1 is True; expected a finite number, or None"),
    ],
)
def test_values_that_cannot_be_taken_are_refused(told, why, nrpa_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "told").write_text(told)
    nrpa_command(*TWO)
    before = (tmp_path / "run").read_bytes()
    code, _, err = nrpa_command(*TWO, "--tell", "told")
    assert (code, why in err, err.count("\n")) == (2, True, 1)
    assert (tmp_path / "run").read_bytes() == before
