import dataclasses
import json
from dataclasses import dataclass, field

import pytest

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench import Experiment, Variant, run_experiment
from nrpa.bench.records import (
    BestFile,
    End,
    Record,
    header,
    join,
    playouts_path,
    read_best,
    read_ends,
    read_records,
    record_lines,
    records_of,
    runs_path,
    target_on,
)
from nrpa.bench.table import ends_text
from nrpa.search.curve import Point

ROWS = [Record("A", "i", 1, 0.01, 5, -3.5), Record("A", "i", 1, 0.02, 9, -1.0)]


@dataclass
class Ended:
    """What records_of needs of a result."""

    seconds: float
    playouts: int
    score: float
    curve: list[Point] = field(default_factory=list)


def write(path, rows=ROWS):
    path.write_text(header("seconds") + record_lines(rows, "seconds"))
    return path


def test_what_is_written_is_read(tmp_path):
    """Appended rows come back equal."""
    assert read_records(write(tmp_path / "a.csv")) == ("seconds", ROWS, False, None, "wall", "")


def test_a_last_line_cut_short_is_left_out(tmp_path):
    """Wherever a crash cuts the file, the full lines are used."""
    path = write(tmp_path / "a.csv")
    whole = path.read_bytes()
    start = len(header("seconds"))
    for size in range(start, len(whole)):
        path.write_bytes(whole[:size])
        found = read_records(path)
        assert found.rows == ROWS[: whole[:size].count(b"\n") - 1]
        assert found.cut == (whole[size - 1 : size] != b"\n")


@pytest.mark.parametrize("name", ["a,b", '"', 'say "hi", twice', " blanks ", "\u2028", "'"])
def test_names_with_commas_and_quotes(tmp_path, name):
    """Come back as they were, also from a file that a crash cut in the middle of one."""
    rows = [row._replace(variant=name, instance=f"{name}.txt") for row in ROWS]
    path = write(tmp_path / "a.csv", rows)
    assert read_records(path).rows == rows
    whole = path.read_bytes()
    for size in range(len(header("seconds")), len(whole)):
        path.write_bytes(whole[:size])
        assert read_records(path).rows == rows[: whole[:size].count(b"\n") - 1]


def test_the_form_of_a_line():
    """Plain names without quotes, seconds with 12 digits, scores in full."""
    assert record_lines(ROWS[:1], "seconds") == "A,i,1,0.01,5,-3.5\n"
    assert record_lines([ROWS[0]._replace(score=-881.0371468208268)], "playouts") == "A,i,1,5,-881.0371468208268\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.csv: is empty"),
        ('{"score": 1}\n', "a.csv: is JSON, as a result is, .*; expected a CSV that `nrpa bench` wrote"),
        ("city,x,y\n1,2,3\n", "a.csv:1: expected the columns variant,.*found 'city,x,y'"),
        (header("seconds") + "A,i,1,0.01,5\n", "a.csv:2: expected 6 fields .*, found 5"),
        (header("seconds") + "A,i,1,0.01,5,-1\nA,i,one,0.01,5,-1\n", "a.csv:3: expected a number as seed, found 'one'"),
        (header("seconds") + "A,i,1,0.01,5,nan\n", "a.csv:2: expected a number as score, found 'nan'"),
        (header("seconds") + "A,i,\u0661,0.01,5,-1\n", "a.csv:2: expected a number as seed, found '\u0661'"),
        (header("seconds") + "A,i,1,0.01,1_0,-1\n", "a.csv:2: expected a number as playouts, found '1_0'"),
        (header("seconds") + "A,i,1,1e999,1,-1\n", "a.csv:2: expected a number as seconds, found '1e999'"),
        (header("seconds") + '"A,i,1,0.01,5,-1\n', "a.csv:2: is no line of a CSV"),
        (header("seconds") + f"A,i,{'1' * 5000},0.01,5,-1\n", "a.csv:2: expected a number as seed, found '111"),
        ("\0\xff", "a.csv:1: expected the columns"),
    ],
)
def test_another_csv_is_refused(tmp_path, text, message):
    """File, line, what was expected and what was found."""
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        read_records(tmp_path / "a.csv")


