"""No output replaces what the command reads."""

import sys

import pytest

import nrpa
from nrpa.cli import main as cli

BITS = """
import nrpa

class Bits(nrpa.Problem):
    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return () if len(state) == 3 else (0, 1)

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(state)
"""
SMALL = "3\n0 5 8\n15 0 15\n18 15 0\n0 100\n5 50\n0 60\n"
CSV = "variant,instance,seed,playouts,score\nA,i,1,2,-3.5\n"
TOML = 'problem = "tsptw"\ninstances = ["small.json"]\nplayouts = 5\n[variants.A]\nlevel = 1\n'
BENCH = ["--playouts", "5", "--runs", "1", "-q"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "tsptw", "small.json", "--playouts", "9", "--json", "small.json"],
        ["solve", "tsptw", "small.json", "--playouts", "9", "--curve", "./small.json"],
        ["solve", "tsptw", "small.png", "--playouts", "9", "--plot", "small.png"],
        ["solve", "binpacking", "several.txt:u3", "--playouts", "9", "--json", "several.txt"],
        ["solve", "user.py:Bits", "--playouts", "9", "--json", "user.py"],
        ["solve", "user.py", "--playouts", "9", "--curve", "helper.py"],
        ["plot", "a.svg", "--out", "a.svg"],
        ["plot", "--solution", "result.svg", "--out", "result.svg"],
        ["plot", "--solution", "result.svg", "--instance", "small.png", "--out", "small.png"],
        ["plot", "--solution", "result.svg", "--out", "small.png"],
        ["bench", "e.toml", "--out", "e.toml"],
        ["bench", "tsptw", "small.json", "--out", "small.csv", *BENCH],
        ["bench", "tsptw", "a.playouts.csv", "--out", "a.csv", *BENCH],
        ["bench", "user.py:Bits", "--out", "user.py", *BENCH],
    ],
    ids=" ".join,
)
def test_an_input_is_not_replaced(tmp_path, monkeypatch, capsys, arguments):
    """Exit code 2 and a sentence, before anything runs; all files are as they were."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.png").write_text(SMALL)
    result = nrpa.solve(nrpa.TSPTW.load("small.png"), seed=1, playouts=3).to_json()
    files = {
        "small.json": SMALL,
        "small.png": SMALL,
        "a.playouts.csv": SMALL,
        "several.txt": "1\nu3\n10 3 2\n6\n4\n3\n",
        "user.py": "import helper\n" + BITS,
        "helper.py": "",
        "a.svg": CSV,
        "e.toml": TOML,
        "result.svg": result,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(sys, "argv", ["nrpa", *arguments])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "helper", raising=False)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    err = capsys.readouterr().err
    assert (stop.value.code, "which is read" in err, err.count("\n")) == (2, True, 1), err
    assert {path.name: path.read_text() for path in tmp_path.iterdir() if path.is_file()} == files
