"""The command ``nrpa explain``."""

import json

import pytest
from click.testing import CliRunner

from nrpa.cli import main

CLASH = "4\n0 4 4 1\n4 0 6 5\n4 6 0 5\n1 5 5 0\n0 50\n0 8\n0 8\n0 50\n"


def explained(*arguments):
    return CliRunner().invoke(main.commands, ["explain", *map(str, arguments)])


@pytest.fixture
def clash(tmp_path):
    (tmp_path / "clash.txt").write_text(CLASH)
    return tmp_path / "clash.txt"


def test_it_says_what_clashes_draws_it_and_writes_it(clash, tmp_path):
    found = explained("tsptw", clash, "--solver", "random", "--json", tmp_path / "e.json", "--plot", tmp_path / "e.svg")
    assert found.exit_code == 0, found.output
    assert found.stdout.splitlines()[:2] == [
        "2 clash: city 1; city 2.",
        "Proven: no solution keeps them; all games (1 state) were looked at.",
    ]
    assert json.loads((tmp_path / "e.json").read_text())["clash"] == ["city 1", "city 2"]
    assert b"<svg" in (tmp_path / "e.svg").read_bytes()


def test_no_picture_is_written_where_nothing_clashes(clash, tmp_path):
    clash.write_text(CLASH.replace("0 8\n0 8", "0 50\n0 50"))
    found = explained("tsptw", clash, "--solver", "random", "--plot", tmp_path / "e.svg")
    assert (found.exit_code, "was not written" in found.stderr) == (0, True)
    assert found.stdout.startswith("Nothing clashes.")
    assert not (tmp_path / "e.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["jobshop", "ft06", "--plot", "e.svg"], "No such option '--plot'"),
        (["snake", "4"], "nothing of snake can clash: it has no parts that it could do without"),
        (["tsptw", "rc201.1", "--playouts", "0"], "playouts must be a whole number of at least 1, not 0"),
    ],
)
def test_what_cannot_be_explained_is_refused(arguments, why, nrpa_command):
    code, _, err = nrpa_command("explain", *arguments)
    assert (code, why in err) == (2, True)
    assert err.count("\n") == 1
