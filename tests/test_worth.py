"""The yardstick of worth, experiments/worth.py."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nrpa.bench import Record

EXPERIMENTS = Path(__file__).parent.parent / "experiments"
TOML = """
runs = 2
seed = 1
[variants.one]
level = 1
[variants.two]
level = 2
iterations = 5
[problems.tsptw]
budgets = [4, 16, 64]
random = { moves = "all" }
missed = 0.1
training = ["rc201.1"]
reporting = ["rc205.1"]
"""


@pytest.fixture
def worth(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import worth

    return worth


def call(*arguments, cwd):
    path = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, str(EXPERIMENTS / "worth.py"), "--toml", "w.toml", "--out", "w", *arguments]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, env=environment)


def test_places(worth):
    """0 is the mean of random sampling with the largest budget, 1 the best known; a missed window counts as it says."""
    yardstick = worth.Yardstick("tsptw", [4, 8, 16], {"A": 100.0}, {}, 0.1)
    rows = [Record(worth.RANDOM, "A", seed, 16, 16, score) for seed, score in ((1, -180.0), (2, -1_000_210.0))]
    rows += [Record(worth.RANDOM, "A", 1, 4, 4, -900.0)]
    rows += [
        Record("g", "A", 1, 4, 4, -2_000_180.0),
        Record("g", "A", 1, 16, 16, -100.0),
        Record("g", "A", 1, 2, 2, 0.0),
    ]
    assert yardstick.places(rows) == {("tsptw", "g", 0): {1: pytest.approx(0.0)}, ("tsptw", "g", 2): {1: 1.0}}


def test_a_seed_counts_when_all_instances_have_it(worth):
    """A run that is missing would move the mean from easy instances to hard ones."""
    yardstick = worth.Yardstick("samegame", [4, 8, 16], {"A": 11.0, "B": 21.0}, {}, 0.0)
    rows = [Record(worth.RANDOM, name, 1, 16, 16, 1.0) for name in "AB"]
    rows += [Record("g", "A", 1, 16, 16, 6.0), Record("g", "B", 1, 16, 16, 6.0), Record("g", "A", 2, 16, 16, 9.0)]
    assert yardstick.places(rows) == {("samegame", "g", 2): {1: pytest.approx((0.5 + 0.25) / 2)}}


def test_options_of_one_problem(worth):
    """They replace those of all, on that problem only."""
    given = {"solver": "nrpa", "level": "3", "tsptw.level": "4", "samegame.pairs_from": "0", "tsptw": {"moves": "all"}}
    assert worth.of_problem("v", given, "tsptw").options == {"level": "4", "moves": "all"}
    assert worth.of_problem("v", given, "morpion").options == {"level": "3"}


def test_the_file_names_what_there_is(worth):
    """Of every problem and both splits, each instance is bundled or a file beside it, and its best value is known."""
    content = worth.read_problems(EXPERIMENTS / "worth.toml")
    for problem, given in content["problems"].items():
        for split in worth.SPLITS:
            best = worth.Yardstick.of(problem, given, split).best
            assert best
            assert None not in best.values()
            assert all((EXPERIMENTS / name).is_file() for name in best if "/" in name)


def test_the_command_is_resumable_and_pairs_seeds(tmp_path):
    """One table and one figure; a second call adds a variant and keeps the other runs; bad input is one sentence."""
    (tmp_path / "w.toml").write_text(TOML)
    first = call(cwd=tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    lines = first.stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [[p, v] for p in ("tsptw", "all") for v in ("one", "two")]
    assert lines[2].count("[") == 3
    assert not lines[1].count("[")
    records = (tmp_path / "w" / "tsptw-training.playouts.csv").read_text()
    assert (tmp_path / "w" / "worth-training.txt").read_text() == first.stdout
    assert (tmp_path / "w" / "worth-training.png").stat().st_size > 0
    second = call("--variant", "three:tsptw.moves=all", cwd=tmp_path)
    assert second.stdout.splitlines()[1:3] == lines[1:3]
    assert (tmp_path / "w" / "tsptw-training.playouts.csv").read_text().startswith(records)
    wrong = call("--only", "chess", cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "error: --only: expected some of tsptw, found 'chess'\n"
    (tmp_path / "w.toml").write_text(TOML.replace("16, 64", "16, 65"))
    assert "expected three powers of two" in call(cwd=tmp_path).stderr


def test_the_mean_over_all_problems(worth):
    """Each problem counts once, for each seed that all of them have."""
    places = {("a", "v", k): {1: 0.2, 2: 0.4} for k in range(3)} | {("b", "v", k): {1: 0.6} for k in range(3)}
    assert worth.over_all(places, ["a", "b"], ["v"])["all", "v", 2] == {1: pytest.approx(np.mean([0.2, 0.6]))}
