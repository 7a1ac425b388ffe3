import json
import re

import pytest

LINES = """
import nrpa

class Lines(nrpa.Problem):
    objective = nrpa.Objective("sum", sign=1)
    def initial_state(self): return (0,)
    def legal_moves(self, state): return [1, 2] if len(state) < 4 else []
    def play(self, state, move): return (*state, move)
    def score(self, state): return sum(state)

class Nim(nrpa.Problem):
    players = 2
    def initial_state(self): return (4, 0)
    def legal_moves(self, state): return [n for n in (1, 2) if n <= state[0]]
    def play(self, state, move): return (state[0] - move, 1 - state[1])
    def player(self, state): return state[1]
    def rewards(self, state): return (float(state[1] == 1), float(state[1] == 0))
"""


@pytest.fixture(autouse=True)
def lines(tmp_path, nrpa_command, monkeypatch):
    (tmp_path / "lines.py").write_text(LINES)
    monkeypatch.setattr("nrpa.base.debugging._debugging", [True])


def steps_in(path):
    return json.loads(re.search(r'id="data">(.*?)</script>', path.read_text(encoding="utf-8")).group(1))["steps"]


def test_show_writes_a_page(nrpa_command, tmp_path):
    """Of a list, of a result, of a random playout; the page is where --out says."""
    (tmp_path / "mine.txt").write_text("1 2 2")
    assert nrpa_command("show", "lines.py:Lines", "mine.txt") == (
        0,
        "Lines: sum 5\nshow.html plays it in a browser\n",
        "",
    )
    assert [step["move"] for step in steps_in(tmp_path / "show.html")] == ["", "1", "2", "2"]
    found = ("solve", "lines.py:Lines", "--solver", "nrpa", "--level", 1, "--playouts", 9, "--seed", 1, "-q")
    assert nrpa_command(*found, "--json", "r.json")[0] == 0
    assert nrpa_command("show", "lines.py:Lines", "r.json", "-o", "r.html")[0] == 0
    solution = json.loads((tmp_path / "r.json").read_text())["solution"]
    assert [step["move"] for step in steps_in(tmp_path / "r.html")][1:] == [*map(str, solution)]
    assert nrpa_command("show", "lines.py:Lines", "mine.txt", "-o", "mine.txt")[0] == 2
    assert (tmp_path / "mine.txt").read_text() == "1 2 2"
    assert "only one of INSTANCE and SOLUTION" in nrpa_command("show", "tsptw", "-", "-")[2]
    code, _, err = nrpa_command("show", "lines.py:Lines", "--seed", 4, "--out", "-")
    assert (code, err.strip().endswith("a random playout of seed 4")) == (0, True)


def test_games_are_shown_from_what_choices_wrote(nrpa_command, tmp_path):
    """The moves before a choice with those that it expects."""
    choice = ("choose", "lines.py:Nim", "--moves", "1", "--playouts", 30, "-q", "--json", "c.json", "--tree", "c.svg")
    assert nrpa_command(*choice)[0] == 0
    assert b"</svg>" in (tmp_path / "c.svg").read_bytes()
    assert nrpa_command("show", "lines.py:Nim", "c.json")[0] == 0
    record = json.loads((tmp_path / "c.json").read_text())
    assert [step["move"] for step in steps_in(tmp_path / "show.html")][1:] == ["1", *record["variation"]]


def test_plot_draws_the_tree_of_a_checkpoint(nrpa_command, tmp_path):
    """Of a problem of one's own where it is named; another solver leaves none."""
    found = ("solve", "lines.py:Lines", "--playouts", 5, "--seed", 1, "-q", "--checkpoint")
    assert nrpa_command(*found, "t.npz", "--solver", "uct")[0] == 0
    named = ("--tree", "--problem", "lines.py:Lines")
    assert nrpa_command("plot", "t.npz", *named, "--out", "t.svg") == (0, "", "")
    assert (tmp_path / "t.svg").stat().st_size > 1000
    assert nrpa_command("plot", "t.npz", "--tree", "--out", "u.svg")[2].endswith(
        "a problem of your own; give it as well\n"
    )
    assert nrpa_command(*found, "n.npz", "--solver", "nmcs", "--level", 1)[0] == 0
    assert "nmcs leaves no tree" in nrpa_command("plot", "n.npz", *named, "--out", "u.svg")[2]
    assert "one checkpoint, not 2" in nrpa_command("plot", "t.npz", "n.npz", "--tree", "--out", "u.svg")[2]
