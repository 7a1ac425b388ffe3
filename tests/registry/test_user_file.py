import json
import pickle
import subprocess
import sys

import pytest
from click.testing import CliRunner
from user_problems import EXAMPLES, Bits

import nrpa
from nrpa.cli.main import commands
from nrpa.registry import read_problem, solver_class, users_class


def test_the_command_line_works_on_a_users_problem(nrpa_command, tmp_path):
    """Solve with its drawing, JSON, and the check of what was written."""
    name, instance = f"{EXAMPLES / 'knapsack.py'}:Knapsack", EXAMPLES / "knapsack.txt"
    options = ("--solver", "nmcs", "--level", 1, "--playouts", 200, "--seed", 1, "--json", "k.json")
    code, out, err = nrpa_command("solve", name, instance, *options)
    assert code == 0, err
    assert "value       51" in out
    assert json.loads((tmp_path / "k.json").read_text())["solution"] == ["leave", "take", "take", "take", "leave"]
    assert nrpa_command("check", EXAMPLES / "knapsack.py", instance, "k.json")[1] == "valid: value 51\n"


def test_a_problem_with_a_load_of_its_own_takes_an_instance(nrpa_command):
    """INSTANCE is what its ``load`` makes of it."""
    snake = f"{EXAMPLES / 'snake.py'}:Snake"
    options = ("--solver", "nmcs", "--level", 1, "--playouts", 50, "--seed", 1, "-q", "--json", "s.json")
    code, out, err = nrpa_command("solve", snake, 4, *options)
    assert (code, out.splitlines()[0]) == (0, "instance    Snake 4 dimensions"), err
    assert nrpa_command("check", snake, 4, "s.json")[1].startswith("valid: edges ")
    assert nrpa_command("solve", snake, "four")[2] == "error: four: expected a number of dimensions from 2 to 10\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none.py:A", None, "none.py: no such file"),
        (
            "p.py:A",
            "import nrpa\nclass Ab(nrpa.Problem): pass\n",
            "p.py: nothing of the kind is called A; expected a class of problems, a problem, or a function to one; "
            r"found Ab; did you mean Ab\?",
        ),
        (
            "p.py",
            "x = 1\n",
            r"p.py: expected a class of problems, a problem, or a function to one; found none",
        ),
        (
            "p.py",
            "import nrpa\nclass A(nrpa.Problem): pass\nclass B(A): pass\n",
            r"found A, B; choose one with p.py:NAME",
        ),
        (
            "p.py",
            "import nrpa\na = nrpa.permutation(3, max)\nb = nrpa.permutation(4, max)\n",
            r"found a, b; choose one with p.py:NAME",
        ),
        ("p.py:A", "import nrpa\n\nx = 1 / 0\n", r"p.py:3: cannot be imported \(ZeroDivisionError: division by zero\)"),
        ("p.py:A", "import nrpa\nclass A(\n", r"p.py:2: cannot be imported \(SyntaxError"),
        ("p.py:A", "import nrpa\nclass A(nrpa.Problem): pass\n", r"A lacks the method initial_state\(\)"),
    ],
)
def test_bad_files_are_named(tmp_path, monkeypatch, name, text, message):
    """File, line and what was expected."""
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "p.py").write_text(text)
    with pytest.raises(nrpa.InputError, match=message):
        users_class(name)


def test_a_compiled_problem_in_a_script(tmp_path):
    """Kernels in ``__main__`` compile and run."""
    source = (EXAMPLES / "snake.py").read_text()
    ending = (
        'if __name__ == "__main__":\n    print(nrpa.solve(Snake(4), nrpa.NMCS(level=2), seed=1, playouts=500).edges)\n'
    )
    script = tmp_path / "script.py"
    script.write_text(source + "\n\n" + ending)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout == "7\n", done.stderr


NOTEBOOK = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
source = open(sys.argv[1]).read()
solve = "print(nrpa.solve(CompiledKnapsack([3, 4, 5], [4, 5, 6], 8), nrpa.NMCS(level=1), seed=1, playouts=20).score)"
for cell in (source, solve, source.replace("return 2", "return 1"), solve):
    shell.run_cell(cell).raise_error()
