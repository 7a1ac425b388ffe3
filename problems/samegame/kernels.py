"""SameGame as the search plays it: take a group, let the cells above it fall, close the columns that became empty.

The board lies in memory column after column, each from the bottom up with one empty cell on top, and with an empty
column before the first and after the last: every cell has four neighbours. A group is known by one of its cells, its
root. ``play`` finds again only the groups that the move may have changed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import jit, trailing_zeros

CLEARED = 1000.0
MOST_COUNTED = 10

STEP, LEFT, POINTS, COLUMNS = 0, 1, 2, 3
FREE, TABU_PAIR, TABU = 0, 1, 2

MARKED = np.uint8(128)
COLOUR = np.uint8(127)
ONE = np.uint64(1)
SEVEN = np.uint8(7)
SIX = np.uint64(6)
LOW_SIX = np.uint64(63)
ALL = ~np.uint64(0)
WORD = np.uint64(64)


class Instance(NamedTuple):
    """The instance of W columns and H rows: ``stride`` S = H + 1, C = (W + 2) S cells, B = C // 64 + 2 words."""

    board: np.ndarray  # uint8[C], colours from 1, 0 for empty
    column: np.ndarray  # uint16[C], the column of a cell, from 1
    key: np.ndarray  # int64[C], the Zobrist key of a cell
    colour_key: np.ndarray  # int64[128], of a colour
    # float64[2, 11], e^β by size of group (10 and more alike), for free colours and for the tabu one
    factor: np.ndarray
    # Of the initial state.
    planes: np.ndarray  # uint64[3, B] or [3, 0]: the bits of the colours, where the board is packed
    live: np.ndarray  # uint64[B]
    code: np.ndarray  # int64[C]
    exp_bias: np.ndarray  # float64[C]
    kind: np.ndarray  # uint8[C]
    height: np.ndarray  # int64[W + 2]
    stride: int
    columns: int
    cells: int  # the number of cells that are not empty
    tabu: int  # the tabu colour, 0 if there is none
    pairs_from: int  # the first step at which pairs of it are legal
    most_listed: int  # so many legal groups are listed at most, the leftmost


def reset(instance, state):
    """Set up the initial board with its groups."""
    copy_board(instance, state)
    state.counts[:] = 0
    state.counts[LEFT] = instance.cells
    state.counts[COLUMNS] = instance.columns


@jit
def copy_groups(source, target):
    """Copy what is known of groups, of an instance or of a state, also of one on a packed board."""
    for cell in range(source.code.shape[0]):
        target.code[cell] = source.code[cell]
    for cell in range(source.code.shape[0]):
        target.exp_bias[cell] = source.exp_bias[cell]
    for cell in range(source.code.shape[0]):
        target.kind[cell] = source.kind[cell]
    for word in range(source.live.shape[0]):
        target.live[word] = source.live[word]


@jit
def copy_board(source, target):
    """Copy the board with its groups, of an instance or of a state."""
    copy_groups(source, target)
    for cell in range(source.board.shape[0]):
        target.board[cell] = source.board[cell]
    for column in range(source.height.shape[0]):
        target.height[column] = source.height[column]


def legal_moves(instance, state, moves):
    """Write the groups that may be played, by their roots.

    No group of the tabu colour is, except pairs from move ``pairs_from`` on, and all when nothing else is left. Of many
    the leftmost are written: a game is played from the left, and what is far apart does not meet.
    """
    kind = TABU_PAIR if state.counts[STEP] >= instance.pairs_from else FREE
    count = write_groups(state, moves, kind, instance.most_listed)
    if count == 0:
        count = write_groups(state, moves, TABU, instance.most_listed)
    return count


def all_moves(instance, state, moves):
    """Write all groups: the selective rule is one of playouts, and so is that of the leftmost groups."""
    return write_groups(state, moves, TABU, moves.move.shape[0])


@jit
def write_groups(state, moves, kind, most):
    """Write the groups whose kind is at most ``kind``, the leftmost ``most``, and return their number."""
    count = np.uint64(0)
    for word in range(np.uint64(state.live.shape[0])):
        if count >= np.uint64(most):
            return most
        bits = state.live[word]
        while bits != np.uint64(0):
            cell = (word << SIX) + np.uint64(trailing_zeros(bits))
            bits &= bits - ONE
            moves.move[count] = cell
            moves.code[count] = state.code[cell]
            moves.exp_bias[count] = state.exp_bias[cell]
            count += np.uint64(state.kind[cell] <= kind)
    return min(np.int64(count), most)


