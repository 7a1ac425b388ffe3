"""Sequences that are changed in place, evaluated, and changed back."""

import itertools

import numba
import numpy as np
import pytest

import nrpa
from nrpa.engine.kernels import ENDS
from nrpa.engine.random import random_state
from nrpa.solvers.tempering.changes import (
    BLOCK_TO_NEIGHBOUR,
    KINDS,
    OF_ORDER,
    REVERSE_TO_NEIGHBOUR,
    change,
    draw_neighbour,
)
from nrpa.solvers.tempering.memory import allocate_games
from nrpa.solvers.tempering.sequence import SHORT, draw_order, take_or_undo, write_change

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
    games, child = allocate_games(1, PLACES), allocate_games(1, PLACES)
    games.move[0] = games.name[0] = order = np.random.default_rng(1).permutation(PLACES)
    games.length[0] = PLACES
    one, other, wanted = random_state(5), random_state(5), np.zeros(PLACES + 1, np.int64)
    for _ in range(50):
        changed = child.move[0]
        changed[:] = order
        begin, between, end = draw_order(PLACES, kind, one)
        write_change(changed, games.move[0], begin, between, end, True)
        unchanged, count, _ = change(wanted, games, 0, kind, other)
        assert [*changed] == [*order[:unchanged], *wanted[:count]]
        assert [*changed[:begin]] == [*order[:begin]]
        assert [*changed[end:]] == [*order[end:]]
        assert (one == other).all()


@pytest.mark.parametrize("is_new", [True, False], ids=["taken", "undone"])
@pytest.mark.parametrize("kind", [kind for kind in range(KINDS) if OF_ORDER[kind]])
def test_a_change_is_written_near_its_ends(kind, is_new):
    """Blocks are right there before the rest is written, and the sequence is whole after the change is taken or not."""
    places, random, games, child = 60, random_state(5), allocate_games(1, 60), allocate_games(1, 60)
    games.move[0] = child.move[0] = np.random.default_rng(1).permutation(places)
    where = np.argsort(games.move[0])
    for _ in range(200):
        order, whole, changed = games.move[0].copy(), games.move[0].copy(), child.move[0]
        begin, between, end = draw_order(places, kind, random)
        write_change(whole, order, begin, between, end, True)
        is_written = end - begin <= SHORT or between == end
        write_change(changed, games.move[0], begin, between, end, is_written)
        for cut in (begin, begin + end - between, end):
            near = slice(max(cut - ENDS, 0), cut + ENDS)
            assert [*changed[near]] == [*whole[near]]
        take_or_undo(games, child, where, 0, (begin, between, end, is_written), is_new)
        assert [*games.move[0]] == [*changed] == [*(whole if is_new else order)]
        assert [*where] == [*np.argsort(changed)]


@pytest.mark.parametrize("kind", [REVERSE_TO_NEIGHBOUR, BLOCK_TO_NEIGHBOUR])
def test_a_thing_is_brought_to_its_neighbour(kind):
    """Each change puts a thing next to one of its neighbours, or changes nothing; blocks put it right behind."""
    chance, random = np.random.default_rng(1), random_state(5)
    neighbours = np.array([chance.permutation(np.delete(np.arange(PLACES), k))[:2] for k in range(PLACES)])
    pairs = {(k, int(each)) for k in range(PLACES) for each in neighbours[k]}
    changes = 0
    for _ in range(500):
        order = chance.permutation(PLACES)
        changed = order.copy()
        begin, between, end = draw_neighbour(order, np.argsort(order), neighbours, kind, random)
        write_change(changed, order, begin, between, end, True)
        assert sorted(changed) == [*range(PLACES)]
        met = {*itertools.pairwise(changed)} - {*itertools.pairwise(order)}
        assert begin == end or any(
            pair in pairs or (kind == REVERSE_TO_NEIGHBOUR and pair[::-1] in pairs) for pair in met
        )
        changes += begin < end
    assert changes > 300


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


def test_a_whole_number_that_is_not_held_is_no_score():
    """Differences lead beyond 2^53, where the sequence is evaluated, which says so."""
    profit = nrpa.Objective("profit", sign=1)
    problem = nrpa.permutation(
        150, lambda x: 2**53 - 9500 + sum(abs(a - b) for a, b in itertools.pairwise(x)), objective=profit
    )
    run = nrpa.start(problem, nrpa.Tempering(chains=1), seed=1)
    with pytest.raises(nrpa.ProblemError, match="whole ones up to 2"):
        run.advance(playouts=100_000)
    assert run.progress.playouts > 100
    assert problem.how_computed.endswith("by the terms that it touches.")


def test_scores_that_float64_may_not_hold_are_those_of_whole_sequences():
    """All of these are even, so that it holds them."""

    def wide(x):
        return 2**53 - 16_000 + sum(2 * abs(a - b) for a, b in itertools.pairwise(x))

    problem = nrpa.permutation(150, wide, objective=nrpa.Objective("profit", sign=1))
    run = nrpa.start(problem, nrpa.Tempering(chains=1), seed=1)
    run.advance(playouts=20_000)
    assert run.progress.score == wide(run.result().solution) > 2**53
    assert problem.how_computed.startswith("wide is compiled as it stands, and a change")
