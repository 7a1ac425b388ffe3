"""The ledger of answers, experiments/ledger.py."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


@pytest.fixture
def ledger(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import ledger

    return ledger


def call(*arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, str(EXPERIMENTS / "ledger.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_a_row_finds_what_is_on_record():
    """Playouts are counted, so each seed has its score on every machine."""
    done = call("tsptw rc201.1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\n1 same\n")


def test_what_is_no_row_is_refused():
    """In a sentence that lists the rows."""
    done = call("tsptw", "nosuch")
    assert done.returncode == 2
    assert "nosuch: no such row; expected a problem or some of tsptw rc201.1, " in done.stderr


def test_verdicts(ledger):
    """Worse or better where the interval of the differences leaves out zero."""
    found = [[ledger.Found(score, score, True) for score in scores] for scores in ((9, 9, 9, 9), (9, 9, 9, 8))]
    higher = [ledger.Found(score, score, True) for score in (9.5, 9.6, 9.7, 9.6)]
    assert ledger.verdict([], found[0]) == "new"
    assert ledger.verdict(found[0], found[0]) == "same"
    assert ledger.verdict(found[0], found[1]) == "level"
    assert ledger.verdict(found[0], higher) == "better"
    assert ledger.verdict(higher, found[0]) == "worse"


def test_each_row_is_on_record(ledger):
    """With every seed, in the order of the rows."""
    assert list(ledger.recorded()) == list(ledger.ROWS)
    assert {len(found) for found in ledger.recorded().values()} == {len(ledger.SEEDS)}
