"""The rules of β that experiments/bias_speed.py gives as functions."""

from pathlib import Path

import pytest

import nrpa

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


@pytest.mark.parametrize("number", [0, 1])
def test_a_rule_given_as_a_function_finds_the_same_games(monkeypatch, number):
    """As a prior; compiled it is the same function."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import bias_speed

    name = [*bias_speed.PROBLEMS][number]
    by_problem, as_prior = (
        nrpa.solve(bias_speed.searched(name, way)[0], nrpa.GNRPA(level=2), seed=1, playouts=30).score
        for way in bias_speed.WAYS[::2]
    )
    assert (
        by_problem == as_prior != nrpa.solve(bias_speed.PROBLEMS[name], nrpa.NRPA(level=2), seed=1, playouts=30).score
    )
