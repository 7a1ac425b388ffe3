"""Folding as the search plays it: one helix after the other, until it stops.

A helix may be added when its bases are free and it crosses none. With pseudoknots one that crosses is added to a second
layer, in which again none cross. The energy is ViennaRNA's: ``score`` calls back into Python with the structure.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.callback import call
from nrpa.engine.intrinsics import trailing_zeros
from nrpa.engine.kernels import kernels

STEP, STOPPED = 0, 1
UNPAIRED, ROUND_OPEN, ROUND_CLOSE, SQUARE_OPEN, SQUARE_CLOSE = map(ord, ".()[]")


class Instance(NamedTuple):
    """H helices over n positions; sets of helices are bits of W = ⌈H / 64⌉ words.

    first, last, length: int64[H], the pairs (first + k, last - k) for k < length.
    sharing: uint64[H, W], the helices that have a base in common with each (itself too).
    crossing: uint64[H, W], the helices that cross it and share no base.
    missing: uint64[W], the bits beyond H.
    layers: 2 with pseudoknots, else 1. address: of the callback that scores a structure.
    """

    first: np.ndarray
    last: np.ndarray
    length: np.ndarray
    sharing: np.ndarray
    crossing: np.ndarray
    missing: np.ndarray
    layers: int
    address: int


def reset(instance, state):
    """Pair nothing yet."""
    state.counts[STEP] = 0
    state.counts[STOPPED] = 0
    for i in range(len(state.symbols)):
        state.symbols[i] = UNPAIRED
    for w in range(len(state.used)):
        state.used[w] = instance.missing[w]
        state.over_round[w] = 0
        state.over_square[w] = np.uint64(0) if instance.layers == 2 else ~np.uint64(0)


def legal_moves(instance, state, moves):
    """Write the helices that fit, and the stop (move and code H)."""
    if state.counts[STOPPED]:
        return 0
    count = 0
    for w in range(len(state.used)):
        left = ~(state.used[w] | (state.over_round[w] & state.over_square[w]))
        while left != np.uint64(0):
            helix = 64 * w + trailing_zeros(left)
            moves.move[count] = helix
            moves.code[count] = helix
            count += 1
            left &= left - np.uint64(1)
    moves.move[count] = len(instance.first)
    moves.code[count] = len(instance.first)
    return count + 1


def play(instance, state, move):
    """Add the helix ``move``, or stop."""
    if move == len(instance.first):
        state.counts[STOPPED] = 1
        return
    word = move // 64
    bit = np.uint64(1) << np.uint64(move % 64)
    square = (state.over_round[word] & bit) != np.uint64(0)
    opening = SQUARE_OPEN if square else ROUND_OPEN
    closing = SQUARE_CLOSE if square else ROUND_CLOSE
    for k in range(instance.length[move]):
        state.symbols[instance.first[move] + k] = opening
        state.symbols[instance.last[move] - k] = closing
    for w in range(len(state.used)):
        state.used[w] |= instance.sharing[move, w]
        if square:
            state.over_square[w] |= instance.crossing[move, w]
        else:
            state.over_round[w] |= instance.crossing[move, w]
    state.counts[STEP] += 1


def score(instance, state):
    """Return minus the energy of the structure."""
    return -call(instance.address, state.symbols)


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """A partial structure.

    symbols: uint8[n], dot-bracket as ASCII. used: uint64[W], the helices without room.
    over_round, over_square: uint64[W], the helices that cross one of that layer (all, where there is no such layer).
    counts: int64[2], helices added, and whether it has stopped.
    """

    symbols: np.ndarray
    used: np.ndarray
    over_round: np.ndarray
    over_square: np.ndarray
    counts: np.ndarray


def new_state(positions: int, words: int) -> State:
    """Return the arrays of a state."""
    return State(
        np.zeros(positions, np.uint8),
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(2, np.int64),
    )
