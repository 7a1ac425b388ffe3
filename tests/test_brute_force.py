"""A short part of experiments/attacks/brute_force.py, in plain Python."""

from pathlib import Path

import numpy as np
import pytest

import nrpa

ATTACKS = Path(__file__).parent.parent / "experiments" / "attacks"


@pytest.mark.parametrize("name", ["tsptw", "vrptw", "snake"])
def test_searches_find_the_best_of_all_solutions(name, monkeypatch):
    """Of three small instances each; where distances break the triangle inequality, too."""
    monkeypatch.syspath_prepend(str(ATTACKS))
    import brute_force

    monkeypatch.setattr(brute_force, "PLAYOUTS", 250)
    with nrpa.debug():
        assert [getattr(brute_force, name)(np.random.default_rng([5, k])) for k in range(3)] == [""] * 3
