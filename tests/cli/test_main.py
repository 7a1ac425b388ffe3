import json
import os
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner
from numba.core.compiler_lock import global_compiler_lock
from user_problems import EXAMPLES

import nrpa
from nrpa.cli import main as cli

SMALL = "3\n0 5 8\n15 0 15\n18 15 0\n0 100\n5 50\n0 60\n"


def solve_small(nrpa_command, *options):
    return nrpa_command("solve", "tsptw", "rc201.1", "--level", 2, "--seed", 1, "--playouts", 3000, *options)


def test_solve_prints_writes_and_checks(nrpa_command, tmp_path):
    """The result on standard output, the run on standard error, JSON and curve on disk, and the check agrees."""
    code, out, err = solve_small(nrpa_command, "--json", "out.json", "--curve", "curve.csv", "--plot", "plot.png")
    assert code == 0
    assert "best known  444.54 (proven optimal); gap" in out
    assert "seed 1" in err
    record = json.loads((tmp_path / "out.json").read_text())
    keys = (
        "problem instance sha256 solver options inputs seed versions status score objective figures solution playouts "
        "seconds curve improvements setup_seconds workers clock faults faults_counted valid"
    )
    assert sorted(record) == sorted(keys.split())
    assert set(record["curve"][0]) == {"seconds", "playouts", "score"}
    assert len(record["solution"]) == 19
    lines = (tmp_path / "curve.csv").read_text().splitlines()
    assert lines[0] == "seconds,playouts,score"
    assert len(lines) == len(record["curve"]) + 1
    assert (tmp_path / "plot.png").read_bytes()[:4] == b"\x89PNG"
    code, out, err = nrpa_command("check", "tsptw", "rc201.1", "out.json")
    assert (code, out.startswith("valid: cost ")) == (0, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["curve.csv", "out.json", "plot.png"]


def test_quiet_prints_the_result_only(nrpa_command):
    """Nothing on standard error."""
    code, out, err = solve_small(nrpa_command, "-q")
    assert (code, err) == (0, "")
    assert "status      playouts\nsetup       " in out


def test_an_unset_seed_is_printed(nrpa_command):
    """So that the run can be repeated."""
    _, out, err = nrpa_command("solve", "tsptw", "rc206.1", "--playouts", 5)
    assert "(drawn)" in err
    seed = err.split("seed ")[1].split()[0]
    assert f"seed {seed}" in out


def test_target_and_patience(nrpa_command):
    """A target is a cost; patience is in playouts or in seconds."""
    assert "status      target" in nrpa_command("solve", "tsptw", "rc206.1", "--target", 118)[1]
    for patience in ("100", "0.05s"):
        out = nrpa_command("solve", "tsptw", "rc206.1", "--no-improvement", patience)[1]
        assert "status      no-improvement" in out


def test_instance_from_standard_input(tmp_path):
    """A dash reads the instance."""
    found = subprocess.run(
        [sys.executable, "-m", "nrpa", "solve", "tsptw", "-", "--playouts", "9", "-q"],
        input=SMALL,
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert "instance    tsptw <stdin>" in found.stdout
    assert "0 2 1 0" in found.stdout or "0 1 2 0" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["solve", "samegame", "--help-all"],
            "Temperature ?: the same as",
        ),
        (["table", "b.csv"], "i: mean score of 2 runs (2?/?n)"),
        (["table", "none\u03c3"], "error: none?: cannot be read (No such file or directory)"),
    ],
)
def test_output_that_is_not_unicode(tmp_path, arguments, line):
    """What its encoding lacks is replaced, on standard output and standard error."""
    records = "".join(f"A,i,{seed},0.01,1,{seed}\n" for seed in (1, 2))
    (tmp_path / "b.csv").write_text("variant,instance,seed,seconds,playouts,score\n" + records)
    found = subprocess.run(
        [sys.executable, "-m", "nrpa", *arguments],
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "COLUMNS": "100"},
        capture_output=True,
        encoding="cp1252",
        check=False,
        cwd=tmp_path,
    )
    assert line in found.stdout + found.stderr, found.stderr


