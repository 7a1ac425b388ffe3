"""What the selections lose on bandits, experiments/bandits.py."""

from pathlib import Path

import pytest

import nrpa

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


@pytest.fixture
def bandits(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import bandits

    return bandits


def test_regret_is_that_of_the_arms_drawn(bandits, monkeypatch):
    """It repeats, no search draws only the best arm, and one that explores without end loses as much as chance."""
    found = bandits.regret(bandits.SELECTIONS["`ucb1-tuned`, C = 0.4"], 1)
    assert found == bandits.regret(bandits.SELECTIONS["`ucb1-tuned`, C = 0.4"], 1)
    arms = bandits.Bandit(1).chances
    by_chance = bandits.DRAWS * (arms.max() - arms.mean())
    assert 0 < found < by_chance / 2
    assert bandits.regret(nrpa.UCT(c=1e6), 1) == pytest.approx(by_chance, rel=0.02)
