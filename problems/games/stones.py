"""What kernels of games share in which stones are placed on empty cells, and never taken."""

import numpy as np

from nrpa.problems.games.placing import EMPTY, NOBODY, PLAYER, WINNER, fill, write_cells


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
    for cell in range(state.owner.shape[0]):
        state.owner[cell] = EMPTY
    fill(state.free, np.uint64(instance.key.shape[1]))
    state.turn[PLAYER] = 0
    state.turn[WINNER] = NOBODY
    state.hash[0] = 0
