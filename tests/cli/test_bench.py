import csv
import json
import re
import shutil
from pathlib import Path

import pytest
from coins import COINS, PURSE
from user_problems import EXAMPLES

from nrpa.bench.distribute import RunsProgress
from nrpa.cli.progress import RunsLine, minutes_text

BUDGET = ("--runs", 2, "--playouts", 200, "--workers", 1)
CSV = "variant,instance,seed,seconds,playouts,score\n" + "".join(
    f"{variant},i,{seed},{mark},{k + 1},{score - seed}\n"
    for variant, score in (("A", -10), ("B", -20))
    for seed in (1, 2, 3)
    for k, mark in enumerate((0.01, 0.02, 0.04))
)


def test_bench_from_arguments_and_from_toml(nrpa_command, tmp_path):
    """Both give the same records and print the same table; the progress goes to standard error."""
    variants = ("--variant", "A:level=1", "--variant", "B:level=2,tau=1.4")
    code, out, err = nrpa_command("bench", "tsptw", "rc201.1", *variants, *BUDGET, "--out", "a.csv")
    assert (code, out.splitlines()[0]) == (0, "rc201.1: mean cost of 2 runs (2σ/√n)")
    assert "4 of 4 runs" in err
    (tmp_path / "e.toml").write_text(
        'problem = "tsptw"\ninstances = ["rc201.1"]\n[variants.A]\nlevel = 1\n[variants.B]\nlevel = 2\ntau = 1.4\n'
    )
    code, same, err = nrpa_command("bench", "e.toml", *BUDGET, "--out", "b.csv", "-q")
    assert (code, same, err) == (0, out, "")
    assert (tmp_path / "a.playouts.csv").read_bytes() == (tmp_path / "b.playouts.csv").read_bytes()


def test_some_variants_first(nrpa_command, tmp_path):
    """The others later, as if all had run at once; a name that none has is refused."""
    (tmp_path / "e.toml").write_text(
        'problem = "snake"\ninstances = ["3"]\n[variants]\n'
        'A.solver = "random"\nB.solver = "greedy"\nC.solver = "nmcs"\n'
    )
    command = ("bench", "e.toml", *BUDGET, "-q", "--out")
    assert nrpa_command(*command, "a.csv", "--only", "C", "--only", "A")[1].splitlines()[1].split()[1:] == ["C", "A"]
    assert nrpa_command(*command, "a.csv")[0] == nrpa_command(*command, "b.csv")[0] == 0
    one, other = (sorted((tmp_path / name).read_text().splitlines()) for name in ("a.playouts.csv", "b.playouts.csv"))
    assert one == other
    code, out, err = nrpa_command(*command, "a.csv", "--only", "D")
    assert (code, out, err) == (2, "", "error: there is no variant 'D'; expected one of A, B, C\n")


def test_a_class_is_compiled_for_an_experiment(nrpa_command, tmp_path):
    """From arguments and from TOML: the same scores as in plain Python, recorded as those of the compiled class."""
    shutil.copy(EXAMPLES / "prize_tour.py", tmp_path)
    shutil.copy(EXAMPLES / "prize_tour.txt", tmp_path)
    words = ("bench", "prize_tour.py:PrizeTour", "prize_tour.txt", *BUDGET, "--variant", "a:solver=random", "-q")
    (tmp_path / "e.toml").write_text(
        'problem = "prize_tour.py:PrizeTour"\ninstances = ["prize_tour.txt"]\n[variants.a]\nsolver = "random"\n'
    )
    plain = nrpa_command(*words, "--out", "a.csv")
    assert nrpa_command(*words, "--compile", "--out", "b.csv") == plain
    assert nrpa_command("bench", "e.toml", *BUDGET, "--compile", "-q", "--out", "c.csv") == plain
    for name in "bc":
        experiment = json.loads((tmp_path / f"{name}.json").read_text())["experiment"]
        assert experiment["problem"] == "prize_tour.py:PrizeTour:compiled"
    code, _, err = nrpa_command(*words, "--out", "b.csv")
    assert code == 2
    assert "was made with problem prize_tour.py:PrizeTour:compiled" in err


