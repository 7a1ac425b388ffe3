"""Gomoku as the search plays it, on a board with a border of cells that belong to nobody."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import jit
from nrpa.problems.games import boards
from nrpa.problems.games.boards import PLAYER, WINNER, player, rewards, take

FIVE = 5


class Instance(NamedTuple):
    """A board of C cells, with a border of one cell all around B cells."""

    place: np.ndarray  # int64[C], where a cell lies with the border
    steps: np.ndarray  # int64[4], from a cell to the next in each direction
    key: np.ndarray  # int64[2, C], Zobrist keys


def play(instance, state, move):
    """Place a stone, and see whether it completes a row."""
    player = state.turn[PLAYER]
    place = instance.place[move]
    state.owner[place] = player
    take(state.free, np.uint64(move))
    state.hash[0] ^= instance.key[player, move]
    for direction in range(4):
        step = instance.steps[direction]
        if 1 + beyond(state, place, step, player) + beyond(state, place, -step, player) >= FIVE:
            state.turn[WINNER] = player
    state.turn[PLAYER] = 1 - player


@jit
def beyond(state, place, step, player):
    """Return how many stones of a player lie beyond a place, without a gap."""
    count = 0
    while state.owner[place + (count + 1) * step] == player:
        count += 1
    return count


@kernels(boards.reset, boards.legal_moves, play, player, rewards, boards.hash)
class State(NamedTuple):
    """A position."""

    owner: NDArray[np.int8]  # [B], a player or EMPTY
    free: NDArray[np.uint64]  # [words], the empty cells
    turn: NDArray[np.int64]  # [2], whose turn it is and who has won
    hash: NDArray[np.int64]  # [1]
