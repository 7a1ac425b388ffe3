"""Weak Schur partitions as the search builds them: a part, and the sums of its pairs, as rows of bits."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels

NEXT, USED, LAST = 0, 1, 2


class Instance(NamedTuple):
    """What the kernels know."""

    parts: int  # how many
    limit: int  # the largest number tried
    repeat: bool  # whether a part is used again where it can be


def reset(instance, state):
    """Begin with no number placed."""
    state.members[:] = 0
    state.sums[:] = 0
    state.counts[:] = 0
    state.counts[NEXT] = 1


def legal_moves(instance, state, moves):
    """Write the parts in which the next number is no sum; of the empty ones, which are alike, only the first."""
    number = state.counts[NEXT]
    if number > instance.limit:
        return 0
    word, bit = number >> 6, np.uint64(number & 63)
    last = state.counts[LAST]
    if instance.repeat and not (state.sums[last, word] >> bit) & np.uint64(1):
        moves.move[0] = last
        moves.code[0] = number * instance.parts + last
        return 1
    count = 0
    for part in range(min(state.counts[USED] + 1, instance.parts)):
        if not (state.sums[part, word] >> bit) & np.uint64(1):
            moves.move[count] = part
            moves.code[count] = number * instance.parts + part
            count += 1
    return count


def play(instance, state, move):
    """Put the next number into a part: its sums with the smaller ones there become sums of the part."""
    number = state.counts[NEXT]
    words = state.members.shape[1]
    shift, low = number >> 6, np.uint64(number & 63)
    high = np.uint64(64) - low
    for word in range(min(shift + 1, words - shift)):
        members = state.members[move, word]
        state.sums[move, word + shift] |= members << low
        if low > np.uint64(0) and word + shift + 1 < words:
            state.sums[move, word + shift + 1] |= members >> high
    state.members[move, shift] |= np.uint64(1) << low
    state.counts[NEXT] = number + 1
    state.counts[USED] = max(state.counts[USED], move + 1)
    state.counts[LAST] = move


def score(instance, state):
    """Return how many numbers were placed."""
    return np.float64(state.counts[NEXT] - 1)


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """A partition of the first numbers."""

    # [parts, words], bit n of a row is set where n is in the part, or the sum of two different numbers of it
    members: NDArray[np.uint64]
    sums: NDArray[np.uint64]
    counts: NDArray[np.int64]  # [3], the next number, the parts in use, the part of the number before
