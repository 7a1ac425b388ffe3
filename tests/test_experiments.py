"""The scripts of experiments/ that write a table and go on with it."""

import csv
import json
import os
import re
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
    """By reading; and removed, header included, by the next row that is added."""
    path = tmp_path / "table.csv"
    for rest in ("a,", "a,b\n1,2\n3"):
        path.write_text(rest)
        assert rows.read_rows(path, ("a", "b")) == [{"a": "1", "b": "2"}] * (len(rest) > 2)
    rows.append_row(path, {"a": 5, "b": "x, y"})
    assert path.read_text() == 'a,b\n1,2\n5,"x, y"\n'
    path.write_text("a,")
    rows.append_row(path, {"a": 5, "b": 6})
    assert path.read_text() == "a,b\n5,6\n"


@pytest.mark.parametrize("text", ["a,c\n1,2\n", "a,b,c\n", "solution", "a,b\n1\n"])
def test_another_table_is_refused(rows, tmp_path, text):
    """And stays as it is."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=r"table\.csv"):
        rows.read_rows(path, ("a", "b"))
    if text != "a,b\n1\n":
        with pytest.raises(InputError, match="has the columns"):
            rows.append_row(path, {"a": 1, "b": 2})
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("kill_and_resume.py", ("--csv", "x", "--only", "nosuch"), "--only: expected some of tsptw, samegame"),
        ("mcps_tables.py", ("--cells", "nosuch"), "--cells: none is called nosuch; --list prints the names"),
        ("yardstick_speed.py", ("--program", "nosuch=x"), "--program: expected one of tsptw, morpion"),
        ("round_robin.py", ("--only", "nosuch"), "--only: expected some of hex, nogo, atarigo, not nosuch"),
        (
            "round_robin.py",
            ("--pair", "uct-rave"),
            "--pair: expected some of mcps-grave, mcps-rave, mcps-uct, grave-rave, grave-uct, rave-uct, not uct-rave",
        ),
    ],
)
def test_bad_input_is_one_sentence(tmp_path, name, arguments, message):
    """Exit code 2, a line on standard error, and no table."""
    found = script(name, *arguments, cwd=tmp_path)
    assert (found.returncode, found.stdout) == (2, "")
    assert message in found.stderr
    assert found.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_killed_searches_go_on_and_end_as_if_they_had_not_been(tmp_path):
    """A kill of each solver on both kinds of problems; the same command does nothing more, and adds what is missing."""
    chosen = (
        "--only",
        "tsptw",
        "--only",
        "snake.py:Snake",
        "--solver",
        "gnrpa",
        "--solver",
        "nrpa",
        "--solver",
        "nmcs",
    )
    command = ("kill_and_resume.py", "--seconds", 0.4, "--csv", "k.csv", *chosen)
    found = script(*command, "--kills", 6, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.endswith("6 kills, 6 equal to the search that was not stopped\n")
    table = (tmp_path / "k.csv").read_text()
    assert {line.split(",")[3] for line in table.splitlines()[1:]} == {"gnrpa", "nrpa", "nmcs"}
    assert script(*command, "--kills", 6, cwd=tmp_path).stdout.startswith("6 kills")
    assert (tmp_path / "k.csv").read_text() == table


def test_readers_refuse_in_one_sentence_or_read(tmp_path):
    """A short part of the fuzzing, of readers of every kind; the same seed gives the same table."""
    for only in ("tsptw", "records", "results", "experiments", "checkpoints"):
        found = script("fuzz_readers.py", "--inputs", 200, "--only", only, cwd=tmp_path)
        assert (found.returncode, found.stderr) == (0, ""), found.stdout
        assert " 0 of " in found.stdout.splitlines()[-1]


def test_commands_refuse_changed_files_in_one_sentence(tmp_path):
    """A short part of the fuzzing of records, descriptions, results, experiments, matches and trials."""
    found = script("attacks/fuzz_records.py", "--count", 60, "--seed", 1, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, ""), found.stdout
    assert re.fullmatch(r"60 files: \d+ read, \d+ refused in a sentence, 0 faults\n", found.stdout)


def test_the_memory_of_a_search_is_measured(tmp_path):
    """A row a moment, and a sentence a problem; a table that is there is left alone."""
    command = ("flat_memory.py", "--minutes", 0.02, "--only", "tsptw", "--csv", "m.csv")
    found = script(*command, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.splitlines()[-1].startswith("tsptw: ")
    rows = list(csv.DictReader((tmp_path / "m.csv").read_text().splitlines()))
    assert len(rows) > 5
    assert [int(row["playouts"]) for row in rows] == sorted(int(row["playouts"]) for row in rows)
    assert all(float(row["megabytes"]) > 10 for row in rows)
    assert script(*command, cwd=tmp_path).returncode == 2


def test_the_cells_of_the_permutation_papers_tables(tmp_path):
    """They are 78, told apart by their names; those that have no games on disk have no row."""
    listed = script("mcps_tables.py", "--list", cwd=tmp_path).stdout.split()
    assert len(listed) == len(set(listed)) == 78
    assert {name[0] for name in listed} == set("123456")
    found = script("mcps_tables.py", "--only-print", cwd=tmp_path)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_a_match_of_a_table_goes_on_and_stands_beside_what_was_published(monkeypatch, tmp_path):
    """More games go on with those on disk; printing plays none."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import matches

    meeting = matches.Meeting(
        "small", nrpa.Hex(size=3, first="none"), (nrpa.MCPS(ref=5), nrpa.GRAVE(ref=5)), 10, matches.Published(99.0, 0.5)
    )
    parser = matches.parser("", games=4, folder=str(tmp_path))
    assert matches.rows_of([meeting], parser.parse_args(["--only-print"])) == []
    matches.rows_of([meeting], parser.parse_args(["--games", "2"]))
    kept = (tmp_path / "small.csv").read_text()
    (row,) = matches.rows_of([meeting], parser.parse_args([]))
    assert row[:2] == ["small", "4"]
    assert row[3:5] == ["99 ± 0.5", "yes" if row[2].startswith("100.00") else "no"]
    assert (tmp_path / "small.csv").read_text().startswith(kept)
    assert matches.rows_of([meeting], parser.parse_args(["--only-print"])) == [row]


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
