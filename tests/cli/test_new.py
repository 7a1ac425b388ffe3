import json
from pathlib import Path

import pytest
from knapsack import Knapsack

import nrpa
from nrpa.registry import problem_class, solver_class

SMALL = ("--seed", 1, "--playouts", 3000, "--solver", "random")


@pytest.mark.parametrize(
    ("written", "more", "best"), [((), (), 50), ((), ("--compile",), 50), (("--kernels",), (), 51)]
)
def test_what_is_written_runs_at_once(nrpa_command, written, more, best):
    """By the command that is printed, with the best of all choices; the check agrees."""
    code, out, err = nrpa_command("new", "my tour.py", *written)
    assert (code, out) == (0, "my tour.py: the class MyProblem, my tour.txt: an instance of it\n")
    faster = "" if written else " | faster: --compile"
    assert err == f"next: nrpa solve 'my tour.py:MyProblem' 'my tour.txt' --time 2 --json 'my tour.json'{faster}\n"
    words = ("my tour.py:MyProblem", "my tour.txt")
    code, out, err = nrpa_command("solve", *words, *SMALL, *more, "--json", "my tour.json")
    assert (code, json.loads(Path("my tour.json").read_text())["score"]) == (0, best), err
    assert nrpa_command("check", *words, "my tour.json")[0] == 0


def test_what_is_written_keeps_the_contract(nrpa_command):
    """And kernels and plain Python play the same games."""
    nrpa_command("new", "plain.py")
    nrpa_command("new", "kernels.py", "--kernels")
    plain, kernels = (problem_class(f"{name}.py:MyProblem").load(f"{name}.txt") for name in ("plain", "kernels"))
    for problem in (plain, kernels):
        contract = nrpa.check_problem(problem, games=5)
        assert contract.kept, contract.summary()
    assert not kernels.check([1, 1, 1, 1, 1]).valid
    assert nrpa.check_problem(kernels, games=5, twin=Knapsack.load("kernels.txt")).kept


def test_a_solver_that_is_written_runs_at_once(nrpa_command):
    """By the command that is printed, with its option, and from its checkpoint; it keeps the contract."""
    code, out, err = nrpa_command("new", "--solver", "mine.py")
    assert (code, out) == (0, "mine.py: the class MySolver\n")
    assert err == "next: nrpa solve tsptw rc201.1 --solver mine.py:MySolver --time 2\n"
    words = ("solve", "tsptw", "rc201.1", "--solver", "mine.py:MySolver", "--part", "0.2", "-q")
    code, out, err = nrpa_command(*words, "--playouts", 60, "--seed", 1, "--checkpoint", "c.npz", "--json", "half.json")
    assert (code, "valid" in out) == (0, True), err
    nrpa_command(*words, "--playouts", 120, "--resume", "c.npz", "--json", "resumed.json")
    nrpa_command(*words, "--playouts", 120, "--seed", 1, "--json", "whole.json")
    resumed, whole = (json.loads(Path(f"{name}.json").read_text()) for name in ("resumed", "whole"))
    assert (resumed["solution"], resumed["options"]["part"]) == (whole["solution"], 0.2)
    assert nrpa.check_solver(solver_class("mine.py")(), nrpa.Snake(6), playouts=20) == []
    assert "give it as well" in nrpa_command("solve", "tsptw", "rc201.1", "--resume", "c.npz")[2]
    assert "--kernels and --solver exclude" in nrpa_command("new", "--solver", "--kernels", "other.py")[2]


def test_the_old_name_of_kernels_is_refused(nrpa_command):
    """The sentence says the new one."""
    code, out, err = nrpa_command("new", "a.py", "--compiled")
    assert (code, out, [*Path().iterdir()]) == (2, "", [])
    assert "--compiled is called --kernels now" in err


@pytest.mark.parametrize(
    ("file", "there", "said"),
    [
        ("a.py", "a.py", "a.py: exists already"),
        ("a.py", "a.txt", "a.txt: exists already"),
        ("a", "", "a: expected a name that ends in .py"),
        ("no/a.py", "", "no/a.py: cannot be written (no such directory)"),
    ],
)
def test_what_is_there_is_kept(nrpa_command, file, there, said):
    """Nothing is written, and one sentence says why."""
    if there:
        Path(there).write_text("mine")
    code, out, err = nrpa_command("new", file)
    assert (code, out) == (2, "")
    assert said in err
    assert [path.read_text() for path in Path().iterdir()] == (["mine"] if there else [])
