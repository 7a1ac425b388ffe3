"""The selective rule of playouts: the groups of the tabu colour wait until nothing else is left, pairs less long."""

from __future__ import annotations

import numpy as np

from nrpa.engine.intrinsics import trailing_zeros
from nrpa.engine.jit import jit

STEP, LEFT, POINTS, COLUMNS = 0, 1, 2, 3
FREE, TABU_PAIR, TABU = 0, 1, 2

ONE = np.uint64(1)
SIX = np.uint64(6)


@jit
def most_playable(instance, state):
    """Return the greatest kind of group that may be played while there are such groups."""
    return TABU_PAIR if state.counts[STEP] >= instance.pairs_from else FREE


@jit
def has_group(state, most):
    """Return whether there is a group whose kind is at most ``most``."""
    for word in range(np.uint64(state.live.shape[0])):
        bits = state.live[word]
        while bits != np.uint64(0):
            if state.kind[(word << SIX) + np.uint64(trailing_zeros(bits))] <= most:
                return True
            bits &= bits - ONE
    return False
