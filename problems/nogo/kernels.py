"""Kernels of Nogo and Atarigo: chains of stones with their liberties, on a board from which no stone is ever taken.

A chain is a tree of stones. Its root counts the chain's liberties once for each stone beside them, and adds up their
numbers and the squares of these. All liberties are the same cell exactly where count × squares = sum² (Cauchy-Schwarz):
then the chain is in atari, and the cell is sum / count. After a move, only the empty cells beside it and the last
liberties of the chains that it touches can become legal or not.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import jit
from nrpa.problems.games.boards import (
    EMPTY,
    NOBODY,
    PLAYER,
    WINNER,
    fill,
    is_empty,
    player,
    put,
    rewards,
    root_of,
    take,
    write_cells,
)

OUT = 2


class Instance(NamedTuple):
    """A board of C cells for P players."""

    near: np.ndarray  # int16[C, 4], the neighbours of a cell, then -1 for those off the board
    key: np.ndarray  # int64[P, C], Zobrist keys of stones
    turn_key: np.ndarray  # int64[P, 2**P], of whose turn it is and who is out
    wins: bool  # whether a capture wins, as in Atarigo; else it is forbidden, as in Nogo


def reset(instance, state):
    """Empty the board."""
    state.owner[:] = EMPTY
    for each in range(instance.key.shape[0]):
        fill(state.legal[each], np.uint64(instance.near.shape[0]))
    state.turn[:] = 0
    state.turn[WINNER] = NOBODY
    state.hash[0] = 0


def legal_moves(instance, state, moves):
    """Write the legal cells of the player whose turn it is, none where somebody has won."""
    if state.turn[WINNER] != NOBODY:
        return 0
    player = state.turn[PLAYER]
    return write_cells(state.legal[player], player * instance.near.shape[0], moves)


def play(instance, state, move):
    """Place a stone, and pass the turn on to the next player who has a legal move."""
    player = state.turn[PLAYER]
    state.owner[move] = player
    for each in range(instance.key.shape[0]):
        take(state.legal[each], np.uint64(move))
    state.hash[0] ^= instance.key[player, move]
    connect(instance, state, move)
    captured = look_again(instance, state, move)
    if instance.wins and captured:
        state.turn[WINNER] = player
    pass_turn(instance, state)


@jit
def connect(instance, state, cell):
    """Make a new stone a chain with its neighbours, and take the liberty that it was from the chains beside it."""
    state.parent[cell] = cell
    state.liberties[cell] = 0
    state.total[cell] = 0
    state.squares[cell] = 0
    for k in range(4):
        beside = np.int64(instance.near[cell, k])
        if beside < 0:
            break
        if state.owner[beside] == EMPTY:
            add_liberty(state, cell, beside, 1)
            continue
        root = root_of(state, beside)
        if root != cell:
            add_liberty(state, root, cell, -1)
            if state.owner[beside] == state.owner[cell]:
                join_chains(state, root, cell)
        else:
            add_liberty(state, cell, cell, -1)


@jit
def add_liberty(state, root, cell, times):
    """Count a cell as a liberty of a chain, or (``times`` = -1) no longer."""
    state.liberties[root] += times
    state.total[root] += times * cell
    state.squares[root] += times * cell * cell


@jit
def join_chains(state, root, cell):
    """Make the chain of ``root`` part of that of ``cell``, which is a root as well."""
    state.parent[root] = cell
    state.liberties[cell] += state.liberties[root]
    state.total[cell] += state.total[root]
    state.squares[cell] += state.squares[root]


@jit
def look_again(instance, state, cell):
    """Find out anew what is legal where a new stone can have changed it; return whether it captures a chain."""
    captured = look_at_last_liberty(instance, state, cell, state.owner[cell])
    for k in range(4):
        beside = np.int64(instance.near[cell, k])
        if beside < 0:
            break
        if state.owner[beside] == EMPTY:
            update(instance, state, beside)
        else:
            captured |= look_at_last_liberty(instance, state, root_of(state, beside), state.owner[cell])
    return captured


@jit
def look_at_last_liberty(instance, state, root, player):
    """Find out what is legal on the only liberty of a chain; return whether it has none and is not the player's."""
    count = state.liberties[root]
    if count == 0:
        return state.owner[root] != player
    if in_atari(state, root):
        update(instance, state, state.total[root] // count)
    return False


@jit
def in_atari(state, root):
    """Return whether all liberties of a chain are the same cell."""
    return state.liberties[root] * state.squares[root] == state.total[root] * state.total[root]


@jit
def update(instance, state, cell):
    """Find out for which players an empty cell is legal."""
    for each in range(instance.key.shape[0]):
        if is_legal(instance, state, cell, each):
            put(state.legal[each], np.uint64(cell))
        else:
            take(state.legal[each], np.uint64(cell))


@jit
def is_legal(instance, state, cell, player):
    """Return whether a player may place a stone on an empty cell.

    The new chain must have a liberty. A capture makes the move legal where it wins, and illegal elsewhere.
    """
    lives = False
    for k in range(4):
        beside = np.int64(instance.near[cell, k])
        if beside < 0:
            break
        if state.owner[beside] == EMPTY:
            lives = True
        else:
            last = in_atari(state, root_of(state, beside))
            if state.owner[beside] != player and last:
                return instance.wins
            lives |= state.owner[beside] == player and not last
    return lives


@jit
def pass_turn(instance, state):
    """Pass the turn on. Who cannot move is out; the last who is not wins."""
    players = instance.key.shape[0]
    player = state.turn[PLAYER]
    out = state.turn[OUT]
    left = players
    for each in range(players):
        left -= (out >> each) & 1
    while state.turn[WINNER] == NOBODY:
        player = (player + 1) % players
        if (out >> player) & 1:
            continue
        if left == 1:
            state.turn[WINNER] = player
        elif is_empty(state.legal[player]):
            out |= 1 << player
            left -= 1
        else:
            break
    state.turn[PLAYER] = player
    state.turn[OUT] = out


def hash(instance, state):  # noqa: A001
    """Return the XOR of the keys of the stones, of whose turn it is, and of who is out."""
    return state.hash[0] ^ instance.turn_key[state.turn[PLAYER], state.turn[OUT]]


@kernels(reset, legal_moves, play, player, rewards, hash)
class State(NamedTuple):
    """A position."""

    owner: NDArray[np.int8]  # [C], a player or EMPTY
    legal: NDArray[np.uint64]  # [P, words], the cells where each player may place a stone
    parent: NDArray[np.int16]  # [C], a stone nearer to the root of its chain
    # [C], of a root
    liberties: NDArray[np.int64]
    total: NDArray[np.int64]
    squares: NDArray[np.int64]
    turn: NDArray[np.int64]  # [3], whose turn it is, who has won, and a bit for each player who is out
    hash: NDArray[np.int64]  # [1], of the stones