def test_files_with_the_same_variant_are_refused(tmp_path):
    """Two files are joined unless both hold a variant on the same instance, count differently or hold no run."""
    a, b = write(tmp_path / "a.csv"), write(tmp_path / "b.csv", [row._replace(variant="B") for row in ROWS])
    assert len(join([a, b]).rows) == 4
    with pytest.raises(InputError, match=r"a\.csv and .*c\.csv both hold the variant A on i"):
        join([a, write(tmp_path / "c.csv")])
    (tmp_path / "p.csv").write_text(header("playouts") + "B,i,1,4,-1.0\n")
    with pytest.raises(InputError, match=r"counts playouts, but .* counts seconds"):
        join([a, tmp_path / "p.csv"])
    (tmp_path / "none.csv").write_text(header("seconds"))
    with pytest.raises(InputError, match="holds no run"):
        join([tmp_path / "none.csv"])


def test_parts_of_one_experiment_are_joined(tmp_path):
    """Whose descriptions are the same but for the seeds; other options, or the same seed twice, are refused."""
    a, b = write(tmp_path / "a.csv"), write(tmp_path / "b.csv", [row._replace(seed=row.seed + 100) for row in ROWS])
    for name, seed, level in (("a", 1, 2), ("b", 101, 2)):
        described = {"problem": "tsptw", "seed": seed, "runs": 1, "variants": {"A": {"level": level}}}
        (tmp_path / f"{name}.json").write_text(json.dumps({"experiment": described}))
    assert len(join([a, b]).rows) == 4
    with pytest.raises(InputError, match="both hold the variant A on i"):
        join([a, b, write(tmp_path / "c.csv")])
    (tmp_path / "b.json").write_text(json.dumps({"experiment": {**described, "variants": {"A": {"level": 3}}}}))
    with pytest.raises(InputError, match="both hold the variant A on i"):
        join([a, b])


@pytest.mark.parametrize(
    "description", ['{"experiment": {"variants": {"B": {}, "A": {}}, "instances": {"i": ""}}}', "[]"]
)
def test_rows_are_in_the_order_of_the_experiment(tmp_path, description):
    """Not in that in which its runs ended, which the file has; without a description, as in the file."""
    path = write(tmp_path / "a.csv", [*ROWS, *(row._replace(variant="B") for row in ROWS)])
    (tmp_path / "a.json").write_text(description)
    variants = [row.variant for row in join([path]).rows]
    assert variants == (["A"] * 2 + ["B"] * 2 if description == "[]" else ["B"] * 2 + ["A"] * 2)


def test_runs_too_short_for_a_row_by_seconds_are_found_beside(tmp_path):
    """The sentence about the empty file names the one that holds them by playouts."""
    (tmp_path / "short.csv").write_text(header("seconds"))
    (tmp_path / "short.playouts.csv").write_text(header("playouts") + "B,i,1,4,-1.0\n")
    with pytest.raises(InputError, match=r"holds no run.*; .*short\.playouts\.csv holds the same runs by playouts"):
        join([tmp_path / "short.csv"])


def test_records_of_a_timed_run():
    """The curve is split by kind of mark, and the last mark is the budget."""
    curve = [Point(0.001, 1, -9.0), Point(0.004, 2, -8.0), Point(0.01, 3, -7.0), Point(0.012, 4, -6.0)]
    by_seconds, by_playouts = records_of(Ended(0.0301, 7, -5.0, curve), ("A", "i", 1), time=0.03)
    assert [(r.mark, r.playouts, r.score) for r in by_seconds] == [(0.01, 3, -7.0), (0.03, 7, -5.0)]
    assert [(r.mark, r.score) for r in by_playouts] == [(1, -9.0), (2, -8.0), (4, -6.0)]


def test_a_run_that_was_proved_optimal_keeps_its_score():
    """Marks after the end of a run that stopped at a proven bound hold its final score."""
    ended = Ended(0.015, 3, 0.0, [Point(0.001, 1, -9.0), Point(0.004, 2, -8.0), Point(0.01, 2, -8.0)])
    by_seconds, _ = records_of(ended, ("A", "i", 1), time=0.04)
    assert [(r.mark, r.score) for r in by_seconds] == [(0.01, -8.0), (0.02, 0.0), (0.04, 0.0)]
    _, by_playouts = records_of(ended, ("A", "i", 1), playouts=10)
    assert [(r.mark, r.score) for r in by_playouts] == [(1, -9.0), (2, -8.0), (4, 0.0), (8, 0.0), (10, 0.0)]


