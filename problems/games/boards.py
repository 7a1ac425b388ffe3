"""What kernels of board games share: who is to move and has won, sets of cells as bits, chains of stones as trees."""

import numpy as np

from nrpa.machine.jit import jit, trailing_zeros

EMPTY = NOBODY = -1
PLAYER, WINNER = 0, 1

NONE = np.uint64(0)
ONE = np.uint64(1)
SIX = np.uint64(6)
LOW_SIX = np.uint64(63)
WORD = np.uint64(64)
ALL = np.uint64(2**64 - 1)


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


def player(instance, state):
    """Return whose turn it is."""
    return state.turn[PLAYER]


def rewards(instance, state, rewards):
    """Give 1 to the winner and 0 to the others; without a winner the same to all, 1 in sum."""
    winner, players = state.turn[WINNER], rewards.shape[0]
    for player in range(players):
        rewards[player] = 1.0 / players if winner == NOBODY else 1.0 if winner == player else 0.0


def hash(instance, state):  # noqa: A001
    """Return the XOR of the stones' keys; they say whose turn it is, too."""
    return state.hash[0]


def legal_moves(instance, state, moves):
    """Write the empty cells, none where somebody has won."""
    if state.turn[WINNER] != NOBODY:
        return 0
    return write_cells(state.free, state.turn[PLAYER] * instance.key.shape[1], moves)


def reset(instance, state):
    """Empty a board whose empty cells are in ``free``, and let the first player begin."""
    state.owner[:] = EMPTY
    fill(state.free, np.uint64(instance.key.shape[1]))
    state.turn[PLAYER] = 0
    state.turn[WINNER] = NOBODY
    state.hash[0] = 0
