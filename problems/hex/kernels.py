"""Hex as the search plays it: chains of stones as trees, whose roots know which sides of the board they touch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import jit
from nrpa.engine.kernels import kernels
from nrpa.problems.games.placing import fill, root_of, take, words_for, write_cells

EMPTY = -1
PLAYER, WINNER = 0, 1
NOBODY = -1
BOTH_SIDES = 3


class Instance(NamedTuple):
    """A board of C cells.

    near: int16[C, 6], the neighbours of a cell, then -1 for those off the board. side: uint8[2, C], 1 where a cell
    touches the first side of a player, 2 where the other one. key: int64[2, C], Zobrist keys. first: the cell of the
    first player's first stone, -1 for none.
    """

    near: np.ndarray
    side: np.ndarray
    key: np.ndarray
    first: int


def reset(instance, state):
    """Empty the board, and place the first stone if it is fixed."""
    cells = instance.near.shape[0]
    for cell in range(cells):
        state.owner[cell] = EMPTY
    fill(state.free, np.uint64(cells))
    state.turn[PLAYER] = 0
    state.turn[WINNER] = NOBODY
    state.hash[0] = 0
    if instance.first >= 0:
        play_inside(instance, state, instance.first)


def legal_moves(instance, state, moves):
    """Write the empty cells, none where somebody has won."""
    if state.turn[WINNER] != NOBODY:
        return 0
    return write_cells(state.free, state.turn[PLAYER] * instance.near.shape[0], moves)


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


play_inside = jit(play)


def player(instance, state):
    """Return whose turn it is."""
    return state.turn[PLAYER]


def rewards(instance, state, rewards):
    """Give 1 to the winner and 0 to the other."""
    rewards[0] = 1.0 if state.turn[WINNER] == 0 else 0.0
    rewards[1] = 1.0 - rewards[0]


def hash(instance, state):  # noqa: A001
    """Return the XOR of the stones' keys; they say whose turn it is, too."""
    return state.hash[0]


@kernels(reset, legal_moves, play, player, rewards, hash)
class State(NamedTuple):
    """A position.

    owner: int8[C], a player or EMPTY. free: uint64[words], the empty cells. parent: int16[C], a stone nearer to the
    root of its chain. sides: uint8[C], the sides that a root's chain touches. turn: int64[2], whose turn it is and who
    has won. hash: int64[1].
    """

    owner: np.ndarray
    free: np.ndarray
    parent: np.ndarray
    sides: np.ndarray
    turn: np.ndarray
    hash: np.ndarray


def new_state(instance: Instance) -> State:
    """Return a state with arrays of its own."""
    cells = len(instance.near)
    return State(
        owner=np.zeros(cells, np.int8),
        free=np.zeros(words_for(cells), np.uint64),
        parent=np.zeros(cells, np.int16),
        sides=np.zeros(cells, np.uint8),
        turn=np.zeros(2, np.int64),
        hash=np.zeros(1, np.int64),
    )
