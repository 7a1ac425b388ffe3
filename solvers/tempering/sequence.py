"""Changed games that are not played: whole sequences of a problem that has the kernel ``evaluate``."""

from __future__ import annotations

import numpy as np

from nrpa.base.values import LARGEST_EXACT
from nrpa.engine.kernels import ENDS, choices, difference, evaluate, has_difference
from nrpa.engine.status import LARGEST_SCORE, NO_SCORE, is_score
from nrpa.machine.jit import held, into_caller, jit
from nrpa.solvers.tempering.changes import (
    BLOCK_TO_NEIGHBOUR,
    LEAVE_OUT,
    PUT_IN,
    REPLACE,
    REVERSE,
    REVERSE_TO_NEIGHBOUR,
    SWAP,
    SWAP_NEAR,
    below,
    draw_blocks,
    draw_ends,
    draw_kind,
    draw_neighbour,
)
from nrpa.solvers.tempering.meeting import UNKNOWN

MOST_SET = 4
# Shorter changes are written as a whole.
SHORT = 16


@into_caller
def evaluate_changed(position, chains, work, begun, chain, random):
    """Change a sequence of a chain, or make a random one before the first turns, and evaluate it.

    Returns 0 or a negative status, the kind of change, and what was changed: where that begins, how (``difference``),
    where it ends, and whether it is written.
    """
    games, child = chains.games, work.child
    places = child.move.shape[1]
    kind, begin, between, end, is_written = 0, 0, -1, places, True
    if not begun:
        make_random(position, child.move[0], places, random)
    else:
        if work.known[0] == UNKNOWN:
            copy_moves(child.move[0], 0, games.move[chain], 0, places)
            note_places(work.where, games.move[chain], 0, work.where.shape[0])
            work.known[0] = 0
        kind = draw_kind(chains.shares, chain, random)
        if kind in (LEAVE_OUT, PUT_IN, REPLACE):
            begin, between, end = set_places(position, child.move[0], places, kind, random)
        else:
            if kind in (REVERSE_TO_NEIGHBOUR, BLOCK_TO_NEIGHBOUR) and work.neighbours.shape[0] > 0:
                begin, between, end = draw_neighbour(games.move[chain], work.where, work.neighbours, kind, random)
            else:
                begin, between, end = draw_order(places, kind, random)
            is_written = between == end or end - begin <= SHORT or not has_difference(position.state)
            write_change(child.move[0], games.move[chain], begin, between, end, is_written)
    child.length[0] = places
    child.score[0], is_written = changed_score(position, chains, child, begun, chain, begin, between, end, is_written)
    if is_score(child.score[0]):
        return 0, kind, (begin, between, end, is_written)
    work.known[0] = UNKNOWN
    return NO_SCORE, kind, (begin, between, end, is_written)


@into_caller
def changed_score(position, chains, child, begun, chain, begin, between, end, is_written):
    """Return the score of a changed sequence, by that of the chain's where the problem finds the difference sooner.

    Returns, too, whether the sequence is written then, as it is where the score is better than all the chain knows of.
    """
    instance, state, _, _ = position
    changed, old, before = child.move[0], chains.games.move[chain], chains.games.score[chain]
    if begun and has_difference(state) and before > -LARGEST_SCORE:
        gain = difference(instance, state, changed, old, begin, between, end, np.int64(is_written))
        if np.isnan(gain) and not is_written:
            write_change(changed, old, begin, between, end, True)
            is_written = True
            gain = difference(instance, state, changed, old, begin, between, end, 1)
        if abs(before + gain) <= LARGEST_EXACT:
            is_best = before + gain > chains.known[chain]
            if is_best and not is_written:
                write_change(changed, old, begin, between, end, True)
            return before + gain, is_written or is_best
    if not is_written:
        write_change(changed, old, begin, between, end, True)
    return held(evaluate(instance, state, changed)), True


@jit
def draw_order(places, kind, random):
    """Draw how an order is changed; return where that begins, how (``difference``), and where it ends."""
    if kind in (SWAP, SWAP_NEAR, REVERSE):
        begin, last = draw_ends(places, kind, random)
        return begin, begin if kind == REVERSE and begin < last else last + 1, last + 1
    begin, between, end = draw_blocks(places, kind, random)
    return (begin, between, end) if begin < between < end else (begin, begin, begin)


@jit
def write_change(changed, order, begin, between, end, is_whole):
    """Write an order that is changed, as a whole or near the ends of blocks alone."""
    if begin == end:
        return
    if between == end:
        changed[begin], changed[end - 1] = order[end - 1], order[begin]
    elif between == begin:
        for k in range(np.uint64(end - begin if is_whole else ENDS)):
            changed[begin + k] = order[end - 1 - k]
        for k in range(np.uint64(0 if is_whole else ENDS)):
            changed[end - 1 - k] = order[begin + k]
    elif is_whole:
        copy_moves(changed, begin, order, between, end - between)
        copy_moves(changed, begin + end - between, order, begin, between - begin)
    else:
        first, second = min(ENDS, end - between), min(ENDS, between - begin)
        copy_moves(changed, begin, order, between, first)
        copy_moves(changed, begin + end - between - first, order, end - first, first)
        copy_moves(changed, begin + end - between, order, begin, second)
        copy_moves(changed, end - second, order, between - second, second)


@into_caller
def take_or_undo(games, child, where, chain, how, is_new):
    """Put the changed places in the place of the chain's, or undo them; note in ``where`` where things are."""
    begin, between, end, is_written = how
    order, changed = games.move[chain], child.move[0]
    if is_new:
        games.score[chain] = child.score[0]
        if not is_written:
            write_change(changed, order, begin, between, end, True)
    taken, left = (order, changed) if is_new else (changed, order)
    if between == end and begin < end:
        taken[begin], taken[end - 1] = left[begin], left[end - 1]
    elif is_new or is_written:
        copy_moves(taken, begin, left, begin, end - begin)
    else:
        for cut in (begin, end - ENDS):
            copy_moves(taken, cut, left, cut, ENDS)
        middle = begin + end - between
        for k in range(max(middle - ENDS, begin), min(middle + ENDS, end)):
            taken[k] = left[k]
    if is_new and where.shape[0] > 0:
        note_places(where, order, begin, end)


@jit
def note_places(where, order, begin, end):
    """Write the place of each thing from ``begin`` to ``end`` - 1."""
    for place in range(begin, end):
        where[order[place]] = place


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
    """Make another choice for one to four places; return where these begin, how they do (``difference``), and end."""
    number = 1 if kind == REPLACE else 2 if kind == PUT_IN else 1 + below(MOST_SET, random)
    things = -choices(position.instance, position.state, 0)
    if things > 0:
        begin, end = exchange_members(position.moves.move, things, moves, places, number, random)
        return begin, end if number <= 2 else -1, end
    begin, end = places, 0
    for _ in range(number):
        place = below(places, random)
        others = choices(position.instance, position.state, place) - 1
        if others > 0:
            moves[place] = (moves[place] + 1 + below(others, random)) % (others + 1)
        begin, end = min(begin, place), max(end, place + 1)
    return begin, end if number <= 2 else -1, end


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
