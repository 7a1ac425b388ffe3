"""The searches by hand beside costs in plain Python compute what those do."""

import random
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parents[2] / "experiments"


@pytest.mark.parametrize("name", ["tour", "assigned"])
def test_differences_by_hand_are_those_of_the_cost(name, monkeypatch):
    """Each kind of change changes the cost by what is said before it is made."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import cheap_differences

    (make,) = (each for each in cheap_differences.BY_HAND if each.__name__ == name)
    cost, _ = make(12)
    gain, kinds = cheap_differences.BY_HAND[make](12)
    chance = random.Random(1)
    order = chance.sample(range(12), 12)
    for _ in range(200):
        (a, b), kind = sorted(chance.sample(range(12), 2)), chance.choice(kinds)
        before, more = cost(order), gain.py_func(order, kind, a, b)
        if (a, b) == (0, 11) and kind != 2:  # the whole tour
            continue
        cheap_differences.change_in_place.py_func(order, kind, a, b)
        assert cost(order) - before == more