@pytest.mark.parametrize(("more", "solver"), [((), "auto"), (("--searches", 1), "gnrpa")])
def test_bench_without_a_variant_has_the_solver_of_solve(nrpa_command, tmp_path, more, solver):
    """It is named in the table, and in the record."""
    code, out, _ = nrpa_command("bench", "tsptw", "rc201.1", *BUDGET, *more, "--out", "a.csv", "-q")
    assert (code, solver in out) == (0, True)
    assert json.loads((tmp_path / "a.json").read_text())["experiment"]["variants"] == {solver: {"solver": solver}}


def test_bench_until_the_best_known_value(nrpa_command, tmp_path):
    """The table says how many runs reached it; the same command continues."""
    arguments = ("bench", "tsptw", "rc205.1", *BUDGET, "--target", "best-known", "--variant", "a:solver=auto")
    code, out, _ = nrpa_command(*arguments, "--out", "a.csv")
    titles = "variant runs target median s longest median playouts most mean cost sum of instances"
    assert (code, out.splitlines()[0].split()) == (0, titles.split())
    assert out.splitlines()[1].split()[:3] == ["a", "2", "2"]
    assert nrpa_command(*arguments, "--out", "a.csv", "-q") == (0, out, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bench", "tsptw", "--out", "a.csv"), "needs at least one instance"),
        (("bench", "chess", "x", "--out", "a.csv"), "unknown problem 'chess'"),
        (("bench", "tsptw", "rc201.1", "--compile", "--out", "a.csv"), "TSPTW is compiled already; leave --compile"),
        (("bench", "e.toml", "--out", "a.csv"), "e.toml: cannot be read"),
        (("bench", "tsptw", "rc201.1", "--time", 1, "--playouts", 5, "--out", "a.csv"), "playouts, and not both"),
        (("bench", "tsptw", "rc201.1", "--time", -1, "--out", "a.csv"), "time must be a positive number"),
        (("bench", "tsptw", "rc201.1", "--out", "no/a.csv"), "no such directory"),
        (("bench", "tsptw", "rc201.1", "--target", "best", "--out", "a.csv"), "or best-known, found 'best'"),
        (("bench", "tsptw", "rc201.1", "--target", "8,x", "--out", "a.csv"), "found '8,x'"),
        (("solve", "tsptw", "rc201.1", "--target", "8,9"), "expected one number (cost), not [8.0, 9.0]"),
        (("plot", "good.csv", "--out", ""), "a file to write needs a name"),
        (("bench", "tsptw", "rc201.1", "--workers", 0, "--out", "a.csv"), "workers must be a whole number"),
        (("bench", "tsptw", "rc201.1", "--workers", 10**6, "--out", "a.csv"), "workers must be at most"),
        (("bench", "tsptw", "rc201.1", "--dask", "nowhere", "--out", "a.csv"), "nowhere: is no address of a scheduler"),
        (("bench", "tsptw", "rc201.1", "--out", ""), "expected the name of a CSV file"),
        (("table", "a.csv"), "a.csv: cannot be read"),
        (("table", "good.csv", "--versus", "C"), "there is no variant 'C'"),
        (("table", "good.csv", "--target", "nan"), "the target must be a number, not nan"),
        (("table", "good.csv", "--target", 12), "the target 12 has the wrong sign: it is a score here"),
        (("plot", "good.csv", "--target", 12, "--out", "a.png"), "expected one such as -12"),
        (("plot", "good.csv", "--reference", 5, "--out", "a.png"), "the reference 5 has the wrong sign"),
        (("plot", "good.csv", "--target", "nan", "--out", "a.png"), "the target must be a number, not nan"),
        (("plot", "good.csv", "--out", "a.xyz"), "unknown picture format 'xyz'"),
        (("plot", "good.csv", "copy.csv", "--out", "a.png"), "good.csv and copy.csv both hold the variant A on i"),
        (("plot", "empty.csv", "--out", "a.png"), "empty.csv: is empty"),
        (("plot", "good.csv", "--instance", "j", "--out", "a.png"), "there is no instance 'j'; expected one of i"),
        (("plot", "good.csv", "--reference", "-1000", "--out", "a.png"), "falls short of the reference -1000"),
        (("plot", "good.csv", "--reference", "nan", "--out", "a.png"), "reference must be a finite number, not nan"),
        (
            ("plot", "good.csv", "--ylim", "nan", "1", "--out", "a.png"),
            "the limits of y must be two different numbers from -1e+300 to 1e+300, not nan and 1.0",
        ),
        (("plot", "--solution", "good.csv", "--out", "a.png"), "expected JSON that `nrpa solve --json` wrote"),
    ],
)
def test_bad_input_is_one_sentence(nrpa_command, tmp_path, arguments, message):
    """Exit 2, one line, no traceback, and no file left behind."""
    for name, text in (("good.csv", CSV), ("copy.csv", CSV), ("empty.csv", "")):
        (tmp_path / name).write_text(text)
    before = set(tmp_path.iterdir())
    code, out, err = nrpa_command(*arguments)
    note, error = re.fullmatch(r"(note: .*\n)?(error: .*\n)", err).groups()
    assert (code, out) == (2, "")
    assert message in error
    assert note is None or "good.json" in note
    assert set(tmp_path.iterdir()) == before


