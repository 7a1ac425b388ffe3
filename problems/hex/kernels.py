"""Hex as the search plays it: chains of stones as trees, whose roots know which sides of the board they touch."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import jit
from nrpa.problems.games import boards
from nrpa.problems.games.boards import PLAYER, WINNER, player, rewards, root_of, take

BOTH_SIDES = 3


class Instance(NamedTuple):
    """A board of C cells."""

    near: np.ndarray  # int16[C, 6], the neighbours of a cell, then -1 for those off the board
    side: np.ndarray  # uint8[2, C], 1 where a cell touches the first side of a player, 2 where the other one
    key: np.ndarray  # int64[2, C], Zobrist keys
    first: int  # the cell of the first player's first stone, -1 for none


def reset(instance, state):
    """Empty the board, and place the first stone if it is fixed."""
    clear(instance, state)
    if instance.first >= 0:
        play_inside(instance, state, instance.first)


def play(instance, state, move):
    """Place a stone of the player whose turn it is, connect it with its neighbours, and see whether it wins."""
    player = state.turn[PLAYER]
    state.owner[move] = player
    take(state.free, np.uint64(move))
    state.parent[move] = move
    sides = instance.side[player, move]
    for k in range(6):
        beside = np.int64(instance.near[move, k])
        if beside < 0:
            break
        if state.owner[beside] == player:
            root = root_of(state, beside)
            if root != move:
                sides |= state.sides[root]
                state.parent[root] = move
    state.sides[move] = sides
    if sides == BOTH_SIDES:
        state.turn[WINNER] = player
    state.hash[0] ^= instance.key[player, move]
    state.turn[PLAYER] = 1 - player


clear, play_inside = jit(boards.reset), jit(play)


@kernels(reset, boards.legal_moves, play, player, rewards, boards.hash)
class State(NamedTuple):
    """A position."""

    owner: NDArray[np.int8]  # [C], a player or EMPTY
    free: NDArray[np.uint64]  # [words], the empty cells
    parent: NDArray[np.int16]  # [C], a stone nearer to the root of its chain
    sides: NDArray[np.uint8]  # [C], the sides that a root's chain touches
    turn: NDArray[np.int64]  # [2], whose turn it is and who has won
    hash: NDArray[np.int64]  # [1]
