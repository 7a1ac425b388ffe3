"""Changed games that are not played: whole sequences of a problem that has the kernel ``evaluate``."""

from __future__ import annotations

import numpy as np

from nrpa.engine.kernels import choices, difference, evaluate, has_difference
from nrpa.engine.status import LARGEST_SCORE, NO_SCORE, is_score
from nrpa.machine.jit import held, jit
from nrpa.solvers.tempering.changes import (
    LEAVE_OUT,
    PUT_IN,
    REPLACE,
    REVERSE,
    SWAP,
    SWAP_NEAR,
    below,
    draw_blocks,
    draw_ends,
    draw_kind,
)
from nrpa.solvers.tempering.meeting import UNKNOWN

MOST_SET = 4


@jit
def evaluate_changed(position, chains, work, begun, chain, random):
    """Change a sequence of a chain, or make a random one before the first turns, and evaluate it.

    Returns 0 or a negative status, the kind of change, and where the changed places begin and end.
    """
    games, child = chains.games, work.child
    places = child.move.shape[1]
    kind, begin, between, end = 0, 0, -1, places
    if not begun:
        make_random(position, child.move[0], places, random)
    else:
        if work.known[0] == UNKNOWN:
            copy_moves(child.move[0], 0, games.move[chain], 0, places)
            work.known[0] = 0
        kind = draw_kind(chains.shares, chain, random)
        if kind in (LEAVE_OUT, PUT_IN, REPLACE):
            begin, end = set_places(position, child.move[0], places, kind, random)
        else:
            begin, between, end = change_order(child.move[0], games.move[chain], places, kind, random)
    child.length[0] = places
    child.score[0] = changed_score(position, chains, child, begun, chain, begin, between, end)
    if is_score(child.score[0]):
        return 0, kind, begin, end
    work.known[0] = UNKNOWN
    return NO_SCORE, kind, begin, end


@jit
def changed_score(position, chains, child, begun, chain, begin, between, end):
    """Return the score of a changed sequence, by that of the chain's where the problem finds the difference sooner.

    A score that is better than all that the chain knows of is that of the whole sequence.
    """
    instance, state, _, _ = position
    before = chains.games.score[chain]
    if begun and has_difference(state) and before > -LARGEST_SCORE:
        gain = difference(instance, state, child.move[0], chains.games.move[chain], begin, between, end)
        if before + gain <= chains.known[chain]:
            return before + gain
    return held(evaluate(instance, state, child.move[0]))


@jit
def change_order(changed, order, places, kind, random):
    """Write an order that is changed where it differs; return where that begins, how (``difference``), and the end."""
    if kind in (SWAP, SWAP_NEAR, REVERSE):
        begin, last = draw_ends(places, kind, random)
        for k in range((last - begin + 1) // 2 if kind == REVERSE else 1):
            changed[begin + k], changed[last - k] = order[last - k], order[begin + k]
        return begin, begin if kind == REVERSE else last + 1, last + 1
    begin, between, end = draw_blocks(places, kind, random)
    copy_moves(changed, begin, order, between, end - between)
    copy_moves(changed, begin + end - between, order, begin, between - begin)
    return begin, between if between < end else -1, end


@jit
def take_or_undo(games, child, chain, kind, begin, end, is_new):
    """Put the changed places in the place of the chain's, or undo them."""
    taken, left = (games.move[chain], child.move[0]) if is_new else (child.move[0], games.move[chain])
    if kind in (SWAP, SWAP_NEAR):
        taken[begin], taken[end - 1] = left[begin], left[end - 1]
    else:
        copy_moves(taken, begin, left, begin, end - begin)
    if is_new:
        games.score[chain] = child.score[0]


@jit
def copy_moves(target, to, source, begin, count):
    """Copy so many moves."""
    first, at = np.uint64(begin), np.uint64(to)
    for k in range(np.uint64(count)):
        target[at + k] = source[first + k]


@jit
def make_random(position, moves, places, random):
    """Write a random sequence: an order or a set (Fisher and Yates), or a choice for each place."""
    room = position.moves.move
    for place in range(places):
        number = choices(position.instance, position.state, place)
        if number < 0:
            moves[place] = draw_rest(room, -number, place, random)
            continue
        moves[place] = below(number, random) if number > 0 else place
        if number == 0:
            other = below(place + 1, random)
            moves[place], moves[other] = moves[other], moves[place]


@jit
def draw_rest(room, things, place, random):
    """Draw one of the things that were not drawn for the places before; ``room`` holds them behind those that were."""
    if place == 0:
        for thing in range(things):
            room[thing] = thing
    other = place + below(things - place, random)
    room[place], room[other] = room[other], room[place]
    return room[place]


@jit
def set_places(position, moves, places, kind, random):
    """Make another choice for one place, for two, or for some; return where these begin and end."""
    number = 1 if kind == REPLACE else 2 if kind == PUT_IN else 1 + below(MOST_SET, random)
    things = -choices(position.instance, position.state, 0)
    if things > 0:
        return exchange_members(position.moves.move, things, moves, places, number, random)
    begin, end = places, 0
    for _ in range(number):
        place = below(places, random)
        others = choices(position.instance, position.state, place) - 1
        if others > 0:
            moves[place] = (moves[place] + 1 + below(others, random)) % (others + 1)
        begin, end = min(begin, place), max(end, place + 1)
    return begin, end


@jit
def exchange_members(room, things, moves, places, number, random):
    """Put things that are not in a set in the place of so many that are; return where the changed places begin and end.

    - ``room``, int64[things]: Room to note which things are in the set.
    """
    if things == places:
        return 0, 0
    for thing in range(things):
        room[thing] = 0
    for place in range(places):
        room[moves[place]] = 1
    begin, end = places, 0
    for _ in range(number):
        place, thing = below(places, random), below(things, random)
        while room[thing] == 1:
            thing = below(things, random)
        room[moves[place]], room[thing] = 0, 1
        moves[place] = thing
        begin, end = min(begin, place), max(end, place + 1)
    return begin, end