def test_the_other_file_lies_beside(tmp_path):
    """NAME.csv has NAME.playouts.csv beside it."""
    assert playouts_path(tmp_path / "rc204.1.csv") == tmp_path / "rc204.1.playouts.csv"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A,i,1," + "1" * 400 + ",1.0", "expected a number as playouts, found '1111"),
        ("a" * 131_073 + ",i,1,1,1.0", "is no line of a CSV"),
    ],
)
def test_numbers_and_fields_without_end(tmp_path, line, message):
    """A sentence that names the line."""
    (tmp_path / "a.csv").write_text("variant,instance,seed,playouts,score\n" + line + "\n")
    with pytest.raises(InputError, match=rf"a\.csv:2: {message}"):
        read_records(tmp_path / "a.csv")


def test_records_as_a_table_of_pandas(tmp_path):
    """The columns of the file, and the value in the problem's own terms."""
    pytest.importorskip("pandas")
    (tmp_path / "a.json").write_text('{"experiment": {"problem": "tsptw"}}')
    records = read_records(write(tmp_path / "a.csv"))
    frame = records.to_frame()
    assert list(frame.columns) == ["variant", "instance", "seed", "seconds", "playouts", "score", "value"]
    assert frame["value"].tolist() == [-row.score for row in ROWS]
    by_playouts = records._replace(axis="playouts", objective=None).to_frame()
    assert list(by_playouts.columns) == ["variant", "instance", "seed", "playouts", "score", "value"]
    assert by_playouts["value"].tolist() == [row.score for row in ROWS]


VARIANTS = (Variant("auto", "auto"), Variant("random", "random"))


def ends(out):
    return read_ends(runs_path(out))


def test_runs_end_at_the_best_known_value(tmp_path):
    """Found or not, each has a row; the records go on to the budget; a row cut short by a crash is made again."""
    out = tmp_path / "a.csv"
    experiment = Experiment("tsptw", ("rc205.1",), VARIANTS, runs=2, playouts=100, target="best-known")
    run_experiment(experiment, out, workers=1)
    kept = runs_path(out).read_text()
    assert {end.run: (end.status, end.playouts < 100) for end in ends(out)} == {
        (name, "rc205.1", seed): (status, name == "auto")
        for name, status in (("auto", "target"), ("random", "playouts"))
        for seed in (1, 2)
    }
    found = next(end for end in ends(out) if end.variant == "auto")
    assert found.value == pytest.approx(343.21, abs=0.005)
    assert found.figures == f"cost={found.value} violations=0"
    rows = [row for row in read_records(playouts_path(out)).rows if row.run == found.run]
    assert (rows[-1].mark, rows[-1].score) == (100, -found.value)
    runs_path(out).write_text(kept + "auto,rc205.1,3,target,0.0,1,9.0,\nauto,rc2")
    run_experiment(experiment, out, workers=1, on_run=lambda standing: pytest.fail("nothing was left to run"))
    assert runs_path(out).read_text() == kept


def test_runs_end_after_a_search(tmp_path):
    """One of nested search, as its papers count; without target and searches there is no such file."""
    out, nmcs = tmp_path / "a.csv", (Variant("N", "nmcs", {"level": 1}),)
    run_experiment(Experiment("morpion", ("5D",), nmcs, runs=1, playouts=9999, searches=1), out, workers=1)
    (end,) = ends(out)
    result = nrpa.solve(nrpa.Morpion("5D"), nrpa.NMCS(level=1), seed=1, searches=1)
    assert (end.status, end.playouts, end.value) == ("searches", result.playouts, result.value)
    run_experiment(Experiment("morpion", ("5D",), nmcs, runs=1, playouts=9), tmp_path / "b.csv", workers=1)
    assert not runs_path(tmp_path / "b.csv").exists()


def test_a_best_known_value_with_decimals_is_rounded():
    """A tour that is the published one is at the target; whole numbers are meant as they are."""
    tour, bins = nrpa.TSPTW.load("rc201.1"), nrpa.BinPacking.load("u120_00")
    assert target_on(nrpa.BinPacking(capacity=10, sizes=[6, 5]), "best known") is None  # it ends at its bound
    assert 444.545 < target_on(tour, "best known") < 444.546
    assert (target_on(bins, "best known"), target_on(tour, 7.5), target_on(tour, None)) == (48, 7.5, None)