def play(instance, state, move):
    """Take the group whose root is ``move``."""
    size, first, last = mark_group(instance, state, np.uint64(move))
    seeds = np.uint64(0)
    for column in range(first, last + ONE):
        seeds = seeds_beside(instance, state, column, seeds)
    emptied = False
    for column in range(first, last + ONE):
        seeds = fall(instance, state, column, seeds)
        emptied |= state.height[column] == 0
    if emptied:
        seeds = close_columns(instance, state, first, seeds)
    find_groups(instance, state, seeds)
    state.counts[STEP] += 1
    state.counts[LEFT] -= np.int64(size)
    state.counts[POINTS] += (np.int64(size) - 2) ** 2


@jit
def mark_group(instance, state, root):
    """Mark the cells of the group of ``root``, and note the lowest of each column.

    Return their number, and the first and the last column.
    """
    stride = np.uint64(instance.stride)
    board = state.board
    queue = state.queue
    colour = board[root]
    board[root] = colour | MARKED
    queue[np.uint64(0)] = root
    at = np.uint64(0)
    end = ONE
    first = np.uint64(instance.column[root])
    last = first
    while at < end:
        cell = np.uint64(queue[at])
        at += ONE
        end = mark_neighbours(board, queue, colour, cell, stride, end)
        column = np.uint64(instance.column[cell])
        state.low[column] = min(state.low[column], cell)
        first = min(first, column)
        last = max(last, column)
    return end, first, last


@jit
def mark_neighbours(board, queue, colour, cell, stride, end):
    """Mark and queue the neighbours of ``cell`` that have the colour and no mark; return the new end of the queue.

    Without a branch, and with all reading before all writing, so that no read has to wait for a write.
    """
    up = board[cell + ONE]
    down = board[cell - ONE]
    right = board[cell + stride]
    left = board[cell - stride]
    after_up = end + np.uint64(up == colour)
    after_down = after_up + np.uint64(down == colour)
    after_right = after_down + np.uint64(right == colour)
    queue[end] = cell + ONE
    queue[after_up] = cell - ONE
    queue[after_down] = cell + stride
    queue[after_right] = cell - stride
    board[cell + ONE] = up | (np.uint8(up == colour) << SEVEN)
    board[cell - ONE] = down | (np.uint8(down == colour) << SEVEN)
    board[cell + stride] = right | (np.uint8(right == colour) << SEVEN)
    board[cell - stride] = left | (np.uint8(left == colour) << SEVEN)
    return after_right + np.uint64(left == colour)


@jit
def seeds_beside(instance, state, column, seeds):
    """Note the neighbours of the changing cells that are in their groups; strike those groups' roots from ``live``.

    The cell below them need not be noted: it is not in the group that is taken. The loop ends at the empty cell on top,
    not after a number of rounds that the compiler could count: it would unroll the loop, which is slower.
    """
    stride = np.uint64(instance.stride)
    board = state.board
    low = state.low[column]
    cell = low
    while board[cell] != np.uint8(0):
        colour = board[cell] & COLOUR
        state.seed[seeds] = cell - stride
        seeds += np.uint64((board[cell - stride] & COLOUR) == colour)
        state.seed[seeds] = cell + stride
        seeds += np.uint64((board[cell + stride] & COLOUR) == colour)
        cell += ONE
    strike(state.live, low, cell - low)
    return seeds


@jit
def strike(live, first, count):
    """Clear ``count`` bits from bit ``first`` on."""
    while count >= WORD:
        live[first >> SIX] &= ~(ALL << (first & LOW_SIX))
        count -= WORD - (first & LOW_SIX)
        first = (first | LOW_SIX) + ONE
    bits = (ONE << count) - ONE
    word = first >> SIX
    shift = first & LOW_SIX
    live[word] &= ~(bits << shift)
    live[word + ONE] &= ~((bits >> ONE) >> (LOW_SIX - shift))


@jit
def fall(instance, state, column, seeds):
    """Remove the marked cells of a column; note the cells that came down. Clears ``low``."""
    board = state.board
    low = state.low[column]
    base = column * np.uint64(instance.stride)
    to = low
    cell = low
    colour = board[cell]
    while colour != np.uint8(0):
        board[to] = colour
        state.seed[seeds] = to
        kept = np.uint64(colour < MARKED)
        to += kept
        seeds += kept
        cell += ONE
        colour = board[cell]
    state.height[column] = np.int64(to - base)
    while board[to] != np.uint8(0):
        board[to] = np.uint8(0)
        to += ONE
    state.low[column] = np.uint64(state.board.shape[0])
    return seeds