"""


def test_a_compiled_problem_in_a_notebook(tmp_path):
    """Kernels of a cell compile and run; of an edited cell run again, the new ones do."""
    pytest.importorskip("IPython")
    command = [sys.executable, "-c", NOTEBOOK, str(EXAMPLES / "knapsack_compiled.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout == "10.0\n0.0\n", done.stderr


def test_a_problem_without_instances_needs_no_name(nrpa_command, tmp_path):
    """A class that reads no files is solved, and checked, without INSTANCE."""
    (tmp_path / "coins.py").write_text(
        "import nrpa\n"
        "class Coins(nrpa.Problem):\n"
        "    objective = nrpa.Objective('coins', sign=-1)\n"
        "    def initial_state(self): return (7, 0)\n"
        "    def legal_moves(self, state): return [coin for coin in (1, 3, 5) if coin <= state[0]]\n"
        "    def play(self, state, move): return (state[0] - move, state[1] + 1)\n"
        "    def score(self, state): return -state[1]\n"
    )
    options = ("--level", 1, "--playouts", 300, "--seed", 1, "--json", "out")
    code, out, err = nrpa_command("solve", "coins.py:Coins", *options)
    assert (code, "coins       3" in out) == (0, True), err
    code, out, err = nrpa_command("check", "coins.py:Coins", "out")
    assert (code, out) == (0, "valid: coins 3\n"), err


@pytest.mark.parametrize("solution", ["1 0 1", "1 0 1 0 2", "[1, 0]", '{"solution": "00000"}', '{"solution": 5}'])
def test_the_compiled_knapsack_says_what_is_no_solution(nrpa_command, tmp_path, solution):
    """A solution of the wrong length or form is a fault that the check states."""
    (tmp_path / "solution").write_text(solution)
    name = f"{EXAMPLES / 'knapsack_compiled.py'}:CompiledKnapsack"
    expected = "not valid\n  expected 5 times 0 or 1, for each item whether it is taken\n"
    assert nrpa_command("check", name, EXAMPLES / "knapsack.txt", "solution") == (1, expected, "")


@pytest.mark.parametrize("example", ["knapsack.py:Knapsack", "knapsack_compiled.py:CompiledKnapsack"])
@pytest.mark.parametrize(
    ("text", "error"),
    [("a b c", "ValueError: invalid literal for int() with base 10: 'a'"), ("", "IndexError: list index out of range")],
)
def test_an_instance_that_from_source_cannot_read(nrpa_command, tmp_path, example, text, error):
    """The file, the class and what it raised, in a sentence."""
    (tmp_path / "words").write_text(text)
    code, out, err = nrpa_command("solve", EXAMPLES / example, "words")
    message = f"words: {example.split(':')[1]}.from_source cannot read it ({error})"
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


class OwnLoad(Bits):
    """Reads instances in a way of its own."""

    @classmethod
    def load(cls, name, **options):
        return {"ten": cls(), "none": None}[name] if name != "file" else open("/nowhere/at/all")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ninety", r"ninety: OwnLoad.load cannot read it \(KeyError: 'ninety'\)"),
        ("file", r"file: OwnLoad.load cannot read it \(FileNotFoundError: "),
        ("none", "OwnLoad.load returned None; expected a problem"),
    ],
)
def test_an_instance_that_a_load_of_its_own_does_not_know(name, said):
    """One sentence, at the command line and in an experiment; one that it knows keeps its name."""
    problem = read_problem(OwnLoad, "ten", {})
    assert isinstance(problem, OwnLoad)
    assert problem.label == "ten"
    with pytest.raises(nrpa.InputError, match=f"^{said}"):
        read_problem(OwnLoad, name, {})


HELD = """
import nrpa

class Ones(nrpa.Problem):
    def __init__(self, length=4):
        self.length = length

    def initial_state(self):
        return 0, 0

    def legal_moves(self, state):
        return [0, 1] if state[0] < self.length else []

    def play(self, state, move):
        return state[0] + 1, state[1] + move

    def score(self, state):
        return state[1]

def distance(order):
    return abs(order[0] - order[1])

orders = nrpa.permutation(3, distance)
ones = Ones(5)

def of_length(name):
    return nrpa.permutation(int(name), distance)

Decorated = nrpa.compiled(type("Decorated", (Ones,), {"__module__": __name__}))
"""


@pytest.mark.parametrize(
    ("words", "best"),
    [
        ("orders", "cost        1\n"),
        ("of_length 4", "cost        1\n"),
        ("ones", "score       5\n"),
        ("Ones", "score       4\n"),
        ("ones --compile", "score       5\n"),
        ("Ones --compile", "score       4\n"),
    ],
)
def test_a_name_may_be_a_problem_or_a_function(tmp_path, words, best):
    """At the command line FILE.py:NAME is a class, a problem, or a function to one, compiled if that is asked for."""
    (tmp_path / "held.py").write_text(HELD)
    name, *more = words.split()
    given = [
        "solve",
        f"{tmp_path / 'held.py'}:{name}",
        *more,
        "--solver",
        "random",
        "--playouts",
        "300",
        "--seed",
        "1",
        "-q",
    ]
    result = CliRunner().invoke(commands, given)
    assert best in result.output, result.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("of_length four", "of_length cannot read it (ValueError"),
        ("of_length", "Expected a name from which of_length makes a problem"),
        ("orders --compile", "is a function of a sequence, not a class; to compile it, decorate it with numba.njit"),
        ("Decorated --compile", "Decorated is compiled already; leave --compile (nrpa.compiled) out"),
    ],
)
def test_what_is_no_problem_is_refused(tmp_path, words, said):
    """A function that fails, and a problem that cannot be compiled as it stands, are a sentence."""
    (tmp_path / "held.py").write_text(HELD)
    name, *more = words.split()
    result = CliRunner().invoke(commands, ["solve", f"{tmp_path / 'held.py'}:{name}", *more, "--playouts", "3"])
    assert said in f"{result.exception} {result.output}"


def test_a_solver_of_a_file_goes_to_other_processes():
    """They load the file."""
    solver = solver_class(f"{EXAMPLES / 'iterated_greedy.py'}")(part=0.3)
    code = f"import pickle; print(pickle.loads({pickle.dumps(solver)!r}).options)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{'part': 0.3}\n"


def test_several_solvers_in_a_file_are_named(tmp_path):
    """And how to choose one; a class that is none is not among them."""
    text = "import nrpa\nclass A(nrpa.PythonSolver): pass\nclass B(nrpa.PythonSolver): pass\nclass C: pass\n"
    (tmp_path / "s.py").write_text(text)
    with pytest.raises(nrpa.InputError, match=r"s.py: expected a class of solvers; found A, B; choose one with .*NAME"):
        solver_class(str(tmp_path / "s.py"))
    with pytest.raises(
        nrpa.InputError, match=r"nothing of the kind is called C; expected a class of solvers; found A, B$"
    ):
        solver_class(f"{tmp_path / 's.py'}:C")