def test_an_instance_without_a_best_known_value_is_refused(tmp_path):
    """Before there is a file."""
    (tmp_path / "two.txt").write_text("2\n0 10\n10 0\n0 99\n0 99\n")
    experiment = Experiment("tsptw", (str(tmp_path / "two.txt"),), VARIANTS, playouts=5, target="best known")
    with pytest.raises(InputError, match=r"two\.txt: has no best known value, which is the target"):
        run_experiment(experiment, tmp_path / "a.csv", workers=1)
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".lock"] == ["two.txt"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("solution", ":1: expected the columns variant"),
        ("variant,instance\nA,i\n", ":1: expected the columns variant"),
        ("{}\n\n", ": is JSON, .*; expected a CSV that `nrpa bench` wrote"),
    ],
)
def test_another_file_is_refused(tmp_path, text, message):
    """In a sentence that names it."""
    (tmp_path / "a.runs.csv").write_text(text)
    with pytest.raises(InputError, match=rf"a\.runs\.csv{message}"):
        ends(tmp_path / "a.csv")


def test_the_table_of_ends():
    """Variants in the order that is given; the mean is that of the instances' means, with 2σ/√n over the seeds."""
    rows = [End("B", "i", 1, "time", 4.0, 9, 8.0, ""), End("A", "i", 1, "target", 1.0, 3, 1.0, "")]
    rows += [End("A", "i", 2, "optimal", 2.0, 4, 3.0, ""), End("A", "j", 1, "time", 9.0, 90, 8.0, "")]
    rows += [End("A", "j", 2, "time", 8.0, 80, 8.0, "")]
    lines = [line.split() for line in ends_text(rows, ["A", "B"], None).splitlines()]
    assert lines[1] == ["A", "4", "2", "5.00", "9.00", "42", "90", "5.00", "(1.00)", "10.00"]
    assert "median s of processor time" in ends_text(rows, ["A", "B"], None, "processor")
    assert lines[2] == ["B", "1", "0", "4.00", "4.00", "9", "9", "8.00", "8.00"]


POINT = nrpa.Point(0.1, 5, -5.0)
ENDED = ("playouts", -5.0, nrpa.Objective("cost", sign=-1), {"cost": 5.0}, [1, 2], 9, 0.2, [POINT], [POINT], 0.0)
RESULT = nrpa.Result("tsptw", "i", "", "gnrpa", {}, {}, 3, {}, *ENDED)


def found(score, seed):
    return dataclasses.replace(RESULT, score=score, seed=seed)


def test_the_best_of_each_variant_on_each_instance_is_kept(tmp_path):
    """Of equal scores that of the lowest seed, whichever ends first; a file that is there is gone on with."""
    path = tmp_path / "a.best.json"
    file = BestFile(path)
    for variant, score, seed in (("A", -5.0, 3), ("A", -4.0, 9), ("B", -7.0, 1), ("A", -4.0, 2), ("A", -6.0, 1)):
        file.take((variant, "i", seed), found(score, seed))
    kept = {(run.variant, run.instance): run.result for run in read_best(path)}
    assert kept == {("A", "i"): found(-4.0, 2), ("B", "i"): found(-7.0, 1)}
    again = BestFile(path)
    again.take(("B", "i", 4), found(-8.0, 4))
    again.take(("B", "j", 4), found(-8.0, 4))
    assert [(run.variant, run.instance, run.result.seed) for run in read_best(path)] == [
        ("A", "i", 2),
        ("B", "i", 1),
        ("B", "j", 4),
    ]


def test_no_file_holds_none(tmp_path):
    """As beside the records of an older version."""
    assert read_best(tmp_path / "a.best.json") == []


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"best": [{"variant": "A"}]}', "[" * 100_000])
def test_a_file_without_solutions_is_refused(tmp_path, content):
    """In one sentence that names it."""
    path = tmp_path / "a.best.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"a\.best\.json: holds no best solutions"):
        BestFile(path)


def test_it_is_written_as_json(tmp_path):
    """What a result writes."""
    path = tmp_path / "a.best.json"
    BestFile(path).take(("A", "i", 3), RESULT)
    (entry,) = json.loads(path.read_text())["best"]
    assert entry["result"] == json.loads(RESULT.to_json())