@pytest.mark.parametrize(
    ("corrupt", "message"),
    [
        (lambda r: r["solution"].pop(3), "is missing"),
        (lambda r: r["solution"].append(99), "99 is not a city"),
        (lambda r: r["solution"].reverse(), "after its window ["),
        (lambda r: r["figures"].update(cost=1.0), "the file says cost 1.0, but it is "),
        (lambda r: r["figures"].update(cost=10**400), "the file says cost 1000"),
        (lambda r: r.update(score=-1.0), "the file says score -1.0, but it is -"),
        (lambda r: r.update(score="best"), "the file says score best, but it is -"),
        (lambda r: r.update(status="optimal"), "the file says optimal, but no bound of tsptw proves it"),
    ],
)
def test_corrupted_results_are_refused(nrpa_command, tmp_path, corrupt, message):
    """With exit code 1, saying what is wrong."""
    solve_small(nrpa_command, "--json", "out.json")
    record = json.loads((tmp_path / "out.json").read_text())
    corrupt(record)
    (tmp_path / "bad.json").write_text(json.dumps(record))
    code, out, _ = nrpa_command("check", "tsptw", "rc201.1", "bad.json")
    assert code == 1
    assert out.startswith("not valid")
    assert message in out


def test_check_takes_plain_lists(nrpa_command, tmp_path):
    """With or without the depot at the ends, or as a JSON list."""
    (tmp_path / "small").write_text(SMALL)
    for text in ("1 2", "0 1 2 0", "1, 2", "[1, 2]"):
        (tmp_path / "tour").write_text(text)
        code, out, _ = nrpa_command("check", "tsptw", "small", "tour")
        assert (code, out) == (0, "valid: cost 38.00, violations 0\n")


def test_check_takes_a_structure_that_begins_with_a_square_bracket(nrpa_command, tmp_path):
    """Which is not JSON."""
    pytest.importorskip("RNA")
    sequence, structure = "GGGGGAAAAACCCCCAAAAACCCCCAAAAAGGGGG", "[[[[[.....(((((.....]]]]].....)))))"
    (tmp_path / "knot").write_text(structure)
    code, out, _ = nrpa_command("check", "fold", sequence, "knot", "--pseudoknots")
    assert (code, out.startswith("valid: energy ")) == (0, True)


def test_check_draws(nrpa_command, tmp_path):
    """The whole solution, below the verdict, if asked."""
    (tmp_path / "items").write_text("3 10 6 4 3")
    (tmp_path / "bins").write_text("6 4\n3\n")
    code, out, _ = nrpa_command("check", "binpacking", "items", "bins", "--draw")
    assert code == 0
    assert out.splitlines()[0].startswith("valid: bins 2")
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [["1", "10/10"], ["2", "3/10"]]


