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
NMCS = ("samegame", "samegame-01", "--variant", "N:solver=nmcs,level=1", "--csv", "s.csv")


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


def test_finished_searches_are_told_by_all_their_options(tmp_path):
    """The same command searches nothing; another variant of the same name, or a cut line, is searched."""
    first = script("searches.py", *NMCS, cwd=tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    table = (tmp_path / "s.csv").read_text()
    assert script("searches.py", *NMCS, cwd=tmp_path).returncode == 0
    assert (tmp_path / "s.csv").read_text() == table
    other = script("searches.py", *NMCS[:3], "N:solver=nmcs,level=1,pairs_from=5", *NMCS[4:], cwd=tmp_path)
    assert "samegame N (solver=nmcs level=1 pairs_from=5): 1 searches of 1 instances" in other.stdout
    (tmp_path / "s.csv").write_text(table[:-3])
    assert script("searches.py", *NMCS, cwd=tmp_path).returncode == 0
    (row,) = csv.DictReader((tmp_path / "s.csv").read_text().splitlines())
    assert [row[key] for key in ("problem", "variant", "options")] == ["samegame", "N", "solver=nmcs level=1"]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("searches.py", ("nosuch", "--variant", "N", "--csv", "x"), "unknown problem 'nosuch'"),
        ("searches.py", ("samegame", "--variant", "N:foo=1", "--csv", "x"), "variant N: unknown option 'foo'"),
        ("searches.py", ("samegame", "none", "--variant", "N", "--csv", "x"), "none: no such file"),
        ("searches.py", ("samegame", "--variant", "N:foo", "--csv", "x"), "variant N: expected key=value"),
        ("searches.py", (*NMCS[:-1], "no/x"), "no/x: cannot be written"),
        ("kill_and_resume.py", ("--csv", "x", "--only", "nosuch"), "--only: expected some of tsptw, samegame"),
        ("binpacking_table.py", ("nosuch", "--csv", "x"), "no bundled class or instance is called nosuch"),
        ("published_tables.py", ("nosuch", "--csv", "x"), "unknown problem nosuch; expected some of coloring, snake"),
        ("published_tables.py", ("--seed", "x", "--csv", "x"), "--seed must be a whole number"),
        ("mcps_tables.py", ("--cells", "nosuch"), "--cells: none is called nosuch; --list prints the names"),
        ("yardstick_speed.py", ("--program", "nosuch=x"), "--program: expected one of tsptw, morpion"),
        ("round_robin.py", ("--only", "nosuch"), "--only: expected some of hex, nogo, atarigo, not nosuch"),
        (
            "round_robin.py",
            ("--pair", "uct-rave"),
            "--pair: expected some of mcps-grave, mcps-rave, mcps-uct, grave-rave, grave-uct, rave-uct, not uct-rave",
        ),
        ("mcps_questions.py", ("--only", "nosuch"), "--only: expected some of own-size, equal-weights"),
        ("mcps_questions.py", ("--workers", "2"), "--workers: the changed searches run in this process only"),
        ("mcps_beyond.py", ("ppa", "--only", "nosuch"), "--only: expected some of atarigo-6x6, hex-7x7"),
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


def test_no_target_at_all(tmp_path):
    """The counts of an empty table have no share."""
    pytest.importorskip("RNA")
    found = script("eterna.py", "--most", 0, "--out", "e.csv", cwd=tmp_path)
    assert (found.returncode, found.stdout, found.stderr) == (0, "0 of 0 solved in 0 s\n", "")


def test_targets_that_were_missed_are_searched_for_longer(tmp_path):
    """Those alone, the shortest first, into a table of their own."""
    pytest.importorskip("RNA")
    header = "target,length,status,seconds,playouts,folds,vienna,fitness,distance,sequence"
    rows = [f"eterna-v1-{k},0,{status},1,1,1,0,0,9,A" for k, status in ((1, "time"), (23, "target"), (8, "time"))]
    (tmp_path / "short.csv").write_text("\n".join([header, *rows, ""]))
    found = script("eterna.py", "--missed", "short.csv", "--out", "e.csv", "--clock", "processor", cwd=tmp_path)
    assert found.stdout.splitlines()[-1].startswith("2 of 2 solved in ")
    found = list(csv.DictReader((tmp_path / "e.csv").read_text().splitlines()))
    assert [(row["target"], row["length"], row["status"]) for row in found] == [
        ("eterna-v1-8", "12", "target"),
        ("eterna-v1-1", "16", "target"),
    ]


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


def test_the_open_questions_change_one_call_of_the_search(tmp_path):
    """The copy of the tree search is written, with the other selection; printing plays none."""
    found = script("mcps_questions.py", "--only-print", "--dir", "q", cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    assert "from mcps_choices import select" in (tmp_path / "q" / "mcps_copy.py").read_text()


def test_the_means_of_equal_playouts(tmp_path):
    """With 2σ/√n over the seeds; rows of another number of playouts are left out."""
    columns = "problem,solver,policy,playouts,seed,score,seconds\n"
    rows = "morpion-5D,mcps,uniform,{},{},{},1\n"
    (tmp_path / "o.csv").write_text(columns + rows.format(50, 1, 61) + rows.format(50, 2, 63) + rows.format(60, 3, 90))
    arguments = ("one-player", "--only-print", "--playouts", 50, "--only", "morpion-5D", "--csv", "o.csv")
    found = script("mcps_beyond.py", *arguments, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.splitlines()[-1] == "| mcps | uniform | 62.0 ± 2.0 (2) |"


def test_what_is_recorded_is_simulated(tmp_path):
    """One worker keeps all its work; more are sooner and keep less; the same command does nothing more."""
    command = (
        "speculate_share.py",
        "simulate",
        "--sample",
        "--folder",
        "tasks",
        "--csv",
        "s.csv",
        "--picture",
        "s.png",
    )
    assert script("speculate_share.py", "record", "--folder", "tasks", "--sample", cwd=tmp_path).returncode == 0
    found = script(*command, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert [row["workers"] for row in rows] == ["1", "2", "4", "16"]
    speedups, kept = ([float(row[key]) for row in rows] for key in ("speedup", "kept"))
    assert speedups[0] == kept[0] == 1.0
    assert speedups == sorted(speedups)
    assert all(1.0 < speedup < int(row["workers"]) for speedup, row in zip(speedups[1:], rows[1:], strict=True))
    assert kept == sorted(kept, reverse=True)
    assert script(*command, cwd=tmp_path).stdout == ""
    assert (tmp_path / "s.png").stat().st_size > 10_000


def test_the_ways_of_workers_are_compared(tmp_path):
    """A row a run, and the differences; the same command adds none. A search with a share of the playouts is apart."""
    command = ("parallel_ways.py", "--csv", "w.csv", "--sample", "--share", "rc=0.5")
    found = script(*command, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    table = (tmp_path / "w.csv").read_text()
    rows = list(csv.DictReader(table.splitlines()))
    assert [(row["way"], row["playouts"]) for row in rows[3:5]] == [("speculate", "1000"), ("alone", "2000")]
    assert len(rows) == 8
    assert found.stdout.count("all          better") == 4
    for share in ("rc=2", "samegame=0.8"):
        refused = script("parallel_ways.py", "--csv", "w.csv", "--sample", "--share", share, cwd=tmp_path)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr.startswith("error: --share: ")
    assert script(*command, cwd=tmp_path).stdout == found.stdout[found.stdout.index("     ") :]
    assert (tmp_path / "w.csv").read_text() == table


def test_playouts_to_the_best_known_value(tmp_path):
    """A row for each seed, with exchanges and without; the same command adds none. A table has the values of files."""
    given = ("--csv", "b.csv", "--playouts", 200, "--seeds", 2)
    first = script("tsptw_best_known.py", *given, "rc205.1", cwd=tmp_path)
    assert first.stdout.splitlines()[-1] == "2 of 2 at the best known value", first.stderr
    plain = script("tsptw_best_known.py", *given, "--no-improve", "rc205.1", cwd=tmp_path)
    assert len(plain.stdout.splitlines()) == 3
    kept = (tmp_path / "b.csv").read_text()
    script("tsptw_best_known.py", *given, "rc205.1", cwd=tmp_path)
    assert (tmp_path / "b.csv").read_text() == kept
    (tmp_path / "values.csv").write_text("instance,travel_cost\nsmall.txt,20\n")
    (tmp_path / "small.txt").write_text("2\n0 10\n10 0\n0 99\n0 99\n")
    files = script("tsptw_best_known.py", "--csv", "f.csv", "--values", "values.csv", "small.txt", cwd=tmp_path)
    assert files.stdout.splitlines()[-1] == "1 of 1 at the best known value", files.stderr


def test_turns_put_together_from_curves(monkeypatch):
    """Two arms by hand: the second is better after the first round, so that what the first one would find is lost."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import arms

    curves = [[(1, 5.0), (9, 7.0), (30, 90.0)], [(2, 6.0), (10, 8.0), (11, 9.0), (40, 50.0)]]
    assert [arms.by_turns(curves, 10, n) for n in (1, 10, 12, 21, 48, 49, 60)] == [5, 7, 7, 9, 9, 9, 50]
    assert arms.by_turns(curves[:1], 10, 30) == 90


def test_the_sums_of_the_arms():
    """Those that the documentation has, from the curves on disk."""
    curves = str(EXPERIMENTS / "samegame-arms-curves.csv")
    table = script("arms.py", "--csv", curves, "--boards", "all", "--only-print", cwd=EXPERIMENTS).stdout
    assert [line.split()[-1] for line in table.splitlines()[1:]][::4] == ["71,266", "73,660"]


def test_levers_left_as_they_are_change_nothing(monkeypatch):
    """The copy of the search finds what the package's own does, and two of its levers find something else."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    from levers_search import Choice, LeversSearch

    problem, solver = nrpa.Morpion.load("4D"), nrpa.GNRPA(level=2, iterations=10, repetitions=3)
    package = nrpa.start(problem, solver, seed=1)
    package.advance(playouts=500)
    curves = []
    for choice in (Choice(), Choice(playouts=3, keep=3), Choice(seen="explore", share=0.3)):
        search = LeversSearch(problem, solver, choice, 1)
        curves.append([(found.playouts, found.score) for found in search.advance(500)])
    points = [(point.playouts, point.score) for point in package.recorder.improvements]
    assert curves[0] == points
    assert points not in curves[1:]


@pytest.mark.parametrize("name", ["morpion", "samegame"])
def test_games_that_tempering_found_are_legal(name):
    """Each has as many moves, or points, as its row says."""
    with (EXPERIMENTS / f"{name}-tempering.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        problem = nrpa.Morpion(row["variant"]) if name == "morpion" else nrpa.SameGame.load(row["board"])
        verdict = problem.check(json.loads(row["solution"]))
        assert verdict.valid, row
        assert verdict.score == int(row["moves" if name == "morpion" else "points"])
