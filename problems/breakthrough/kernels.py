"""Kernels of Breakthrough and Knightthrough: pieces that only go forward, on a table of their steps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import trailing_zeros
from nrpa.problems.games.boards import EMPTY, NOBODY, NONE, ONE, PLAYER, SIX, WINNER, player, put, take

# What a piece is worth more for each of its steps squared, and how surely the heavier pieces win.
FURTHER, STEEPNESS = 0.02, 0.7


class Instance(NamedTuple):
    """A board of C cells, on which a piece has D steps."""

    start: np.ndarray  # int8[C], the owners of the cells in the beginning
    end: np.ndarray  # int16[2, C, D], where each step of a player's piece on a cell leads, -1 off the board
    captures: np.ndarray  # uint8[2, D], whether the step can capture
    goal: np.ndarray  # uint8[2, C], whether a piece of the player on the cell wins
    key: np.ndarray  # int64[2, C], Zobrist keys
    turn_key: np.ndarray  # int64[2]
    pieces: int  # of each player


def reset(instance, state):
    """Set up the pieces."""
    state.pieces[:] = NONE
    state.left[:] = instance.pieces
    state.hash[0] = 0
    for cell in range(instance.start.shape[0]):
        owner = instance.start[cell]
        state.owner[cell] = owner
        if owner != EMPTY:
            put(state.pieces[owner], np.uint64(cell))
            state.hash[0] ^= instance.key[owner, cell]
    state.turn[PLAYER] = 0
    state.turn[WINNER] = NOBODY


def legal_moves(instance, state, moves):
    """Write the steps of all pieces, none where somebody has won."""
    if state.turn[WINNER] != NOBODY:
        return 0
    player = state.turn[PLAYER]
    cells = instance.start.shape[0]
    steps = instance.end.shape[2]
    count = 0
    for word in range(np.uint64(state.pieces.shape[1])):
        bits = state.pieces[player, word]
        while bits != NONE:
            cell = np.int64((word << SIX) + np.uint64(trailing_zeros(bits)))
            bits &= bits - ONE
            for step in range(steps):
                end = np.int64(instance.end[player, cell, step])
                if end < 0:
                    continue
                owner = state.owner[end]
                if owner == EMPTY or (owner != player and instance.captures[player, step]):
                    moves.move[count] = cell * cells + end
                    captures = 0 if owner == EMPTY else 1
                    moves.code[count] = 2 * ((player * cells + cell) * steps + step) + captures
                    count += 1
    return count


def play(instance, state, move):
    """Move a piece, and capture what is there."""
    player = state.turn[PLAYER]
    other = 1 - player
    cell, end = np.divmod(move, instance.start.shape[0])
    if state.owner[end] == other:
        take(state.pieces[other], np.uint64(end))
        state.left[other] -= 1
        state.hash[0] ^= instance.key[other, end]
    take(state.pieces[player], np.uint64(cell))
    put(state.pieces[player], np.uint64(end))
    state.owner[cell] = EMPTY
    state.owner[end] = player
    state.hash[0] ^= instance.key[player, cell] ^ instance.key[player, end]
    if instance.goal[player, end] or state.left[other] == 0:
        state.turn[WINNER] = player
    state.turn[PLAYER] = other


def rewards(instance, state, rewards):
    """Give 1 to the winner and 0 to the other; who cannot move has lost."""
    winner = state.turn[WINNER]
    if winner == NOBODY:
        winner = 1 - state.turn[PLAYER]
    rewards[0] = 1.0 - winner
    rewards[1] = 1.0 * winner


def value(instance, state, rewards):
    """Weigh the pieces of both players: each counts 1, and more the further it has come."""
    size = instance.pieces // 2
    ahead = 0.0
    for each in range(2):
        weight = 0.0
        for word in range(np.uint64(state.pieces.shape[1])):
            bits = state.pieces[each, word]
            while bits != NONE:
                row = np.int64((word << SIX) + np.uint64(trailing_zeros(bits))) // size
                bits &= bits - ONE
                steps = row if each == 0 else size - 1 - row
                weight += 1.0 + FURTHER * steps * steps
        ahead += weight if each == 0 else -weight
    rewards[0] = 1.0 / (1.0 + np.exp(-STEEPNESS * ahead))
    rewards[1] = 1.0 - rewards[0]


def hash(instance, state):  # noqa: A001
    """Return the XOR of the keys of the pieces and of whose turn it is."""
    return state.hash[0] ^ instance.turn_key[state.turn[PLAYER]]


@kernels(reset, legal_moves, play, player, rewards, value, hash)
class State(NamedTuple):
    """A position."""

    owner: NDArray[np.int8]  # [C], a player or EMPTY
    pieces: NDArray[np.uint64]  # [2, words], the cells of each player's pieces
    left: NDArray[np.int64]  # [2], how many each has
    turn: NDArray[np.int64]  # [2], whose turn it is and who has won
    hash: NDArray[np.int64]  # [1], of the pieces
