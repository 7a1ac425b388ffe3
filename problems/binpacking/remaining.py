"""The items that are left, and the look-ahead: which sums they can make (subset sums by dynamic programming)."""

import numpy as np

from nrpa.machine.jit import jit, leading_zeros, trailing_zeros
from nrpa.problems.binpacking.progress import WORK

# The entries of ``State.numbers``: items left and items put; the open bin's room and first type; bins opened; the
# largest type left; the smallest put into the open bin (0 at first); the capacity that may still be wasted; the type
# from which on the rows of ``State.reach`` are true, and how many words of them; the largest type that fits.
LEFT, PLACED, ROOM, OPENER, BINS, TOP, LAST, BUDGET, KNOWN, WORDS, FITTING = range(11)
NUMBERS = 11


@jit
def bits_from(state, w, first):
    """Return a word of ``state.present`` without the types before ``first``."""
    word = state.present[w]
    if first >> 6 == w:
        word &= np.uint64(0xFFFFFFFFFFFFFFFF) << np.uint64(first & 63)
    return word


@jit
def next_present(state, first):
    """Return the first type from ``first`` on of which an item is left."""
    for w in range(first >> 6, state.present.shape[0]):
        word = bits_from(state, w, first)
        if word != np.uint64(0):
            return (w << 6) + trailing_zeros(word)
    return state.remaining.shape[0]


@jit
def first_fitting(instance, state, room):
    """Return the largest type left whose size is at most ``room``."""
    types = instance.size.shape[0]
    t = instance.first[room >> instance.shift]
    while t < types and instance.size[t] > room:
        t += 1
    return next_present(state, max(t, state.numbers[TOP]))


@jit
def find_reach(instance, state, fitting, room):
    """Find which sums the items left of each type and all smaller ones can make.

    Afterwards bit s of row t of ``state.reach`` says, for each type t present from ``fitting`` on, that some of the
    items of types t and smaller add up to s (in units of 2^coarse, each size rounded down). ``state.below[t]`` is the
    row of the next smaller type; the last row is that of no item at all. Rows from ``KNOWN`` on are still true and are
    kept.
    """
    types = instance.size.shape[0]
    words = (room >> instance.coarse >> 6) + 1
    if words > state.numbers[WORDS]:
        for w in range(words):
            state.reach[types, w] = np.uint64(w == 0)
        state.numbers[WORDS] = words
        state.numbers[KNOWN] = types
    words = state.numbers[WORDS]
    known = state.numbers[KNOWN]
    below, rows = next_present(state, known), 0
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
            size = instance.size[t] >> instance.coarse
            add_items(state.reach, t, below, words, size, state.remaining[t])
            rows += 1
            state.below[t] = below
            below = t
    state.numbers[KNOWN] = min(known, fitting)
    state.progress[WORK] += rows * words


@jit
def add_items(reach, row, below, words, size, copies):
    """Make a row of ``reach`` (uint64[types + 1, words]) the sums of the row below, with items of one size added."""
    skip = size >> 6
    left = np.uint64(size & 63)
    right = np.uint64(64) - left
    source = below
    for copy in range(copies if size > 0 else 1):
        if copy * size >= words << 6:
            break
        if left == np.uint64(0):
            for w in range(words - 1, skip - 1, -1):
                reach[row, w] = reach[source, w] | reach[source, w - skip]
        else:
            for w in range(words - 1, skip, -1):
                shifted = (reach[source, w - skip] << left) | (reach[source, w - skip - 1] >> right)
                reach[row, w] = reach[source, w] | shifted
            if skip < words:
                reach[row, skip] = reach[source, skip] | (reach[source, 0] << left)
        if source != row:
            for w in range(min(skip, words)):
                reach[row, w] = reach[source, w]
        source = row


@jit
def waste_after(instance, state, t, room):
    """Return the least room that is left when an item of type ``t`` comes next and none larger after it.

    A lower estimate of it where ``coarse`` is not 0.
    """
    least = room
    for _ in range(state.remaining[t]):
        room -= instance.size[t]
        if room < 0 or least == 0:
            break
        reached = highest(state, state.below[t], room >> instance.coarse) << instance.coarse
        least = min(least, max(0, room - reached - instance.rounding))
    return least


@jit
def highest(state, row, limit):
    """Return the highest sum in a row of ``state.reach`` that is at most ``limit``."""
    w = limit >> 6
    word = state.reach[row, w] & (np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(63 - (limit & 63)))
    while word == np.uint64(0):
        w -= 1
        word = state.reach[row, w]
    return (w << 6) + 63 - leading_zeros(word)
