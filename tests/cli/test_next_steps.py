import re

import pytest

from nrpa.cli.solve import Outputs, next_steps
from nrpa.modelling.objective import Objective
from nrpa.search.result import Result

SEARCH = ("solve", "tsptw", "rc201.1", "--level", 1, "--playouts", 50, "--seed", 1)


def last_line(err):
    return err.splitlines()[-1]


def test_the_next_steps_work(nrpa_command, tmp_path):
    """They are commands: each of them, given as it is printed, ends well."""
    files = ("--json", "a b.json", "--checkpoint", "c.npz")
    code, out, err = nrpa_command(*SEARCH, "--moves", "all", *files)
    assert code == 0
    assert "next:" not in out
    assert last_line(err) == (
        "next: nrpa check tsptw rc201.1 --moves all 'a b.json' | nrpa plot --solution 'a b.json' --out 'a b.png' | "
        "nrpa solve tsptw rc201.1 --moves all --resume c.npz --playouts 100 | "
        "the default search: nrpa solve tsptw rc201.1 --moves all"
    )
    assert nrpa_command("check", "tsptw", "rc201.1", "--moves", "all", "a b.json")[0] in (0, 1)
    assert nrpa_command("plot", "--solution", "a b.json", "--out", "a b.png") == (0, "", "")
    code, out, _ = nrpa_command("solve", "tsptw", "rc201.1", "--moves", "all", "--resume", "c.npz", "--playouts", 100)
    assert (code, "100 playouts" in out) == (0, True)


OWN = """
import nrpa

class Bits(nrpa.Problem):
    objective = nrpa.Objective("cost", -1, digits=2)

    def __init__(self, steps): self.steps = steps

    @classmethod
    def load(cls, name):
        problem = cls(int(name))
        problem.origin = nrpa.Origin(f"{name} bits")
        return problem

    def initial_state(self): return ()
    def legal_moves(self, state): return () if len(state) == self.steps else (0, 1)
    def play(self, state, move): return (*state, move)
    def score(self, state): return -float(sum(state))
"""


def test_the_next_steps_of_a_problem_of_ones_own_work(nrpa_command, tmp_path):
    """Also where its instances have other labels than the names by which they are read."""
    (tmp_path / "own.py").write_text(OWN)
    err = nrpa_command("solve", "own.py:Bits", 5, *SEARCH[3:], "--json", "o.json", "--checkpoint", "c.npz")[2]
    steps = last_line(err).removeprefix("next: ").split(" | ")
    assert [step.split()[1] for step in steps[:3]] == ["check", "plot", "solve"]
    assert steps[3:] == ["the default search: nrpa solve own.py:Bits 5"]
    for step in steps[:3]:
        assert nrpa_command(*step.split()[1:])[0] == 0
    assert (tmp_path / "o.png").stat().st_size > 0


def test_a_cost_of_nothing_has_no_sign(nrpa_command, tmp_path):
    """Its score is -0.0; the report, JSON, curve, records and tables show 0."""
    (tmp_path / "own.py").write_text(OWN)
    budget = ("--playouts", 200, "--seed", 1)
    files = ("--json", "o.json", "--curve", "o.csv")
    code, out, err = nrpa_command("solve", "own.py:Bits", 3, "--solver", "nrpa", "--level", 1, *budget, *files)
    assert code == 0
    assert "0.00" in err
    variants = ("--variant", "A:solver=nrpa,level=1", "--variant", "B:solver=nrpa,level=1")
    bench = ("bench", "own.py:Bits", 3, *variants, *budget, "--runs", 2, "--workers", 1, "--out", "b.csv", "-q")
    assert nrpa_command(*bench)[0] == 0
    table = nrpa_command("table", "b.playouts.csv", "--versus", "A")[1]
    assert "0.00 (0.00)" in table
    assert "+0.00 [no spread]" in table
    record = (tmp_path / "o.json").read_text()
    texts = [out, err, table, record, *((tmp_path / name).read_text() for name in ("o.csv", "b.csv", "b.best.json"))]
    assert not [text for text in texts if re.search(r"-0(\.0*)?\b(?!\.)", text)]


def test_what_is_offered_is_more_than_was_searched(nrpa_command):
    """A resumed search whose limit was reached before is offered twice what it has, not twice the limit."""
    nrpa_command(*SEARCH, "--checkpoint", "c.npz")
    err = nrpa_command("solve", "tsptw", "rc201.1", "--resume", "c.npz", "--playouts", 10)[2]
    assert "more time: --playouts 100 | the default search: nrpa solve tsptw rc201.1" in last_line(err)


def test_without_a_file_it_says_how_to_keep_the_result(nrpa_command):
    """And how to search for longer; nothing where only the result is asked for."""
    err = nrpa_command(*SEARCH)[2]
    keep = "next: keep it with --json FILE, for nrpa check and nrpa plot | more time: --playouts 100"
    assert last_line(err) == f"{keep} | the default search: nrpa solve tsptw rc201.1"
    assert nrpa_command(*SEARCH, "-q")[2] == ""


@pytest.mark.parametrize(
    ("words", "given", "expected"),
    [
        (
            ["a.py:A"],
            {"json": "o.json"},
            "next: nrpa check a.py:A o.json | nrpa plot --solution o.json --problem a.py:A ",
        ),
        (["a.py", "i"], {"json": "o.json"}, "nrpa plot --solution o.json --problem a.py --out"),
        (["a.py:A", "7"], {"instance": "7", "json": "o.json"}, "--problem a.py:A --instance 7 --out o.png"),
        (["tsptw", "-"], {"instance": "-", "json": "o.json"}, "next: more time: --time 5.12"),
        (["tsptw", "-"], {"instance": "-", "checkpoint": "c"}, "| more time: --time 5.12"),
        (["tsptw", "i"], {"json": "o.json", "plot": "./o.png"}, "--out o.solution.png | more time"),
        (["tsptw", "i"], {"json": "o.png"}, "--out o.solution.png | more time"),
        (["tsptw", "i"], {"json": "/dev/stdout"}, "next: more time: --time 5.12"),
        (["tsptw", "i"], {"json": "/dev/stdout", "status": "optimal"}, ""),
        (["tsptw", "i"], {"status": "target"}, "next: keep it with --json FILE, for nrpa check and nrpa plot"),
    ],
)
def test_what_is_of_no_use_is_left_out(words, given, expected):
    """Reading standard input again, more time where nothing is left to find, files that are none or were written."""
    given = {"instance": "i", "json": None, "plot": None, "checkpoint": None, "status": "time", **given}
    ended = (given.pop("status"), -5.0, Objective("cost", sign=-1), {}, [], 1, 2.56, [], [], 0.0)
    result = Result("tsptw", "i", "", "gnrpa", {}, {}, 3, {}, *ended)
    instance, outputs = given.pop("instance"), Outputs(curve=None, **given)
    line = next_steps(words, result, instance, outputs, {"time": None, "playouts": None})
    assert expected in line
    assert bool(line) == bool(expected)