BAD = [
    (["solve", "tsptw", "none"], "none: no such file or bundled tsptw instance; `nrpa list tsptw` shows the"),
    (["sovle", "tsptw", "rc201.1"], "No such command 'sovle'. (Did you mean solve?)"),
    (["solve", "tsptw", "rc201.1", "--clock", "sun"], "'sun' is not one of 'wall', 'processor'"),
    (["solve", "tsptw", "rc2041"], "did you mean rc204.1"),
    (["solve", "tsptw", "folder"], "folder: is a directory"),
    (["solve", "tsptw", "empty"], "empty: is empty"),
    (["solve", "tsptw", "binary"], "binary: is not a text file"),
    (["solve", "tsptw", "zeros"], "zeros: is not a text file"),
    (["solve", "tsptw", "short"], "short:2: ends after 2 numbers"),
    (["solve", "knapsack", "x"], "unknown problem 'knapsack'; expected one of "),
    (["solve", "tsptw", "rc201.1", "--compile"], "TSPTW is compiled already; leave --compile (nrpa.compiled) out"),
    (["diagnose", "tsptw:compiled", "rc201.1"], "TSPTW is compiled already"),
    (["solve", "tsptw", "small", "--solver", "magic"], "unknown solver 'magic'; expected one of gnrpa, nrpa"),
    (["solve", "tsptw", "small", "--solver", "nrpa", "--tau", "2"], "--tau does not apply to the solver nrpa"),
    (
        ["solve", "tsptw", "small", "--no-memory", "--tau", "2"],
        "--memory/--no-memory does not apply to the solver gnrpa",
    ),
    (["solve", "tsptw", "small", "--solver", "greedy", "--bias"], "--bias/--no-bias does not apply to"),
    (["solve", "tsptw", "small", "--json", "-", "--curve", "-"], "--json and --curve are the same file, /dev/stdout"),
    (["solve", "tsptw", "small", "--plot", "-"], "'--plot': - is standard output; expected a file whose ending says"),
    (["solve", "tsptw", "small", "--checkpoint", "-"], "'--checkpoint': - is standard output; expected a file"),
    (["plot", "small", "--out", "-"], "'--out': - is standard output; expected a file whose ending says"),
    (["bench", "tsptw", "small", "--out", "-"], "'--out': - is standard output; expected a file, beside which others"),
    (["solve", "tsptw", "small", "--tau", "0"], "tau must be a positive number, not 0.0"),
    (["solve", "tsptw", "small", "--tau", "nan"], "tau must be a positive number, not nan"),
    (["solve", "tsptw", "small", "--tau", "1e-300"], "tau must be from 1e-100 to 1e+100, not 1e-300"),
    (["solve", "tsptw", "small", "--alpha", "-1"], "alpha must be"),
    (["solve", "tsptw", "small", "--alpha", "1e308"], "alpha must be from 1e-100 to 1e+100, not 1e+308"),
    (["solve", "tsptw", "small", "--level", "0"], "level must be"),
    (
        ["solve", "tsptw", "small", "--level", str(10**30)],
        "level must be at most 20, not 1000000000000000000000000000000",
    ),
    (["solve", "tsptw", "small", "--iterations", "0"], "iterations must be"),
    (["solve", "tsptw", "small", "--iterations", str(10**20)], "iterations must be at most 9223372036854775807"),
    (["solve", "tsptw", "small", "--iterations", "20,0"], "iterations must be"),
    (["solve", "tsptw", "small", "--alpha", "1,"], "'' is not a valid float"),
    (
        ["solve", "samegame", "samegame-01", "--pairs-from", str(10**30)],
        "pairs_from must be at most 9223372036854775807",
    ),
    (["solve", "tsptw", "small", "--adapt", "magic"], "adapt must be one of"),
    (["solve", "tsptw", "small", "--moves", "some"], "--moves"),
    (["solve", "tsptw", "small", "--time", "0"], "time must be"),
    (["solve", "tsptw", "small", "--playouts", "0"], "playouts must be"),
    (["solve", "tsptw", "small", "--seed", "-1"], "seed must be"),
    (["solve", "tsptw", "small", "--target", "nan"], "target must be"),
    (["solve", "tsptw", "rc204.1", "--target", "-885"], "wrong sign: the best known cost of rc204.1 is 878.64"),
    (
        ["solve", "samegame", "samegame-01", "--target", "-2000"],
        "wrong sign: the best known points of samegame-01 is 3413",
    ),
    (["solve", "tsptw", "small", "--no-improvement", "soon"], "expected playouts (100000) or seconds (5s)"),
    (["solve", "tsptw", "small", "--no-improvement", "\u0661"], "expected playouts (100000) or seconds (5s)"),
    (["solve", "tsptw", "small", "--no-improvement", "1_0s"], "expected playouts (100000) or seconds (5s)"),
    (
        ["solve", "tsptw", "small", "--no-improvement", "-5"],
        "no improvement's playouts must be a whole number",
    ),
    (["solve", "tsptw", "small", "--json", "no/out.json"], "no/out.json: cannot be written (no such directory)"),
    (["solve", "tsptw", "small", "--json", "x" * 300], "x…: cannot be written (File name too long)"),
    (["solve", "tsptw", "x" * 300], "x…: no such file or bundled tsptw instance"),
    (["solve", "x" * 300 + ".py:X", "small"], "x…: no such file"),
    (["check", "tsptw", "small", "x" * 300], "x…: cannot be read (File name too long)"),
    (["solve", "tsptw", "small", "--json", "folder"], "folder: is a directory"),
    (["solve", "tsptw", "small", "--json", ""], "a file to write needs a name, not an empty one"),
    (["solve", "tsptw", "small", "--json", "x", "--curve", "x"], "--json and --curve are the same file, x"),
    (["solve", "tsptw", "small", "--curve", "x.png", "--plot", "./x.png"], "--curve and --plot are the same file"),
    (["solve", "tsptw", "small", "--plot", "out.xyz"], "out.xyz: unknown picture format 'xyz'"),
    (["solve", "tsptw"], "Missing argument 'INSTANCE'. Expected a file, or a name of `nrpa list tsptw`."),
    (["solve", str(EXAMPLES / "snake.py")], "Missing argument 'INSTANCE'. Expected a name that Snake.load takes."),
    (["solve", str(EXAMPLES / "knapsack.py")], "'INSTANCE'. Expected a file that Knapsack.from_source reads."),
    (["solve", "tsptw", "small", "--nonsense"], "--nonsense"),
    (["check", "tsptw", "small", "none"], "none: cannot be read"),
    (["check", "tsptw", "small", "empty"], "empty: is empty"),
    (["check", "tsptw", "small", "words"], "words: expected whole numbers, found 'one'"),
    (["check", "tsptw", "small", "broken.json"], "broken.json:1: is not JSON"),
    (["check", "tsptw", "small", "other.json"], "other.json: holds a solution of samegame, not of tsptw"),
    (["check", "tsptw", "small", "flat.json"], "flat.json: figures must be an object"),
    (["check", "tsptw", "small", "nokey.json"], "nokey.json: has no key 'solution'"),
    (["check", "tsptw", "small", "square"], "square: expected whole numbers, found '1²'"),
    (["check", "samegame", "samegame-01", "square"], "square: expected whole numbers, found '1²'"),
    (["check", "tsptw", "small", "long"], "long: expected whole numbers, found '1111"),
    (["check", "tsptw", "small", "long.json"], "long.json: is JSON that cannot be read"),
    (["check", "tsptw", "small", "deep.json"], "deep.json: is JSON of too many lists within lists"),
    (["check", "tsptw", "small", "cut.json"], "cut.json:3: is not JSON (Expecting value)"),
    (["check", "tsptw", "small", "cutter.json"], "cutter.json:1: is not JSON (Expecting value)"),
    (["solve", "tsptw", "long"], "long:1: expected the number of cities, found '1111"),
    (["list", "knapsack"], "unknown problem 'knapsack'"),
    (["frobnicate"], "frobnicate"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[" ".join(arguments)[:99] for arguments, _ in BAD])
def test_bad_input_is_one_sentence(nrpa_command, tmp_path, arguments, message):
    """Exit code 2, one line on standard error, nothing on standard output, no file written."""
    (tmp_path / "folder").mkdir()
    files = {
        "empty": b"",
        "binary": b"\xff\xfe\x00",
        "zeros": b"3\0",
        "short": b"3\n1 2\n",
        "small": SMALL.encode(),
        "words": b"one two",
        "broken.json": b"{",
        "other.json": b'{"problem": "samegame", "solution": []}',
        "flat.json": b'{"solution": [1, 2], "figures": 3}',
        "nokey.json": b"{}",
        "square": "1² 2\n".encode(),
        "long": b"1" * 5000,
        "long.json": b"[" + b"1" * 5000 + b"]",
        "deep.json": b"[" * 200_000,
        "cut.json": b"[\n1,\n",
        "cutter.json": b"[[",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    code, out, err = nrpa_command(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"folder", *files}


def test_list(nrpa_command):
    """On a page: problems, solvers, the number of instances. Of a problem: these, with their best-known values."""
    code, out, _ = nrpa_command("list")
    assert code == 0
    assert "travelling salesman with time windows" in out
    assert "gnrpa" in out
    assert "snake 16" in out
    assert out.count("\n") < 60
    code, out, _ = nrpa_command("list", "tsptw")
    assert code == 0
    rows = [line.split() for line in out.splitlines()]
    assert ["rc204.1", "46", "878.64", "Baldacci", "et", "al.", "(2012)"] in rows
    assert ["rc208.3", "36", "634.44", "nobody", "yet"] in rows


def test_help():
    """Each command explains itself."""
    runner = CliRunner()
    assert "Nested Monte Carlo search" in runner.invoke(cli.commands, ["--help"]).output
    assert "tsptw" in runner.invoke(cli.commands, ["solve", "--help"]).output
    solve_help = runner.invoke(cli.commands, ["solve", "tsptw", "--help-all"], terminal_width=200).output
    for option in ("--tau", "--moves", "--no-improvement", "--seed", "--json", "--curve", "--plot", "--adapt"):
        assert option in solve_help
    words = " ".join(solve_help.split())
    assert "[default: bias; nmcs, tempering and random: no-bias]" in words
    assert "Stop at this value (cost) or better." in words


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_keeps_the_result(tmp_path, number):
    """Ctrl-C, `timeout` and a closed terminal: exit code 0, status interrupted, JSON and curve written."""
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("ignored where the tests run, as under nohup")
    command = [sys.executable, "-m", "nrpa", "solve", "tsptw", "rc204.1", "--time", "60", "--json", "out.json"]
    process = subprocess.Popen(
        [*command, "--curve", "out.csv"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while "playouts" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(number)
    out, _ = process.communicate()
    assert process.returncode == 0
    assert "status      interrupted" in out
    result = nrpa.Result.from_json((tmp_path / "out.json").read_text())
    assert result.status == "interrupted"
    assert (tmp_path / "out.csv").exists()


LAST_THREAD = """
def run():
    while threading.main_thread().is_alive():
        time.sleep(0.01)
    os.kill(os.getpid(), {number})
    time.sleep({seconds})

threading.Thread(target=run).start()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("moment", ["atexit.register(os.kill, os.getpid(), {number})", LAST_THREAD])
def test_a_signal_while_the_program_ends(number, moment):
    """All is said: it changes no exit status, but for Ctrl-C while a thread is waited for, and says nothing."""
    waits = moment is LAST_THREAD and number == signal.SIGINT
    begin = moment.format(number=int(number), seconds=60 if waits else 0)
    end = "from nrpa.cli.main import program\nsys.argv = ['nrpa', 'list', 'hex']\nprogram()"
    script = f"import atexit, os, sys, threading, time\n{begin}\n{end}"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "hex" in found.stdout
    assert (found.returncode, found.stderr) == (130 if waits else 0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_before_the_search(nrpa_command, tmp_path, monkeypatch, number):
    """While numba compiles, it ends as soon as that can be: exit code 130, one sentence, no file."""
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("ignored where the tests run, as under nohup")

    def compiled(*arguments, **given):
        with global_compiler_lock:
            os.kill(os.getpid(), number)
            (tmp_path / "compiled").touch()

    monkeypatch.setattr("nrpa.solvers.interface.Started.start", compiled)
    code, out, err = solve_small(nrpa_command, "--json", "a.json", "--checkpoint", "c.npz")
    assert (code, out) == (130, "")
    assert err.splitlines()[-1] == "stopped before the search began"
    assert [path.name for path in tmp_path.iterdir()] == ["compiled"]


def test_an_unwritable_folder_is_refused_before_the_search(tmp_path, nrpa_command):
    """No playout is spent on a result that could not be kept."""
    if os.geteuid() == 0:
        pytest.skip("root can write anywhere")
    (tmp_path / "locked").mkdir(mode=0o500)
    code, _, err = solve_small(nrpa_command, "--json", "locked/out.json")
    assert code == 2
    assert "cannot be written" in err


def test_a_file_that_cannot_be_written_costs_no_result(nrpa_command, tmp_path, monkeypatch):
    """The result is printed, the other files are written, and each failure is a sentence; exit code 2."""
    monkeypatch.setattr("nrpa.io.files.require_writable", lambda path: None)
    code, out, err = solve_small(nrpa_command, "-q", "--json", "no/a.json", "--curve", "c.csv", "--plot", "no/p.png")
    assert (code, "status      playouts" in out) == (2, True)
    assert [line.split(":")[1] for line in err.splitlines()] == [" no/a.json", " no/p.png"]
    assert [path.name for path in tmp_path.iterdir()] == ["c.csv"]


def test_a_closed_standard_output_costs_no_file(tmp_path):
    """What reads the report may be gone."""
    options = ["--playouts", "9", "-q", "--json", "out.json"]
    with subprocess.Popen(
        [sys.executable, "-m", "nrpa", "solve", "tsptw", "rc201.1", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
    ) as process:
        process.stdout.close()
    assert nrpa.Result.from_json((tmp_path / "out.json").read_text()).playouts == 9


def test_workers_at_the_command_line(nrpa_command, tmp_path):
    """The same result for the same seed and workers, recorded; a number that cannot be is one sentence."""
    results = []
    for name in ("a.json", "b.json"):
        code, out, err = solve_small(nrpa_command, "--workers", "2", "--json", name)
        assert code == 0
        assert "2 workers" in out
        results.append(nrpa.Result.from_json((tmp_path / name).read_text()))
    assert results[0].workers == 2
    assert results[0].solution == results[1].solution
    for workers in ("0", "two", "1.5", ""):
        code, out, err = solve_small(nrpa_command, "--workers", workers)
        assert (code, out) == (2, "")
        assert "workers" in err


REFUSED = """
import nrpa

class Refused(nrpa.Problem):
    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return (0, 1) if len(state) < 3 else ()

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(state)

    def check(self, solution):
        return nrpa.Verdict({"bits": sum(solution)}, ["bit 1 is wrong"], score=float(sum(solution)))
"""


def test_a_solution_that_is_not_valid(nrpa_command, tmp_path):
    """It is printed and written, and the exit status is 3, unless the score counts it: then 0, and it is said."""
    (tmp_path / "refused.py").write_text(REFUSED)
    code, out, _ = nrpa_command("solve", "refused.py:Refused", "--playouts", 5, "--seed", 1, "--json", "out.json")
    assert code == 3
    assert "valid       no, which its score does not count: bit 1 is wrong" in out
    assert json.loads((tmp_path / "out.json").read_text())["faults"] == ["bit 1 is wrong"]
    assert nrpa_command("check", "refused.py:Refused", "out.json")[0] == 1
    code, out, _ = nrpa_command("solve", "tsptw", "rc204.1", "--level", 1, "--playouts", 1, "--seed", 4)
    assert code == 0
    assert "\nvalid       no: " in out
    assert "\nvalid       yes\n" in solve_small(nrpa_command)[1]


def test_what_says_that_it_is_optimal(nrpa_command, tmp_path):
    """Is believed where a bound proves it; of a tree search, which may have been everywhere, a note is said."""
    (tmp_path / "items").write_text("3 10 6 4 3")
    record = {"problem": "binpacking", "solution": [[6, 4], [3]], "status": "optimal", "solver": "gnrpa"}
    for solution, solver, expected, said in (
        ([[6, 4], [3]], "gnrpa", 0, ""),
        ([[6], [4], [3]], "gnrpa", 1, "the file says optimal, but no bound of binpacking proves it"),
        ([[6], [4], [3]], "uct", 0, "note: the file says optimal, but no bound of binpacking proves it"),
    ):
        (tmp_path / "out.json").write_text(json.dumps({**record, "solution": solution, "solver": solver}))
        code, out, err = nrpa_command("check", "binpacking", "items", "out.json")
        assert code == expected
        assert said in out + err
        assert ("optimal" in out + err) == bool(said)


def test_too_little_memory_is_one_sentence(monkeypatch, capsys):
    """With what NumPy says of it, and no traceback."""

    def fail(standalone_mode):
        raise MemoryError("Unable to allocate 381. MiB")

    monkeypatch.setattr(cli, "commands", fail)
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("error: there is not enough memory (Unable to allocate 381. MiB); try")
