import json
from pathlib import Path

import pytest

import nrpa
from nrpa.registry import problem_class

SMALL = ("--seed", 1, "--playouts", 50, "--solver", "random")


@pytest.mark.parametrize("compiled", [(), ("--compiled",)])
def test_what_is_written_runs_at_once(nrpa_command, compiled):
    """By the command that is printed, with the best of all choices; the check agrees."""
    code, out, err = nrpa_command("new", "my tour.py", *compiled)
    assert (code, out) == (0, "my tour.py: the class MyProblem, my tour.txt: an instance of it\n")
    assert err == "next: nrpa solve 'my tour.py:MyProblem' 'my tour.txt' --time 2 --json 'my tour.json'\n"
    words = ("my tour.py:MyProblem", "my tour.txt")
    code, out, err = nrpa_command("solve", *words, *SMALL, "--json", "my tour.json")
    assert (code, json.loads(Path("my tour.json").read_text())["figures"]["value"]) == (0, 51), err
    assert nrpa_command("check", *words, "my tour.json")[0] == 0


def test_what_is_written_keeps_the_contract(nrpa_command):
    """And is the same problem twice: kernels and plain Python play the same games."""
    nrpa_command("new", "plain.py")
    nrpa_command("new", "compiled.py", "--compiled")
    plain, compiled = (problem_class(f"{name}.py:MyProblem").load(f"{name}.txt") for name in ("plain", "compiled"))
    for problem in (plain, compiled):
        contract = nrpa.check_problem(problem, games=5)
        assert contract.kept, contract.summary()
    assert not compiled.check([1, 1, 1, 1, 1]).valid
    assert nrpa.check_problem(compiled, games=5, twin=plain).kept


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