@jit
def close_columns(instance, state, first, seeds):
    """Move columns left over the empty ones; all cells from the column before the first empty one may have changed."""
    stride = np.uint64(instance.stride)
    board = state.board
    columns = np.uint64(state.counts[COLUMNS])
    while state.height[first] != 0:
        first += ONE
    to = first
    for column in range(first, columns + ONE):
        height = state.height[column]
        if height != 0:
            state.height[to] = height
            for row in range(stride):
                board[to * stride + row] = board[column * stride + row]
            to += ONE
    for column in range(to, columns + ONE):
        state.height[column] = 0
        for row in range(stride):
            board[column * stride + row] = np.uint8(0)
    state.counts[COLUMNS] = np.int64(to - ONE)
    for column in range(first, columns + ONE):
        strike(state.live, column * stride, stride)
    for column in range(first - ONE, to):
        for cell in range(column * stride, column * stride + np.uint64(state.height[column])):
            state.seed[seeds] = cell
            seeds += ONE
    return seeds


@jit
def keep_joined(instance, state, seeds):
    """Keep the seeds that have a neighbour of their colour, and strike all from ``live``; return how many are kept.

    Most have none. To sort these out here, without a branch, is faster than to find that they are groups of one.
    """
    stride = np.uint64(instance.stride)
    board = state.board
    kept = np.uint64(0)
    for k in range(np.uint64(seeds)):
        cell = np.uint64(state.seed[k])
        colour = board[cell]
        joined = (board[cell + ONE] == colour) | (board[cell - ONE] == colour)
        joined |= (board[cell + stride] == colour) | (board[cell - stride] == colour)
        state.seed[kept] = cell
        kept += np.uint64(joined & (colour != np.uint8(0)))
        state.live[cell >> SIX] &= ~(ONE << (cell & LOW_SIX))
    return kept


@jit
def find_groups(instance, state, seeds):
    """Find the groups of the seeds, with their codes and biases; a group that was known by another root loses it."""
    board = state.board
    queue = state.queue
    live = state.live
    stride = np.uint64(instance.stride)
    kept = keep_joined(instance, state, seeds)
    end = np.uint64(0)
    for k in range(kept):
        root = np.uint64(state.seed[k])
        colour = board[root]
        if colour >= MARKED:
            continue
        first = end
        board[root] = colour | MARKED
        queue[end] = root
        end += ONE
        code = instance.colour_key[colour]
        at = first
        while at < end:
            cell = np.uint64(queue[at])
            at += ONE
            end = mark_neighbours(board, queue, colour, cell, stride, end)
            code ^= instance.key[cell]
            live[cell >> SIX] &= ~(ONE << (cell & LOW_SIX))
        size = end - first
        tabu = np.uint64(colour == instance.tabu)
        state.code[root] = code
        state.exp_bias[root] = instance.factor[tabu, min(size, np.uint64(MOST_COUNTED))]
        state.kind[root] = np.uint8(tabu << np.uint64(size != np.uint64(2)))
        live[root >> SIX] |= ONE << (root & LOW_SIX)
    for k in range(end):
        board[np.uint64(queue[k])] &= COLOUR


def score(instance, state):
    """Return the points, (n - 2)² for each group of n, with 1000 for an empty board."""
    return np.float64(state.counts[POINTS]) + CLEARED * np.float64(state.counts[LEFT] == 0)


def hash(instance, state):  # noqa: A001
    """Return a hash of board, points and moves played. The keys of cells left of the board serve for the last two."""
    found = instance.key[0] * (2 * state.counts[POINTS] + 1) ^ instance.key[1] * (2 * state.counts[STEP] + 1)
    for cell in range(instance.board.shape[0]):
        colour = np.int64(state.board[cell])
        if colour != 0:
            found ^= instance.key[cell] * (2 * colour + 1)
    return found


def copy(instance, source, target):
    """Copy a position, without the work areas."""
    copy_board(source, target)
    for count in range(source.counts.shape[0]):
        target.counts[count] = source.counts[count]


@kernels(reset, legal_moves, all_moves, play, score, hash, copy)
class State(NamedTuple):
    """A position: C cells, B words, W columns as in ``Instance``."""

    board: NDArray[np.uint8]  # [C], colours; the top bit marks the cells of a group while it is found
    live: NDArray[np.uint64]  # [B], a bit for the root of each group of two cells or more
    # Of a group, at its root.
    code: NDArray[np.int64]  # [C]
    exp_bias: NDArray[np.float64]  # [C], e^β
    kind: NDArray[np.uint8]  # [C], whether it is FREE, a TABU_PAIR or other TABU
    height: NDArray[np.int64]  # [W + 2], cells in each column
    counts: NDArray[np.int64]  # [4], moves played, cells left, points, columns left
    # Work areas.
    low: NDArray[np.uint64]  # [W + 2], C between moves
    queue: NDArray[np.uint16]  # [C]
    seed: NDArray[np.uint16]  # [5 C]
