"""The searches by hand beside costs in plain Python compute what those do."""

import random

import pytest

from experiments import cheap_differences


@pytest.mark.parametrize("make", cheap_differences.BY_HAND, ids=lambda make: make.__name__)
def test_differences_by_hand_are_those_of_the_cost(make):
    """Each kind of change changes the cost by what is said before it is made."""
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
