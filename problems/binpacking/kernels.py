"""Bin packing as the search plays it: one bin after the other, opened by the largest item left.

A move puts an item of one distinct size (a "type", numbered by decreasing size) into the open bin. A bin is closed when
nothing fits. The score is -bins, less a tie-break below one half that rewards full bins.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nrpa.engine.intrinsics import leading_zeros, trailing_zeros
from nrpa.engine.jit import jit
from nrpa.engine.kernels import kernels

LEFT, PLACED, ROOM, BINS, TOP, LAST, BUDGET, KNOWN, WORDS, TOPT, BIN, FAILED = range(12)


class Instance(NamedTuple):
    """n items of T distinct sizes, largest first.

    size, count: int64[T], the distinct sizes and how many items have each.
    first: int64[B], for the rooms whose upper bits are b a type from which to look for the largest that fits.
    shift: how many bits of a room ``first`` ignores.
    capacity, items: c and n. slack: the capacity that a packing at the lower bound may leave unused.
    tight: whether the look-ahead restricts the moves.
    unit: what one bit of ``State.reach`` stands for; 1 is exact.
    most: the most items that one bin can hold.
    code_unit: rooms are divided by it in the codes. by_opener: codes by the bin's first item in place of its room.
    room_weight: β per unit of waste.
    """

    size: np.ndarray
    count: np.ndarray
    first: np.ndarray
    shift: int
    capacity: int
    items: int
    slack: int
    tight: bool
    coarse: int
    rounding: int
    code_shift: int
    by_opener: int
    size_factor: np.ndarray
    waste_factor: np.ndarray
    waste_shift: int
    score_kind: int
    spread: float
    finish: int


def reset(instance, state):
    """Open the first bin."""
    for t in range(instance.size.shape[0]):
        state.count[t] = instance.count[t]
    for w in range(state.present.shape[0]):
        bits = min(64, instance.size.shape[0] - 64 * w)
        state.present[w] = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - bits)
    state.numbers[LEFT] = instance.items
    state.numbers[PLACED] = 0
    state.numbers[ROOM] = 0
    state.numbers[BINS] = 0
    state.numbers[TOP] = 0
    state.numbers[LAST] = 0
    state.numbers[BUDGET] = instance.slack
    state.fills[0] = 0.0
    state.numbers[KNOWN] = 0
    state.numbers[WORDS] = 0
    state.numbers[FAILED] = 0
    for w in range(state.reach.shape[1]):
        state.reach[types_of(instance), w] = np.uint64(w == 0)
    settle(instance, state)


def legal_moves(instance, state, moves):
    """Write the types that may go into the open bin.

    All that fit; or with the look-ahead, in decreasing order of size, those with which the bin can still be filled so
    well that the packing reaches the lower bound.
    """
    if state.numbers[LEFT] == 0:
        return 0
    room = state.numbers[ROOM]
    t = first_fitting(instance, state, room)
    if instance.by_opener:
        base = state.numbers[8 + instance.by_opener] * instance.size.shape[0]
    else:
        base = (room >> instance.code_shift) * instance.size.shape[0]
    if instance.tight:
        return tight_moves(instance, state, moves, max(t, next_present(state, state.numbers[LAST])), room, base)
    count = 0
    w = t >> 6
    word = state.present[w] & (np.uint64(0xFFFFFFFFFFFFFFFF) << np.uint64(t & 63))
    while True:
        while word != np.uint64(0):
            t = (w << 6) + trailing_zeros(word)
            moves.move[count] = t
            moves.code[count] = base + t
            count += 1
            word &= word - np.uint64(1)
        w += 1
        if w == state.present.shape[0]:
            return count
        word = state.present[w]


def play(instance, state, move):
    """Put an item of type ``move`` into the open bin, and whatever is no choice after it."""
    put(instance, state, move)
    settle(instance, state)


def score(instance, state):
    """Return -bins - (1 - mean squared fill) / 2."""
    bins = state.numbers[BINS]
    fill = (instance.capacity - state.numbers[ROOM]) / instance.capacity
    return -bins - 0.5 * (1.0 - (state.fills[0] + power(instance, fill)) / bins)


@jit
def power(instance, fill):
    if instance.score_kind == 0:
        return fill * fill
    if instance.score_kind == 1:
        return fill ** 4
    if instance.score_kind == 2:
        return fill ** 8
    if instance.score_kind == 3:
        return 1.0 * (fill == 1.0)
    if instance.score_kind == 4:
        return fill ** 32
    return fill


@jit
def next_present(state, t):
    """Return the first type from ``t`` on of which an item is left, or T if there is none."""
    types = state.count.shape[0]
    if t >= types:
        return types
    w = t >> 6
    word = state.present[w] & (np.uint64(0xFFFFFFFFFFFFFFFF) << np.uint64(t & 63))
    while word == np.uint64(0):
        w += 1
        if w == state.present.shape[0]:
            return types
        word = state.present[w]
    return (w << 6) + trailing_zeros(word)


@jit
def first_fitting(instance, state, room):
    """Return the largest type left that is at most ``room``, or T if there is none."""
    types = instance.size.shape[0]
    t = instance.first[room >> instance.shift]
    while t < types and instance.size[t] > room:
        t += 1
    return next_present(state, max(t, state.numbers[TOP]))


@jit
def put(instance, state, t):
    """Put an item of type ``t`` into the open bin."""
    state.order[state.numbers[PLACED]] = t
    state.numbers[PLACED] += 1
    state.numbers[LEFT] -= 1
    state.numbers[ROOM] -= instance.size[t]
    state.numbers[LAST] = max(state.numbers[LAST], t)
    state.numbers[KNOWN] = max(state.numbers[KNOWN], t + 1)
    state.count[t] -= 1
    if state.count[t] == 0:
        state.present[t >> 6] &= ~(np.uint64(1) << np.uint64(t & 63))
        if t == state.numbers[TOP]:
            state.numbers[TOP] = next_present(state, t)


@jit
def settle(instance, state):
    """Make the moves that are no choice: close the bin, open the next, put items that dominate all else."""
    types = instance.size.shape[0]
    while state.numbers[LEFT] > 0:
        fitting = first_fitting(instance, state, state.numbers[ROOM])
        if fitting == types:
            open_bin(instance, state)
        elif instance.tight:
            forced = dominating(instance, state, fitting)
            if forced < 0 and instance.finish and state.numbers[FAILED]:
                forced = greedy(instance, state, fitting)
            if forced < 0:
                return
            put(instance, state, forced)
        else:
            return


@jit
def open_bin(instance, state):
    """Close the open bin and begin the next with the largest item left."""
    if state.numbers[BINS] > 0:
        fill = (instance.capacity - state.numbers[ROOM]) / instance.capacity
        state.fills[0] += power(instance, fill)
        state.numbers[BUDGET] -= state.numbers[ROOM]
        if state.numbers[BUDGET] < 0:
            state.numbers[BUDGET] += instance.capacity
            state.numbers[FAILED] = 1
    state.numbers[BINS] += 1
    state.numbers[ROOM] = instance.capacity
    top = state.numbers[TOP]
    state.numbers[9] = top
    state.numbers[10] = state.numbers[BINS] - 1
    put(instance, state, top)
    state.order[state.numbers[PLACED] - 1] = ~top
    if instance.tight:
        state.numbers[LAST] = 0
        room = state.numbers[ROOM]
        fitting = first_fitting(instance, state, room)
        if fitting < types_of(instance):
            find_reach(instance, state, fitting, room)


@jit
def types_of(instance):
    """Return T."""
    return instance.size.shape[0]


@jit
def find_reach(instance, state, fitting, room):
    """Find which sums up to ``room`` the items left of each type and all smaller ones can make.

    Row t of ``state.reach``, for each type t present from ``fitting`` on: bit s says that some of the items of types t
    and smaller add up to s. ``state.below[t]`` is the row of the next smaller type, T that of no item at all.
    """
    words = (room >> instance.coarse >> 6) + 1
    if words > state.numbers[WORDS]:
        state.numbers[WORDS] = words
        state.numbers[KNOWN] = types_of(instance)
    words = state.numbers[WORDS]
    known = state.numbers[KNOWN]
    below = next_present(state, known)
    for w in range((known - 1) >> 6, (fitting >> 6) - 1, -1):
        word = state.present[w]
        if known < (w + 1) << 6:
            word &= ~(np.uint64(0xFFFFFFFFFFFFFFFF) << np.uint64(known & 63))
        while word != np.uint64(0):
            bit = 63 - leading_zeros(word)
            word ^= np.uint64(1) << np.uint64(bit)
            t = (w << 6) + bit
            if t < fitting:
                break
            add_items(state, t, below, words, instance.size[t] >> instance.coarse, state.count[t])
            state.below[t] = below
            below = t
    state.numbers[KNOWN] = min(known, fitting)


@jit
def add_items(state, row, below, words, size, copies):
    """Make ``row`` of ``state.reach`` the sums of ``below`` with up to ``copies`` items of ``size`` added."""
    source = below
    skip = size >> 6
    left = np.uint64(size & 63)
    for copy in range(copies):
        if copy * size >= words << 6:
            break
        if left == np.uint64(0):
            for w in range(words - 1, skip - 1, -1):
                state.reach[row, w] = state.reach[source, w] | state.reach[source, w - skip]
        else:
            right = np.uint64(64) - left
            for w in range(words - 1, skip, -1):
                shifted = (state.reach[source, w - skip] << left) | (state.reach[source, w - skip - 1] >> right)
                state.reach[row, w] = state.reach[source, w] | shifted
            if skip < words:
                state.reach[row, skip] = state.reach[source, skip] | (state.reach[source, 0] << left)
        if source != row:
            for w in range(min(skip, words)):
                state.reach[row, w] = state.reach[source, w]
        source = row


@jit
def highest(state, row, limit):
    """Return the highest sum in a row of ``state.reach`` that is at most ``limit`` (in its units)."""
    w = limit >> 6
    word = state.reach[row, w] & (np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(63 - (limit & 63)))
    while word == np.uint64(0):
        w -= 1
        word = state.reach[row, w]
    return (w << 6) + 63 - leading_zeros(word)


@jit
def waste_after(instance, state, t, room):
    """Return the least room that can be left when an item of type ``t`` comes next and none larger after it.

    A lower estimate where ``unit`` is not 1.
    """
    size = instance.size[t]
    room -= size
    least = room
    for _ in range(state.count[t]):
        reached = highest(state, state.below[t], room >> instance.coarse)
        least = min(least, max(0, room - (reached << instance.coarse) - instance.rounding))
        room -= size
        if room < 0 or least == 0:
            break
    return least


@jit
def greedy(instance, state, fitting):
    """Best type by waste."""
    room = state.numbers[ROOM]
    t = max(fitting, next_present(state, state.numbers[LAST]))
    if instance.finish == 2:
        return t
    best = t
    least = room + 1
    while t < types_of(instance):
        waste = waste_after(instance, state, t, room)
        if waste < least:
            least = waste
            best = t
            if waste == 0:
                break
        t = next_present(state, t + 1)
    return best


@jit
def dominating(instance, state, fitting):
    """Return the type that goes into the open bin without loss, or -1 where there is a choice.

    An item that alone fills the room as well as any set of items could is no worse than any of them (Martello and
    Toth, Knapsack Problems, 1990, the dominance criterion); ``fitting`` is the largest that fits.
    """
    room = state.numbers[ROOM]
    size = instance.size[fitting]
    if room == size:
        return fitting
    types = types_of(instance)
    first = max(fitting, next_present(state, state.numbers[LAST]))
    if first == types:
        return fitting
    if instance.coarse == 0 and highest(state, first, room) <= size and first == fitting:
        return fitting
    return -1


@jit
def tight_moves(instance, state, moves, first, room, base):
    """Write the types from ``first`` on after which the bin can be filled to within the budget of waste.

    Where none is, the lower bound is out of reach: one more bin widens the budget.
    """
    count = 0
    least = room
    w = first >> 6
    word = state.present[w] & (np.uint64(0xFFFFFFFFFFFFFFFF) << np.uint64(first & 63))
    while True:
        while word != np.uint64(0):
            t = (w << 6) + trailing_zeros(word)
            word &= word - np.uint64(1)
            waste = waste_after(instance, state, t, room)
            least = min(least, waste)
            moves.move[count] = t
            moves.code[count] = waste
            count += 1
        w += 1
        if w == state.present.shape[0]:
            break
        word = state.present[w]
    limit = state.numbers[BUDGET]
    if least > limit:
        limit += instance.capacity
    if instance.spread > 0:
        limit = min(limit, max(least, np.int64(limit * instance.spread) + 1))
    kept = 0
    for m in range(count):
        waste = moves.code[m]
        if waste <= limit:
            t = moves.move[m]
            moves.move[kept] = t
            moves.code[kept] = base + t
            moves.prior[kept] = instance.size_factor[t] * instance.waste_factor[(waste - least) >> instance.waste_shift]
            kept += 1
    return kept


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """A partial packing.

    numbers: int64[9], items left, items put, room in the open bin, bins, largest type left, type put last (0 in a
    bin just opened), capacity that may still be wasted.
    fills: float64[1], the sum of squared fills of the closed bins.
    count: int64[T], items left of each type. present: uint64[ceil(T/64)], a bit for each type left.
    order: int64[n], the types put so far; ~type where it opened a bin.
    reach: uint64[T + 1, words], sums that can be made (see ``find_reach``). below: int64[T], the next row.
    """

    numbers: np.ndarray
    fills: np.ndarray
    count: np.ndarray
    present: np.ndarray
    order: np.ndarray
    reach: np.ndarray
    below: np.ndarray
