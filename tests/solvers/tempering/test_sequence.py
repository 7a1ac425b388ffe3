"""Sequences that are changed in place, evaluated, and changed back."""

import numba
import numpy as np
import pytest

import nrpa
from nrpa.engine.random import random_state
from nrpa.solvers.tempering.changes import KINDS, OF_ORDER, change
from nrpa.solvers.tempering.memory import allocate_games
from nrpa.solvers.tempering.sequence import change_order

PLACES = 12
TABLE = np.random.default_rng(3).integers(0, 50, (PLACES, PLACES))


@numba.njit
def cost(sequence):
    """Return the sum of a table's entries by neighbours."""
    total = 0
    for k in range(len(sequence)):
        total += TABLE[sequence[k - 1], sequence[k]]
    return total


@pytest.mark.parametrize("kind", [kind for kind in range(KINDS) if OF_ORDER[kind]])
def test_an_order_is_changed_as_a_game_is(kind):
    """The same random numbers give the order that tempering would play again, which differs nowhere else."""
    games = allocate_games(1, PLACES)
    games.move[0] = games.name[0] = order = np.random.default_rng(1).permutation(PLACES)
    games.length[0] = PLACES
    one, other, wanted = random_state(5), random_state(5), np.zeros(PLACES + 1, np.int64)
    for _ in range(50):
        changed = order.copy()
        begin, _, end = change_order(changed, order, PLACES, kind, one)
        unchanged, count, _ = change(wanted, games, 0, kind, other)
        assert [*changed] == [*order[:unchanged], *wanted[:count]]
        assert begin == unchanged
        assert [*changed[end:]] == [*order[end:]]
        assert (one == other).all()


@pytest.mark.parametrize("choices", [None, [3, 4] * 6], ids=["order", "choices"])
def test_each_chain_has_the_sequence_of_its_score(choices):
    """Also where the search stops in the middle of a round, and after exchanges."""
    problem = nrpa.assignment(choices, cost) if choices else nrpa.permutation(PLACES, cost)
    search = nrpa.Tempering(3, period=7).start(problem, 1)
    for playouts in (150, 1, 2, 40, 500):
        search.advance(playouts)
        games = search.memory.chains.games
        assert [*games.score] == [-cost(sequence) for sequence in games.move]
        assert choices or (np.sort(games.move) == np.arange(PLACES)).all()