def test_table_prints_means_differences_and_shares(nrpa_command, tmp_path):
    """The three parts one below the other, and a note of a line cut short."""
    (tmp_path / "a.csv").write_text(CSV + "B,i,4,0.0")
    code, out, err = nrpa_command("table", "a.csv", "--versus", "A", "--target", -12, "--digits", 1)
    means, differences, shares = out.split("\n\n")
    assert code == 0
    assert "cut short" in err
    assert means.splitlines()[2].split() == ["0.01", "-12.0", "(1.2)", "-22.0", "(1.2)"]
    assert differences.splitlines()[2].split() == ["0.01", "-10.0", "[-12.3,", "-7.7]"]
    assert shares.splitlines()[2].split() == ["0.01", "2/3", "[0.21,", "0.94]", "0/3", "[0.00,", "0.56]"]


def test_tables_for_a_paper(nrpa_command, tmp_path):
    """Of the marks that are near those given; what does not go with a format is refused."""
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "a.json").write_text('{"experiment": {"problem": "tsptw"}}')
    code, out, err = nrpa_command("table", "a.csv", "--marks", "0.018,0.05", "--format", "markdown", "--digits", 1)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[2:4] == [f"| i | 0.0{mark} | **12.0 (1.2)** | 22.0 (1.2) |" for mark in (2, 4)]
    code, out, _ = nrpa_command("table", "a.csv", "--versus", "B", "--format", "latex")
    assert (code, out.splitlines()[1]) == (0, r"\begin{table}[ht]")
    assert "of the difference from B" in out
    assert nrpa_command("table", "a.csv", "--format", "csv")[1].splitlines()[1].startswith("i,0.01,A,cost,12.0,10.8")
    assert len(nrpa_command("table", "a.csv", "--marks", "0.04")[1].splitlines()) == 3
    code, out, _ = nrpa_command("table", "a.csv", "--only", "B", "--only", "A", "--versus", "B")
    assert (code, out.splitlines()[1].split()) == (0, ["seconds", "B", "A"])
    (tmp_path / "p.csv").write_text("variant,instance,seconds,cell\nA,i,0.08,9\nZ,i,0.02,8\n")
    assert nrpa_command("table", "a.csv", "--published", "p.csv")[1].splitlines()[-1].split()[:4] == [
        "0.08",
        "-",
        "/",
        "9",
    ]
    assert "/ 9" not in nrpa_command("table", "a.csv", "--published", "p.csv", "--marks", "0.02")[1]
    (tmp_path / "z.csv").write_text("variant,instance,seconds,cell\nZ,i,0.02,8\n")
    for words, message in (
        (
            ("--published", "z.csv"),
            "z.csv: has no cell of a variant on an instance of the records; expected one of A on i",
        ),
        (("--only", "Z"), "there is no variant 'Z'; expected one of A, B"),
        (("--marks", "1,x"), "--marks: expected numbers with commas between, found '1,x'"),
        (("--marks", "0"), "--marks must be a positive number, not 0"),
        (("--marks", "60"), "i has no mark near 60"),
        (("--format", "csv", "--target", 12), "--target applies to --format text, not to csv"),
    ):
        code, out, err = nrpa_command("table", "a.csv", *words)
        assert (code, out) == (2, "")
        assert message in err


