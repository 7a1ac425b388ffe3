"""What kernels of board games share: sets of cells as bits, moves from them, and chains of stones as trees."""

import numpy as np

from nrpa.engine.jit import jit, trailing_zeros

NONE = np.uint64(0)
ONE = np.uint64(1)
SIX = np.uint64(6)
LOW_SIX = np.uint64(63)
WORD = np.uint64(64)
ALL = np.uint64(2**64 - 1)


def words_for(cells: int) -> int:
    """Return how many words of 64 bits hold a bit for each of some cells."""
    return -(-cells // 64)


@jit
def fill(words, cells):
    """Put the cells 0 to ``cells`` - 1 (uint64) into a set (uint64[words])."""
    for word in range(np.uint64(words.shape[0])):
        left = cells - word * WORD
        words[word] = ALL if left >= WORD else (ONE << left) - ONE


@jit
def put(words, cell):
    """Put a cell (uint64) into a set (uint64[words])."""
    words[cell >> SIX] |= ONE << (cell & LOW_SIX)


@jit
def take(words, cell):
    """Take a cell (uint64) out of a set (uint64[words])."""
    words[cell >> SIX] &= ~(ONE << (cell & LOW_SIX))


@jit
def holds(words, cell):
    """Return whether a cell (uint64) is in a set (uint64[words])."""
    return (words[cell >> SIX] >> (cell & LOW_SIX)) & ONE != NONE


@jit
def is_empty(words):
    """Return whether no cell is in a set (uint64[words])."""
    found = NONE
    for word in range(words.shape[0]):
        found |= words[word]
    return found == NONE


@jit
def write_cells(words, first_code, moves):
    """Write the cells of a set (uint64[words]) as moves, in ascending order; return their number."""
    count = NONE
    for word in range(np.uint64(words.shape[0])):
        bits = words[word]
        while bits != NONE:
            cell = (word << SIX) + np.uint64(trailing_zeros(bits))
            bits &= bits - ONE
            moves.move[count] = np.int64(cell)
            moves.code[count] = first_code + np.int64(cell)
            count += ONE
    return np.int64(count)


@jit
def root_of(state, cell):
    """Return the root of a cell's chain, and halve the way to it."""
    while state.parent[cell] != cell:
        state.parent[cell] = state.parent[state.parent[cell]]
        cell = np.int64(state.parent[cell])
    return cell
