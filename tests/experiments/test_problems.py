"""The problems that are one class in one file, experiments/problems/measure.py."""

import runpy
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
MEASURE = ROOT / "experiments" / "problems" / "measure.py"


def test_instances_that_are_named_are_measured_in_place_of_those_of_the_module(tmp_path, monkeypatch):
    """By the rule and by a search, each of which is a row."""
    own = shutil.copy(ROOT / "instances" / "goals-100", tmp_path / "own")
    command = [str(MEASURE), "goals", "--seconds", "0.1", "--out", str(tmp_path), "--instances", str(own)]
    monkeypatch.setattr(sys, "argv", command)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    runpy.run_path(str(MEASURE), run_name="__main__")
    _, *rows = (tmp_path / "goals.csv").read_text(encoding="utf-8").splitlines()
    assert [row.split(",")[:3] for row in rows] == [[str(own), "the cheapest rule", ""], [str(own), "nrpa", "0.1"]]
