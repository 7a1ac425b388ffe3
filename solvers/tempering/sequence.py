"""Changed games that are not played: whole sequences of a problem that has the kernel ``evaluate``."""

from __future__ import annotations

import numpy as np

from nrpa.engine.kernels import choices, evaluate, has_kernel
from nrpa.engine.status import NO_SCORE, is_score
from nrpa.machine.jit import by_class, held, inlined, jit
from nrpa.solvers.tempering.changes import LEAVE_OUT, PUT_IN, REPLACE, below, change, draw_kind
from nrpa.solvers.tempering.memory import Games

MOST_SET = 4


@by_class(lambda state_class: _yes if has_kernel(state_class, "evaluate") else _no)
def is_evaluated(state):
    """Return whether whole sequences are evaluated, and not played."""


def _yes(state):
    return True


def _no(state):
    return False


@inlined
def evaluate_changed(position, chains, work, begun, chain, random):
    """Change a sequence of a chain, or make a random one before the first turns, and evaluate it.

    Returns 0 or a negative status, the kind of change, and how many moves are unchanged.
    """
    instance, state, _ = position
    games, child = chains.games, work.child
    places = child.move.shape[1]
    kind, unchanged = 0, 0
    if not begun:
        make_random(instance, state, child.move[0], places, random)
    else:
        kind = draw_kind(chains.shares, chain, random)
        if kind in (LEAVE_OUT, PUT_IN, REPLACE):
            copy_moves(child.move[0], 0, games.move[chain], 0, places)
            unchanged = set_places(instance, state, child.move[0], places, kind, random)
        else:
            orders = Games(games.move, games.move, games.length, games.score)
            unchanged, wanted, _ = change(work.wanted, orders, chain, kind, random)
            copy_moves(child.move[0], 0, games.move[chain], 0, unchanged)
            copy_moves(child.move[0], unchanged, work.wanted, 0, wanted)
    child.length[0] = places
    child.score[0] = held(evaluate(instance, state, child.move[0]))
    return 0 if is_score(child.score[0]) else NO_SCORE, kind, unchanged


@jit
def copy_moves(target, to, source, begin, count):
    """Copy so many moves."""
    first, at = np.uint64(begin), np.uint64(to)
    for k in range(np.uint64(count)):
        target[at + k] = source[first + k]


@jit
def make_random(instance, state, moves, places, random):
    """Write a random sequence: an order (Fisher and Yates), or a choice for each place."""
    for place in range(places):
        number = choices(instance, state, place)
        moves[place] = below(number, random) if number > 0 else place
        if number <= 0:
            other = below(place + 1, random)
            moves[place], moves[other] = moves[other], moves[place]


@jit
def set_places(instance, state, moves, places, kind, random):
    """Make another choice for one place, for two, or for some; return the first one."""
    number = 1 if kind == REPLACE else 2 if kind == PUT_IN else 1 + below(MOST_SET, random)
    first = places
    for _ in range(number):
        place = below(places, random)
        others = choices(instance, state, place) - 1
        if others > 0:
            moves[place] = (moves[place] + 1 + below(others, random)) % (others + 1)
        first = min(first, place)
    return first
