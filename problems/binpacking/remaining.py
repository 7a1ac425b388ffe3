"""The items that are left, as the kernels see them."""

from __future__ import annotations

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
    """Return a word of ``state.present`` without the types before ``first``.

    Parameters
    ----------
    state : State
        The items left.
    w : int
        Which word: types 64 w to 64 w + 63.
    first : int
        The first type to keep, one of word ``w`` or before it.

    Returns
    -------
    uint64
        A bit for each type.
    """
    word = state.present[w]
    if first >> 6 == w:
        word &= np.uint64(0xFFFFFFFFFFFFFFFF) << np.uint64(first & 63)
    return word


@jit
def next_present(state, first):
    """Return the first type from ``first`` on of which an item is left.

    Parameters
    ----------
    state : State
        The items left.
    first : int
        The first type to look at.

    Returns
    -------
    int
        The type, or T, the number of types, if there is none.
    """
    for w in range(first >> 6, state.present.shape[0]):
        word = bits_from(state, w, first)
        if word != np.uint64(0):
            return (w << 6) + trailing_zeros(word)
    return state.remaining.shape[0]


@jit
def first_fitting(instance, state, room):
    """Return the largest type left whose size is at most ``room``.

    Parameters
    ----------
    instance : Instance
        The sizes.
    state : State
        The items left.
    room : int
        The most that the size may be.

    Returns
    -------
    int
        The type, or T, the number of types, if there is none.
    """
    types = instance.size.shape[0]
    t = instance.first[room >> instance.shift]
    while t < types and instance.size[t] > room:
        t += 1
    return next_present(state, max(t, state.numbers[TOP]))
