"""The items that are left, as the kernels see them."""

import numpy as np

from nrpa.engine.intrinsics import trailing_zeros
from nrpa.engine.jit import jit

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
