import json

import pytest
from user_problems import EXAMPLES

PROBLEM = (f"{EXAMPLES / 'knapsack.py'}:Knapsack", EXAMPLES / "knapsack.txt")
BUDGET = ("--playouts", 40, "--trials", 3, "--runs", 2, "--fresh-runs", 2)


def test_tune_shows_trials_and_prints_the_command(nrpa_command, tmp_path):
    """Progress on standard error, the outcome on standard output and as JSON; the printed command runs."""
    code, out, err = nrpa_command("tune", *PROBLEM, *BUDGET, "--alpha", 2, "--out", "a.db", "--json", "a.json")
    assert code == 0
    assert err.startswith("0 of 10 runs, 1 running, 0:00 gone\ntrial 0: gnrpa --alpha 2.0: gain +0.00%\n")
    assert err.count("trial ") == 3
    found = json.loads((tmp_path / "a.json").read_text())
    assert [trial["state"] for trial in found["trials"]] == ["COMPLETE"] * 3
    assert {trial["configuration"]["alpha"] for trial in found["trials"]} == {2.0}
    assert f"use      {found['command']}" in out.splitlines()
    words = found["command"].split()
    assert words[:2] == ["nrpa", "solve"]
    assert nrpa_command(*words[1:], "-q")[0] == 0
    assert nrpa_command("tune", *PROBLEM, *BUDGET, "--alpha", 2, "--out", "a.db", "-q") == (0, out, "")


def test_solvers_values_and_names_can_be_chosen(nrpa_command, tmp_path):
    """--solver, --over and --only; what --over allows is what is tried."""
    choice = ("--solver", "nrpa,random", "--over", "level=1,2", "--only", "level,bias")
    code, _, _ = nrpa_command("tune", *PROBLEM, *BUDGET, "--trials", 6, *choice, "--json", "a.json", "-q")
    found = json.loads((tmp_path / "a.json").read_text())
    tried = [trial["configuration"] for trial in found["trials"]]
    assert code == 0
    assert tried[0] == {"solver": "nrpa"}
    known = [{"solver": "nrpa", "level": k} for k in (1, 2)] + [{"solver": "random", "bias": b} for b in (False, True)]
    assert all(each in known for each in tried[1:])
    assert len({each["solver"] for each in tried}) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tsptw",), "Missing argument 'INSTANCES...'"),
        (("chess", "x"), "unknown problem 'chess'"),
        (("tsptw", "rc201.1", "--solver", "x"), "unknown solver 'x'"),
        (("tsptw", "rc201.1", "--solver", "gnrpa", "--c", 1), "unknown option 'c'"),
        (("tsptw", "rc201.1", "--over", "tau"), "--over: expected NAME=LOW:HIGH or NAME=A,B,C"),
        (("tsptw", "rc201.1", "--only", "taus"), "unknown option 'taus'"),
        (("tsptw", "rc201.1", "--workers", "two"), "workers must be a whole number"),
        (("tsptw", "rc201.1", "--workers", "9" * 5000), "workers must be a whole number"),
        (("tsptw", "rc201.1", "--out", "no/a.db"), "no such directory"),
        (("tsptw", "rc201.1", "--out", "a.db", "--json", "a.db"), "are the same file"),
        (("tsptw", "good.txt", "--out", "good.txt"), "would replace good.txt, which is read"),
        (("tsptw", "good.txt", "--json", "good.txt"), "would replace good.txt, which is read"),
    ],
)
def test_bad_input_is_one_sentence(nrpa_command, tmp_path, arguments, message):
    """Exit 2, one line, no traceback, and no file left behind."""
    (tmp_path / "good.txt").write_text("2\n0 1\n1 0\n0 9\n0 9\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    code, out, err = nrpa_command("tune", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
