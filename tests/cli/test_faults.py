"""Errors as JSON."""

import json
import subprocess
import sys

import pytest

import nrpa
import nrpa.cli.main as cli
from nrpa.cli.faults import CODES

PROBLEMS = """
import nrpa

class Crash(nrpa.Problem):
    def initial_state(self):
        return 0

    def legal_moves(self, state):
        return (0, 1) if state < 3 else ()

    def play(self, state, move):
        return state + 1 // (1 - move)

    def score(self, state):
        return state

def cost(order):
    return order[0]

class Shared(Crash):
    def initial_state(self):
        return [0]

    def legal_moves(self, state):
        return (0, 1) if len(state) < 4 else ()

    def play(self, state, move):
        state.append(move)
        return state

    def score(self, state):
        return 1
"""
FAULTS = [
    (["solve", "tsptw", "short"], "bad-input", "expected 3x3 distances and 3 windows"),
    (["solve", "tsptw"], "bad-input", "see nrpa solve tsptw --help"),
    ([], "bad-input", "see nrpa --help"),
    (["solve", "tsptw", "rc204.1", "--solver", "problems.py:X"], "bad-input", "correct what the message names"),
    (["check", "tsptw", "rc204.1", "none"], "bad-input", "correct what the message names"),
    (["solve", "tsptx", "rc204.1"], "unknown-name", "did you mean tsptw?"),
    (["solve", "tsptw", "rc204.9"], "unknown-name", "did you mean rc204.3"),
    (["solve", "tsptw", "rc204.1", "--tao", "1"], "unknown-name", "see nrpa solve tsptw --help"),
    (["solv"], "unknown-name", "see nrpa --help"),
    (
        ["bench", "tsptw", "rc204.1", "--out", "x.csv", "--variant", "a:solver=b"],
        "unknown-name",
        "expected one of gnrpa",
    ),
    (["solve", "tsptw", "rc204.1", "--solver", "GNRPA"], "unknown-name", "did you mean gnrpa?"),
    (["solve", "TSPTW", "rc204.1"], "unknown-name", "did you mean tsptw?"),
    (["solve", "problems.py:cost", "x"], "bad-problem", "write `problem = nrpa.permutation(n, cost)` in the file"),
    (["solve", "problems.py:Shared"], "bad-problem", "return a new state, or define copy(state)"),
    (["solve", "problems.py:Crash"], "bad-problem", "`nrpa diagnose` checks it"),
]


@pytest.mark.parametrize(("arguments", "code", "remedy"), FAULTS, ids=[" ".join(words) for words, _, _ in FAULTS])
def test_an_error_as_json(nrpa_command, tmp_path, arguments, code, remedy):
    """The last line of standard error is one object, its code is documented, and the exit code is 2."""
    (tmp_path / "short").write_text("3\n1 2\n")
    (tmp_path / "problems.py").write_text(PROBLEMS)
    status, out, err = nrpa_command(*arguments, "--errors", "json")
    assert (status, out) == (2, "")
    assert "Traceback" not in err
    error = json.loads(err.splitlines()[-1])["error"]
    assert list(error) == ["code", "message", "remedy"]
    assert error["code"] == code
    assert code in CODES
    assert remedy in error["remedy"]
    if "problems.py:Crash" in arguments:
        assert "problems.py:12: ZeroDivisionError: " in error["message"]


HELPER = """
def lower(number):
    return nubmer - 1
"""
AUTHOR = """
import nrpa
from helper import lower

def make(instance):
    return nrpa.permutation(3, lambda order: lower(order[0]))
"""


