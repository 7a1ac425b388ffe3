"""What draws of moves were worth; whole searches that draw so: ``tests/naive_tempering.py`` is their oracle."""

from collections import Counter

import numpy as np

from nrpa.engine.random import random_state
from nrpa.solvers.tempering.move_worth import (
    EVEN,
    NO_DRAW,
    PRIOR,
    REMEMBERED,
    allocate_move_worth,
    count_draws,
    draw_index,
    mean_worth,
    worth_entry,
)

NAMES = np.array([3, -7, 2**40])
DRAWS = 20_000


def entries(*names):
    """Return the entries of names, as a changed game notes them."""
    return np.array([*(worth_entry(name) for name in names), NO_DRAW])


def shares(draws, game=0, is_even=False, exp_bias=()):
    """Return how often each of the names is drawn."""
    random, factors = random_state(1), np.array(exp_bias)
    found = Counter(draw_index(draws, game, is_even, NAMES, factors, len(NAMES), random) for _ in range(DRAWS))
    return [found[index] / DRAWS for index in range(len(NAMES))]


def test_moves_are_drawn_in_proportion_to_their_worth():
    """But for the draws that are even."""
    draws = allocate_move_worth(1)
    for name, gain in zip(NAMES, (5.0, -5.0, 5.0), strict=True):
        for _ in range(30):
            count_draws(draws, 0, entries(name), gain)
    worth = np.array([mean_worth(draws, 0, name) for name in NAMES])
    assert worth[1] < worth[0] / 3
    assert np.allclose(shares(draws), EVEN / 3 + (1 - EVEN) * worth / worth.sum(), atol=0.02)
    assert np.allclose(shares(draws, is_even=True), 1 / 3, atol=0.02)
    exp_bias = np.array([1.0, 4.0, 0.5])
    biased = EVEN / 3 + (1 - EVEN) * worth * exp_bias / (worth * exp_bias).sum()
    assert np.allclose(shares(draws, exp_bias=exp_bias), biased, atol=0.02)
    biased = EVEN / 3 + (1 - EVEN) * exp_bias / exp_bias.sum()
    assert np.allclose(shares(draws, is_even=True, exp_bias=exp_bias), biased, atol=0.02)


def test_moves_that_were_never_drawn_are_worth_the_mean():
    """So that all are drawn alike at first, and new ones later."""
    draws = allocate_move_worth(1)
    assert np.allclose(shares(draws), 1 / 3, atol=0.02)
    for _ in range(20):
        count_draws(draws, 0, entries(NAMES[0]), 1.0)
        count_draws(draws, 0, entries(NAMES[1]), -1.0)
    assert mean_worth(draws, 0, NAMES[1]) < mean_worth(draws, 0, NAMES[2]) < mean_worth(draws, 0, NAMES[0])


def test_one_draw_counts_as_one_beside_the_prior():
    """A gain is worth 1, and all moves 1 as well, so that nothing differs yet; a draw is forgotten by and by."""
    draws = allocate_move_worth(1)
    count_draws(draws, 0, entries(NAMES[0], NAMES[0]), 2.0)
    assert draws.number[0, worth_entry(NAMES[0])] == 1.0 + REMEMBERED
    assert np.isclose(mean_worth(draws, 0, NAMES[0]), (1.0 + REMEMBERED + PRIOR) / (1.0 + REMEMBERED + PRIOR))


def test_larger_losses_are_worth_less():
    """In units of the mean loss, so that the unit of the score does not matter."""
    worths = []
    for unit in (1.0, 1000.0, 1e-6):
        draws = allocate_move_worth(1)
        for _ in range(200):
            count_draws(draws, 0, entries(NAMES[2]), -unit)
        count_draws(draws, 0, entries(NAMES[0]), -unit / 20)
        count_draws(draws, 0, entries(NAMES[1]), -unit / 5)
        worths.append([draws.worth[0, worth_entry(name)] for name in NAMES])
    assert worths[0][0] > worths[0][1] > 0.0
    assert np.allclose(worths, worths[0])
