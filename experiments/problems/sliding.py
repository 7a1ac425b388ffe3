"""The sliding puzzle beside IDA*, the textbook's search, which proves its answers.

The instances: of the first twenty of Korf's hundred boards the one with the shortest way, the first, and the one with
the longest. No package that pip installs is known to solve the puzzle; the peer is IDA* with the Manhattan distance
(Korf 1985), compiled by numba.
"""

import time
from itertools import pairwise

import numba
import numpy as np

INSTANCES = "korf-16", "korf-1", "korf-17"
PEER = "IDA* with the Manhattan distance"
BASELINE = "nearest to order first"
NODES = 1_000_000


def answer(problem, seconds):
    """Return the fewest moves; the limit of moves grows by two."""
    end, limit, status = time.process_time() + seconds, problem.distance, -1
    while status < 0:
        board, hole = problem.board.copy(), int(np.argmin(problem.board))
        stack = np.zeros((limit + 2, 3), np.int64)  # at each depth: the direction to try, the empty cell, the distance
        stack[0] = 0, hole, problem.distance
        depth, status = 0, 0
        while status == 0:
            depth, status = searched(board, problem.side, limit, stack, depth, NODES)
            if status == 0 and time.process_time() > end:
                return None
        limit += 2
    return tiles_of(problem, stack[: depth + 1, 1].tolist())


def tiles_of(problem, holes):
    """Return the tiles that slide when the empty cell goes through some cells."""
    board, tiles = problem.board.tolist(), []
    for hole, cell in pairwise(holes):
        tiles.append(board[cell])
        board[hole], board[cell] = board[cell], 0
    return tiles


@numba.njit(cache=True)
def searched(board, side, limit, stack, depth, nodes):
    """Search on depth first for some nodes; return the depth, and 1: in order, -1: nothing left, 0: not yet."""
    for _ in range(nodes):
        direction, hole, distance = stack[depth]
        if distance == 0:
            return depth, 1
        stack[depth, 0] += 1
        if direction == 4:
            if depth == 0:
                return depth, -1
            depth -= 1
            before = stack[depth, 1]
            board[hole], board[before] = board[before], 0
            continue
        row, column = hole // side, hole % side
        row += (direction == 0) - (direction == 1)
        column += (direction == 2) - (direction == 3)
        cell = row * side + column
        if not (0 <= row < side and 0 <= column < side) or (depth > 0 and cell == stack[depth - 1, 1]):
            continue
        tile = board[cell]
        after = distance + way(tile, hole, side) - way(tile, cell, side)
        if depth + 1 + after <= limit:
            board[hole], board[cell] = tile, 0
            depth += 1
            stack[depth] = 0, cell, after
    return depth, 0


@numba.njit(cache=True)
def way(tile, cell, side):
    """Return how far a tile in a cell is from its place."""
    return abs(tile // side - cell // side) + abs(tile % side - cell % side)


def baseline(problem):
    """Slide the tile that brings the board nearest to order, back only where nothing else is left; to the limit."""
    plain = problem.plain
    state, moves = plain.initial_state(), []
    while legal := plain.legal_moves(state):
        move = max(legal, key=lambda tile: plain.bias(state, tile))
        moves.append(int(move))
        state = plain.play(state, move)
    return moves