def test_tables_and_pictures_are_in_the_problems_own_terms(nrpa_command, tmp_path):
    """Where the description beside the CSV says which problem it is: a cost as `solve` takes and prints it."""
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "a.json").write_text('{"experiment": {"problem": "tsptw"}}')
    code, out, err = nrpa_command("table", "a.csv", "--versus", "A", "--target", 12, "--digits", 1)
    means, differences, shares = out.split("\n\n")
    assert (code, err) == (0, "")
    assert means.startswith("i: mean cost of 3 runs")
    assert means.splitlines()[2].split() == ["0.01", "12.0", "(1.2)", "22.0", "(1.2)"]
    assert differences.splitlines()[2].split() == ["0.01", "+10.0", "[7.7,", "12.3]"]
    assert shares.splitlines()[2].split() == ["0.01", "2/3", "[0.21,", "0.94]", "0/3", "[0.00,", "0.56]"]
    code, out, err = nrpa_command("table", "a.csv", "--target", -12)
    assert (code, out) == (2, "")
    assert "it is a cost here, and those of the runs are 11 to 23; expected one such as 12" in err
    assert nrpa_command("plot", "a.csv", "--reference", 5, "--out", "p.svg") == (0, "", "")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_plot_writes_the_format_that_is_asked_for(nrpa_command, tmp_path, ending):
    """Each format begins as it should."""
    (tmp_path / "a.csv").write_text(CSV)
    assert nrpa_command("plot", "a.csv", "--out", f"p.{ending}")[0] == 0
    for words, is_titled in (((), True), (("--no-title",), False)):
        assert nrpa_command("plot", "a.csv", "--out", "t.svg", *words)[0] == 0
        assert ("2σ/√n" in (tmp_path / "t.svg").read_text("utf-8")) is is_titled
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert (tmp_path / f"p.{ending}").read_bytes().startswith(start)


def test_plot_draws_a_solution(nrpa_command, tmp_path):
    """From a result's JSON alone; another instance is refused."""
    nrpa_command("solve", "tsptw", "rc201.1", "--level", 1, "--playouts", 50, "--json", "r.json", "-q")
    assert nrpa_command("plot", "--solution", "r.json", "--out", "s.png") == (0, "", "")
    code, _, err = nrpa_command("plot", "--solution", "r.json", "--instance", "rc201.2", "--out", "t.png")
    assert (code, err) == (2, "error: rc201.2: is not the instance that the result is of\n")
    record = json.loads((tmp_path / "r.json").read_text())
    record["solution"] = [1, 1]
    (tmp_path / "r.json").write_text(json.dumps(record))
    code, _, err = nrpa_command("plot", "--solution", "r.json", "--out", "t.png")
    assert (code, "cannot be drawn" in err) == (2, True)
    assert not (tmp_path / "t.png").exists()


