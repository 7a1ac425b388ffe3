"""The tables of docs/which-solver.md, experiments/which_solver.py."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"
TOML = """
time = 0.02
clock = "processor"
runs = 1
seed = 1
[[columns]]
title = "five cities"
problem = "tsptw"
instance = "five.txt"
best = 11
[tables.solvers]
"random" = { solver = "random" }
"gnrpa" = { level = 1 }
[tables.options]
"gnrpa" = { level = 1 }
"--no-bias" = { level = 1, bias = false }
"""
FIVE = "3\n0 1 2\n1 0 3\n2 3 0\n0 99\n0 99\n0 99\n"


@pytest.fixture
def which_solver(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import which_solver

    return which_solver


def call(*arguments, cwd):
    path = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, str(EXPERIMENTS / "which_solver.py"), "--toml", "w.toml", "--out", "w", *arguments]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, env=environment)


def test_the_tables_are_printed_and_the_runs_stay(tmp_path):
    """A second seed adds to the records."""
    (tmp_path / "w.toml").write_text(TOML)
    (tmp_path / "five.txt").write_text(FIVE)
    first = call(cwd=tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    assert "| solvers | random | gnrpa | *best known* |" in first.stdout
    assert "| options | gnrpa |" in first.stdout
    assert re.search(r"^\| five cities \|.* \*11\* \|$", first.stdout, re.MULTILINE)
    records = (tmp_path / "w" / "tsptw-0.02s.csv").read_text()
    second = call("--runs", "2", cwd=tmp_path)
    assert (second.returncode, second.stderr) == (0, "")
    assert (tmp_path / "w" / "tsptw-0.02s.csv").read_text().startswith(records)
    assert second.stdout != first.stdout


def test_means_and_ranks(which_solver):
    """Means in the problem's own terms; the best is bold; ranks are by score, ties shared; missed windows by number."""
    columns = [which_solver.Column("a", "samegame", "A"), which_solver.Column("b", "tsptw", "B", 9.0)]
    scores = {
        ("samegame", "A", "x"): {1: 10.0, 2: 14.0},
        ("samegame", "A", "y"): {1: 20.0, 2: 20.0},
        ("samegame", "A", "z"): {1: 20.0, 2: 20.0},
        ("tsptw", "B", "x"): {1: -10.0, 2: -12.0},
        ("tsptw", "B", "y"): {1: -2_000_010.0, 2: -12.0},
        ("tsptw", "B", "z"): {1: -4_000_010.0, 2: -3_000_012.0},
    }
    lines = which_solver.table_text("t", columns, ["x", "y", "z"], scores).splitlines()
    assert lines[0] == "| t | x | y | z | *best known* |"
    assert lines[2] == "| a | 12.0 (4.0) | **20.0 (0.0)** | **20.0 (0.0)** |  |"
    assert lines[3] == "| b | **11.00 (2.00)** | 1 windows missed | 3.5 windows missed | *9* |"
    assert lines[4] == "| mean rank | 2.0 | 1.8 | 2.2 |  |"


def test_the_best_value_of_the_knapsack(which_solver):
    """By dynamic programming."""
    content = which_solver.read_toml(EXPERIMENTS / "which-solver.toml")
    (column,) = (each for each in content["columns"] if "best" in each)
    numbers = [int(word) for word in (EXPERIMENTS / column["instance"]).read_text().split()]
    best = [0] * (numbers[0] + 1)
    for weight, value in zip(numbers[1::2], numbers[2::2], strict=True):
        for room in range(numbers[0], weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    assert best[-1] == column["best"]
