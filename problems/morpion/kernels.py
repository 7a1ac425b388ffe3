"""Morpion Solitaire as the search plays it: on bit masks, the legal moves kept up to date.

The board has ``side`` by ``side`` cells, a power of two. Each direction cuts it into ``side`` rows of ``side`` places:
direction 0 (H) the rows, 1 (V) the columns, 2 (DP) the cells of equal x + y and 3 (DN) those of equal x - y, both
modulo ``side``. Two diagonals so share a row, one after the other; no line crosses from one to the other or off the
board, and lines of the two begin at least a line's length apart. A row's word has a cell's bit BORDER above its place.
A line is numbered (direction · side + row) · side + the place of its first cell. A move is 2^CELL_BITS times its code,
plus the cell of the new dot; the code is position · 4 side² + line.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.engine.random import GOLDEN
from nrpa.machine.jit import jit, trailing_zeros

BORDER = 4
CELL_BITS = 12
CELL_MASK = (1 << CELL_BITS) - 1
BITS = 8
# A bit that no line has, above those that one may have.
NO_BIT_AT = np.uint64(31)
NO_BIT = np.uint64(1) << NO_BIT_AT
NO_LINE = -64
NO_CELL = -1
STIR = GOLDEN.view(np.int64)

LISTED, LINE, CELL, PLAYED = 0, 1, 2, 3
ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))


class Instance(NamedTuple):
    """The start position, and what depends on the variant."""

    dots: np.ndarray  # int64[4 side], the dots of each row
    taken: np.ndarray  # int64[4 side], the first cells of the lines that cannot be drawn
    open: np.ndarray  # int64[k], the legal moves
    played: int  # the moves that led here
    side: int  # 32 or 64, 2 to the power of ``shift``
    shift: int
    length: int  # dots of a line
    reach: int  # how far apart the first cells of two lines must be, less one: 3 or 4 in 5T or 5D
    step: np.ndarray  # int64[4], how much greater the next cell is in each direction
    # uint8[2^(2 length - 1)], for the bits around a dot, the lines through it that lack exactly one dot
    nearly: np.ndarray
    corner: np.ndarray  # uint16[4 side²], the first cell of each line


def reset(instance, state):
    """Take up the start position."""
    for row in range(instance.dots.shape[0]):
        state.dots[row] = instance.dots[row]
        state.taken[row] = instance.taken[row]
    for m in range(instance.open.shape[0]):
        state.open[m] = instance.open[m]
    state.counts[LISTED] = instance.open.shape[0]
    state.counts[LINE] = NO_LINE
    state.counts[CELL] = NO_CELL
    state.counts[PLAYED] = instance.played


def legal_moves(instance, state, moves):
    """Write the listed moves that the last line leaves legal: of another dot, and not too near in its own row.

    Four at a time, and the last one to three together, without a jump that depends on their number and that the
    processor cannot predict: where there are fewer than three, the last is written again and not counted.
    """
    lines = 4 * instance.side * instance.side - 1
    nearest = state.counts[LINE] - instance.reach
    span = np.uint64(2 * instance.reach)
    cell = state.counts[CELL]
    end = np.uint64(state.counts[LISTED])
    count = ZERO
    m = ZERO
    while m + THREE < end:
        for k in range(FOUR):
            move = state.open[m + k]
            count += keep(state, moves, count, move, is_clear(move, lines, nearest, span, cell))
        m += FOUR
    if m < end:
        last = end - ONE
        second = state.open[min(m + ONE, last)]
        third = state.open[min(m + TWO, last)]
        move = state.open[m]
        count += keep(state, moves, count, move, is_clear(move, lines, nearest, span, cell))
        count += keep(state, moves, count, second, is_clear(second, lines, nearest, span, cell) & (m < last))
        count += keep(state, moves, count, third, is_clear(third, lines, nearest, span, cell) & (m + ONE < last))
    state.counts[LISTED] = np.int64(count)
    return np.int64(count)


@jit
def is_clear(move, lines, nearest, span, cell):
    """Return whether the last line, from ``nearest`` on, leaves ``move`` legal."""
    far = np.uint64(((move >> CELL_BITS) & lines) - nearest) > span
    return far & ((move & CELL_MASK) != cell)


@jit
def keep(state, moves, count, move, kept):
    """Write ``move`` as the next one; return 1 if it is ``kept``, else 0: the next one will replace it."""
    state.open[count] = move
    moves.move[count] = move
    moves.code[count] = move >> CELL_BITS
    return np.uint64(kept)


def play(instance, state, move):
    """Draw the line of ``move``, place its dot, and list the lines through it that now lack exactly one dot."""
    side = instance.side
    line = (move >> CELL_BITS) & (4 * side * side - 1)
    cell = move & CELL_MASK
    first = line & (side - 1)
    near = (1 << (2 * instance.reach + 1)) - 1
    state.taken[np.uint64(line >> instance.shift)] |= near << (first + BORDER - instance.reach)
    state.counts[LINE] = line
    state.counts[CELL] = cell
    state.counts[PLAYED] += 1
    x = cell & (side - 1)
    y = cell >> instance.shift
    left = place_dot(instance, state, 0, y, x)
    left |= place_dot(instance, state, 1, x, y) << np.uint64(BITS)
    left |= place_dot(instance, state, 2, (x + y) & (side - 1), x) << np.uint64(2 * BITS)
    left |= place_dot(instance, state, 3, (x - y) & (side - 1), x) << np.uint64(3 * BITS)
    list_lines(instance, state, cell, left)


@jit
def place_dot(instance, state, direction, row, place):
    """Place a dot; return which lines of this direction through it now lack exactly one, as bits 0 to length - 1.

    ``state.around`` and ``state.first`` tell the dots around it and the number of the first of these lines.
    """
    row += direction * instance.side
    at = np.uint64(row)
    first = place - instance.length + 1
    dots = state.dots[at] | (1 << (place + BORDER))
    state.dots[at] = dots
    around = (dots >> (first + BORDER)) & ((1 << (2 * instance.length - 1)) - 1)
    state.around[direction] = around
    state.first[direction] = (row << instance.shift) + first
    return np.uint64(instance.nearly[np.uint64(around)]) & ~np.uint64(state.taken[at] >> (first + BORDER))


@jit
def list_lines(instance, state, cell, left):
    """List the moves of the lines in ``left``: BITS bits a direction, as ``place_dot`` returns them.

    A dot mostly makes two lines or less: two are listed without a branch, which the processor could not predict.
    """
    listed = list_lowest(instance, state, cell, left | NO_BIT, np.uint64(state.counts[LISTED]))
    left &= left - ONE
    listed = list_lowest(instance, state, cell, left | NO_BIT, listed)
    left &= left - ONE
    while left != ZERO:
        listed = list_lowest(instance, state, cell, left, listed)
        left &= left - ONE
    state.counts[LISTED] = np.int64(listed)


@jit
def list_lowest(instance, state, cell, left, listed):
    """List the move of the lowest bit in ``left``; that of NO_BIT does not count. Return how many are listed."""
    bit = np.uint64(trailing_zeros(left))
    direction = bit // np.uint64(BITS)
    k = np.int64(bit % np.uint64(BITS))
    position = trailing_zeros(~np.uint64(state.around[direction] >> k))
    code = position * 4 * instance.side * instance.side + state.first[direction] + k
    other = cell + (k + position - instance.length + 1) * instance.step[direction]
    state.open[listed] = (code << CELL_BITS) | other
    return listed + np.uint64(bit != NO_BIT_AT)


def score(instance, state):
    """Return the number of moves played."""
    return np.float64(state.counts[PLAYED])


def hash(instance, state):  # noqa: A001
    """Return a hash of the dots and of the lines that cannot be drawn; the order of moves does not matter."""
    found = np.int64(0)
    for row in range(instance.side):
        found = stirred(found, state.dots[row])
    for row in range(4 * instance.side):
        found = stirred(found, state.taken[row])
    return found


@jit
def stirred(found, word):
    """Return a hash of a hash and one more word (int64)."""
    mixed = (found ^ word) * STIR
    return mixed ^ (mixed >> 29)


@kernels(reset, legal_moves, play, score, hash)
class State(NamedTuple):
    """A position."""

    dots: NDArray[np.int64]  # [4 side], as in ``Instance``
    taken: NDArray[np.int64]
    # [room], the legal moves, and those that the last line made illegal until ``legal_moves`` drops them
    open: NDArray[np.int64]
    counts: NDArray[np.int64]  # [4], moves listed in ``open``, the last line, its new dot's cell, moves played
    # Work areas of ``play``, one entry a direction.
    around: NDArray[np.int64]  # [4], the bits around the new dot
    first: NDArray[np.int64]  # [4], the number of the first line through it
