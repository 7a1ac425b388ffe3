import pytest

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench import Experiment, Variant, run_experiment
from nrpa.bench.ends import End, ends_text, read_ends, runs_path, target_on
from nrpa.bench.records import playouts_path, read_records

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


@pytest.mark.parametrize("text", ["solution", "variant,instance\nA,i\n", "{}\n\n"])
def test_another_file_is_refused(tmp_path, text):
    """In a sentence that names it."""
    (tmp_path / "a.runs.csv").write_text(text)
    with pytest.raises(InputError, match=r"a\.runs\.csv:1: expected the columns variant"):
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