def test_an_error_in_a_users_file_shows_the_users_lines(nrpa_command, tmp_path, monkeypatch):
    """Neither the frames of nrpa nor those of click are printed; NRPA_DEBUG=1 prints them all."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "helper", raising=False)
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "author.py").write_text(AUTHOR)
    status, _, err = nrpa_command("solve", "author.py:make", "x", "-q")
    lines = [line for line in err.splitlines() if "^" not in line]
    assert (status, len(lines)) == (2, 5)
    assert lines[0].endswith('author.py", line 6, in <lambda>')
    assert lines[2].endswith('helper.py", line 3, in lower')
    assert lines[3:] == [
        "    return nubmer - 1",
        "error: NameError: name 'nubmer' is not defined; <lambda> was given [0, 1, 2]",
    ]
    with nrpa.debug(), pytest.raises(NameError):
        nrpa_command("solve", "author.py:make", "x", "-q")


def test_a_cost_is_no_problem(nrpa_command, tmp_path):
    """Where a function needs an instance, or is compiled, the message says what makes a problem of a cost."""
    (tmp_path / "costs.py").write_text(
        "import numba\ndef plain(order):\n    return order[0]\njitted = numba.njit(plain)\n"
    )
    for name in ("plain", "jitted"):
        status, _, err = nrpa_command("solve", f"costs.py:{name}")
        assert status == 2
        assert f"if it is a cost, write `problem = nrpa.permutation(n, {name})` in the file, and solve FILE" in err


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("option", [["--errors", "json"], ["--errors=json"]])
def test_the_option_stands_anywhere(nrpa_command, place, option):
    """Before the command, after it, and among its arguments."""
    words = ["solve", "tsptw", "rc204.9"]
    words[place:place] = option
    assert json.loads(nrpa_command(*words)[2])["error"]["message"].startswith("rc204.9: no such file")


def test_the_environment_asks_for_json_and_an_option_for_text(nrpa_command, monkeypatch):
    """The option counts more."""
    monkeypatch.setenv("NRPA_ERRORS", "json")
    assert json.loads(nrpa_command("solv")[2])["error"]["code"] == "unknown-name"
    assert nrpa_command("--errors", "text", "solv")[2].startswith("error: No such command")


@pytest.mark.parametrize(
    ("raised", "code", "status"),
    [
        (MemoryError("Unable to allocate 381. MiB"), "limit", 2),
        (KeyboardInterrupt(), "interrupted", 130),
        (RuntimeError("odd"), "internal", 2),
    ],
)
def test_what_nobody_asked_for(monkeypatch, nrpa_command, raised, code, status):
    """Too little memory, Ctrl-C and an exception of nrpa itself: no traceback, either."""

    def fail(standalone_mode):
        raise raised

    monkeypatch.setattr(cli, "commands", fail)
    found, _, err = nrpa_command("--errors=json", "list")
    assert (found, json.loads(err)["error"]["code"]) == (status, code)


def test_a_package_that_is_not_installed(nrpa_command, monkeypatch):
    """The remedy is the command that installs it."""
    monkeypatch.setattr("nrpa.search.clusters.find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "distributed", raising=False)
    _, _, err = nrpa_command("--errors=json", "solve", "tsptw", "rc204.1", "--dask", "local")
    error = json.loads(err.splitlines()[-1])["error"]
    assert (error["code"], error["remedy"]) == ("not-installed", "pip install '.[dask]'")


NOISY = """
import atexit, ctypes, os, warnings
import nrpa

print("imported")
atexit.register(print, "at exit")
C = ctypes.CDLL(None)

class Noisy(nrpa.Problem):
    def initial_state(self):
        return ()

    def legal_moves(self, state):
        C.printf(b"from C, which keeps it until the end\\n")
        return (0, 1) if len(state) < 3 else ()

    def play(self, state, move):
        print("plays", move)
        warnings.warn("odd")
        os.write(1, b"raw\\n")
        return (*state, move)

    def score(self, state):
        return sum(state)

    def check(self, solution):
        print("checks")
        return nrpa.Verdict({"score": sum(solution)}, score=sum(solution))
"""
RECORDS = [
    "solve noisy.py:Noisy --playouts 20 --seed 1 -q --json=-",
    "solve noisy.py:Noisy --playouts 20 --seed 1 --workers 2 --checkpoint c.npz --json -",
    "check noisy.py:Noisy solution --json -",
    "choose hex --size 3 --playouts 5 --seed 1 -q --json -",
    "diagnose noisy.py:Noisy --playouts 5 --json /dev/stdout",
    "tune noisy.py:Noisy --playouts 5 --trials 1 --runs 1 --fresh-runs 2 -q --json -",
    "list --json -",
    "list noisy.py:Noisy --json -",
    "schema result",
]


@pytest.mark.parametrize("command", RECORDS)
def test_standard_output_holds_the_record_alone(tmp_path, command):
    """Prints of a user's class, at its import, in its methods, from C and at the end, are on standard error."""
    (tmp_path / "noisy.py").write_text(NOISY)
    (tmp_path / "solution").write_text("[1, 1, 1]")
    words = [sys.executable, "-m", "nrpa", *command.split()]
    found = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert isinstance(json.loads(found.stdout), dict)
    assert ("at exit" in found.stderr) == ("noisy.py" in command)
    searches = command.split()[0] in ("solve", "diagnose", "tune") and "noisy.py" in command
    assert ("which keeps it" in found.stderr) == searches


def test_a_curve_on_standard_output_is_alone_too(tmp_path):
    """It is no JSON, but it is read by programs as well."""
    words = [sys.executable, "-m", "nrpa", "solve", "tsptw", "rc201.1", "--playouts", "9", "--curve", "-"]
    found = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert found.stdout.startswith("seconds,playouts,score\n")
    assert "status" in found.stderr
