"""The scripts of experiments/ that write a table and go on with it."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import nrpa
from nrpa.base.errors import InputError

EXPERIMENTS = Path(__file__).parent.parent / "experiments"


@pytest.fixture
def rows(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import rows

    return rows


def script(name, *arguments, cwd):
    path = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, str(EXPERIMENTS / name), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, env=environment)


def test_a_line_cut_short_is_dropped(rows, tmp_path):
    """And a table that is not there is made."""
    path = tmp_path / "table.csv"
    assert rows.read_rows(path, ("a", "b")) == []
    rows.append_row(path, {"a": 1, "b": 2})
    path.write_text(path.read_text() + "3")
    assert rows.read_rows(path, ("a", "b")) == [{"a": "1", "b": "2"}]
    rows.append_row(path, {"a": 5, "b": "x, y"})
    assert path.read_text() == 'a,b\n1,2\n5,"x, y"\n'


@pytest.mark.parametrize("text", ["a,c\n1,2\n", "a,b,c\n", "solution", "a,b\n1\n"])
def test_another_table_is_refused(rows, tmp_path, text):
    """And stays as it is."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=r"table\.csv"):
        rows.read_rows(path, ("a", "b"))
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("yardstick_speed.py", ("--program", "nosuch=x"), "--program: expected one of tsptw, morpion"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path, name, arguments, message):
    """Exit code 2, a line on standard error, and no table."""
    found = script(name, *arguments, cwd=tmp_path)
    assert (found.returncode, found.stdout) == (2, "")
    assert message in found.stderr
    assert found.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["morpion", "samegame"])
def test_games_that_tempering_found_are_legal(name):
    """Each has as many moves, or points, as its row says."""
    with (EXPERIMENTS / "results" / f"{name}-tempering.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        problem = nrpa.Morpion(row["variant"]) if name == "morpion" else nrpa.SameGame.load(row["board"])
        verdict = problem.check(json.loads(row["solution"]))
        assert verdict.valid, row
        assert verdict.score == int(row["moves" if name == "morpion" else "points"])
