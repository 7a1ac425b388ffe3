import math

import numpy as np
import pytest

from nrpa.engine.random import cumulate, random_index, random_state, uniform
from nrpa.engine.status import NO_PROBABILITY


def test_cumulate_gives_running_sums():
    """For every length around the four that are added together."""
    rng = np.random.default_rng(0)
    for count in range(1, 20):
        x = rng.uniform(0, 1, count)
        expected = np.cumsum(x)
        total = cumulate(x, np.uint64(count))
        np.testing.assert_allclose(x, expected, rtol=1e-14)
        assert total == x[-1]


def test_draw_finds_the_interval():
    """The move drawn is the one whose interval holds the random number; weights of 0 are never drawn."""
    rng = np.random.default_rng(1)
    state, same = random_state(7), random_state(7)
    for _ in range(2000):
        weights = rng.uniform(0, 1, rng.integers(1, 15)) * rng.integers(0, 2)
        weights[rng.integers(len(weights))] = 0.5
        threshold = uniform(same) * weights.sum()
        expected = int(np.searchsorted(np.cumsum(weights), threshold, side="right"))
        chosen = random_index(weights.copy(), len(weights), state)
        assert chosen == expected
        assert weights[chosen] > 0


@pytest.mark.parametrize("weights", [[0.0, 0.0], [1.0, math.inf], [math.nan, 1.0], [1e308, 1e308]])
def test_weights_that_give_no_probabilities(weights):
    """Zero, infinite and NaN sums are a status, not a move."""
    assert random_index(np.array(weights), 2, random_state(1)) == NO_PROBABILITY