def test_plot_draws_a_solution_of_a_users_problem(nrpa_command, tmp_path):
    """The result knows the class by name only, so --problem says where it is; --instance where it reads one."""
    (tmp_path / "coins.py").write_text(COINS + PURSE)
    (tmp_path / "purse").write_text("7")
    (tmp_path / "moved").write_text("7")
    (tmp_path / "other").write_text("8")
    options = ("--level", 1, "--playouts", 9, "-q", "--json")
    assert nrpa_command("solve", "coins.py:Coins", *options, "c.json")[0] == 0
    assert nrpa_command("solve", "coins.py:Purse", "purse", *options, "p.json")[0] == 0
    coins = ("plot", "--solution", "c.json", "--out", "c.svg", "--problem")
    purse = ("plot", "--solution", "p.json", "--out", "p.svg", "--problem", "coins.py:Purse", "--instance")
    assert nrpa_command(*coins, "coins.py:Coins") == (0, "", "")
    assert nrpa_command(*purse[:-1]) == (0, "", "")
    record = json.loads((tmp_path / "c.json").read_text())
    (tmp_path / "n.json").write_text(json.dumps({**record, "problem": "Purse"}))
    (tmp_path / "purse").unlink()
    assert nrpa_command(*purse, "moved") == (0, "", "")
    assert {"c.svg", "p.svg"} <= {path.name for path in tmp_path.iterdir()}
    refused = {
        coins[:-1]: "'Coins', which nrpa does not know; say where it is with --problem path/to/file.py:Class",
        (*coins, "tsptw"): "the result is of 'Coins', not of 'tsptw'",
        (*coins, "coins.py:Purse"): "the result is of 'Coins', not of 'Purse'",
        ("plot", "--solution", "n.json", *purse[3:-1]): "does not say which instance it is of; name it with --instance",
        (*coins, "coins.py:Coins", "--instance", "moved"): "Coins reads no instances, so 'moved' cannot be one",
        purse[:-1]: "purse: no such file, and no instance comes with Purse; name the instance with --instance",
        (*purse, "other"): "other: is not the instance that the result is of",
        (
            "plot",
            "a.csv",
            "--out",
            "a.png",
            "--problem",
            "coins.py:Coins",
        ): "--problem applies to --solution and --tree only",
    }
    for arguments, message in refused.items():
        code, out, err = nrpa_command(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err


@pytest.mark.parametrize(("command", "count"), [("table", 1), ("plot", 2)])
def test_the_help_says_what_a_value_is(nrpa_command, command, count):
    """For each option that takes one."""
    out = nrpa_command(command, "--help")[1]
    assert " ".join(out.split()).count("value (in the problem's own terms, as a cost;") == count


def test_bench_of_a_problem_without_instances(nrpa_command, tmp_path):
    """It needs no INSTANCE, nor does a TOML file; the records have the problem's name for it."""
    (tmp_path / "coins.py").write_text(COINS)
    code, out, _ = nrpa_command("bench", "coins.py:Coins", "--variant", "A:level=1", *BUDGET, "--out", "a.csv")
    assert (code, out.splitlines()[0]) == (0, "Coins: mean coins of 2 runs (2σ/√n)")
    records = (tmp_path / "a.playouts.csv").read_text().splitlines()[1:]
    assert {tuple(line.split(",")[:3]) for line in records} == {("A", "Coins", "1"), ("A", "Coins", "2")}
    (tmp_path / "e.toml").write_text('problem = "coins.py:Coins"\n[variants.A]\nlevel = 1\n')
    assert nrpa_command("bench", "e.toml", *BUDGET, "--out", "b.csv", "-q")[:2] == (0, out)
    assert nrpa_command("bench", "e.toml", *BUDGET, "--out", "b.csv", "-q") == (0, out, "")
    code, _, err = nrpa_command("bench", "coins.py:Coins", "seven", *BUDGET, "--out", "c.csv")
    assert (code, err) == (2, "error: Coins reads no instances, so 'seven' cannot be one\n")


def test_how_far_an_experiment_is(capsys):
    """How many runs are done and going on, and when it will be done: the day as well where that is not today."""
    line = RunsLine(quiet=False)
    line.tell(RunsProgress(3, 0, 12, 2, 61.0, 200 * 3600.0))
    assert re.fullmatch(
        r"3 of 12 runs, 2 running, 1:01 gone, 200:00:00 left, done on \w+ \d\d \w+ at \d\d:\d\d\n",
        capsys.readouterr().err,
    )
    line.tell(RunsProgress(12, 0, 12, 0, 61.0, 0.0))
    assert capsys.readouterr().err == "12 of 12 runs, 1:01 gone, 0:00 left\n"


def test_a_duration_reads_as_hours_and_minutes():
    """For the time left."""
    assert [minutes_text(0), minutes_text(61.4), minutes_text(3600)] == ["0:00", "1:01", "1:00:00"]


def test_an_interrupt_is_said_once(nrpa_command, monkeypatch):
    """With what to do next; the exit status is that of an interrupt."""

    def interrupted(*arguments, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr("nrpa.cli.bench.run_experiment", interrupted)
    done = nrpa_command("bench", "tsptw", "rc201.1", "--playouts", 5, "--variant", "A:level=1", "--out", "a.csv")
    assert done == (130, "", "interrupted; the same command continues\n")


def test_tables_say_which_clock(nrpa_command, tmp_path):
    """Seconds of processor time are named so, and are not put beside those on the wall."""
    for name, clock in (("a", "processor"), ("b", "wall")):
        (tmp_path / f"{name}.csv").write_text(CSV if name == "a" else CSV.replace("A,", "C,").replace("B,", "D,"))
        (tmp_path / f"{name}.json").write_text(json.dumps({"experiment": {"clock": clock}}))
    code, out, _ = nrpa_command("table", "a.csv", "--versus", "A", "--target", "-10")
    assert (code, out.count("processor seconds"), out.count("seconds")) == (0, 3, 3)
    assert nrpa_command("table", "b.csv")[1].splitlines()[1].split() == ["seconds", "C", "D"]
    assert nrpa_command("plot", "a.csv", "--out", "a.svg")[0] == 0
    code, _, err = nrpa_command("table", "a.csv", "b.csv")
    assert (code, "b.csv: counts seconds, but a.csv counts processor seconds" in err) == (2, True)


def test_scores_of_several_parts(nrpa_command, tmp_path):
    """Each part has a mean of its own, that of the figures of the runs; a target has a number for each."""
    problem = f"{Path(__file__).parent.parent / 'user_problems.py'}:Pairs"
    variants = ("--variant", "A:solver=nrpa,level=1", "--variant", "B:solver=random")
    code, out, _ = nrpa_command("bench", problem, *BUDGET, *variants, "--target", "12,20", "--out", "a.csv")
    texts = [row["figures"].split() for row in csv.DictReader((tmp_path / "a.runs.csv").open())]
    ones, waste = ([float(figures[k].partition("=")[2]) for figures in texts] for k in (0, 1))
    by_variant = [f"{(ones[k] + ones[k + 2]) / 2:.2f}, {(waste[k] + waste[k + 2]) / 2:.2f}" for k in (0, 1)]
    assert (code, [line.split("  ")[-1].strip() for line in out.splitlines()[1:]]) == (0, by_variant)
    reached = [pair for pair in zip(ones, waste, strict=True) if pair >= (12, 0) and pair[1] <= 20]
    assert sum(int(line.split()[2]) for line in out.splitlines()[1:]) == len(reached) > 0
    code, out, _ = nrpa_command("table", "a.playouts.csv", "--target", "12,20")
    assert (code, "share of runs with ones, waste 12, 20 or better" in out) == (0, True)
    assert nrpa_command("report", "a.csv", "--target", "12,20", "--out", "a.html")[0] == 0
    assert "ones, more is better, then waste, less is better" in (tmp_path / "a.html").read_text()
    code, _, err = nrpa_command("bench", problem, *BUDGET, "--target", 3, "--out", "b.csv")
    assert (code, err) == (2, "error: expected 2 numbers (ones, waste), none but the first beyond 1e+06, not 3.0\n")


def test_several_files_and_instances_are_panels_as_wide_as_a_paper_asks(nrpa_command, tmp_path):
    """84 mm are 238.1 points; the letters are text, and the panels stand one below the other."""
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "b.csv").write_text(CSV.replace(",i,", ",j,"))
    (tmp_path / "b.json").write_text('{"experiment": {"problem": "tsptw"}}')
    assert nrpa_command("plot", "a.csv", "b.csv", "--width", "84mm", "--out", "p.svg")[0] == 0
    picture = (tmp_path / "p.svg").read_text()
    width, height = map(float, re.search(r'width="([0-9.]+)pt" height="([0-9.]+)pt"', picture).groups())
    assert width == pytest.approx(84 / 25.4 * 72)
    assert height > width
    for text in ("mean score", "mean cost", "tsptw j"):
        assert re.search(f"<text [^>]*>{text}", picture)
    for wrong in ("84", "84 furlongs", "1mm"):
        assert "such as 84mm" in nrpa_command("plot", "a.csv", "--width", wrong, "--out", "q.svg")[2]
