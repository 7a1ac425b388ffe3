"""SameGame as games are changed and played again: a column is one word, and each cell of the first board a stone.

A word has four bits for each cell of a column, the lowest for the bottom one. Stones keep their names, the cells of the
first board, when they fall or their column moves. A move is a cell: its group is taken. So a group has as many moves as
cells, and a larger one is drawn more often. The boards have at most 16 rows and 15 colours.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import NEVER, NOT_NOW, kernels
from nrpa.machine.jit import jit, popcount, trailing_zeros
from nrpa.problems.samegame.kernels import COLUMNS, LEFT, POINTS, STEP, score

MOST_ROWS, MOST_COLOURS = 16, 15

BITS = np.uint64(4)
NIBBLE = np.uint64(15)
NIBBLES = np.uint64(0x1111111111111111)
ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)


def reset(instance, state):
    """Set up the first board."""
    stride = instance.stride
    for column in range(state.word.shape[0]):
        word = who = left = ZERO
        for row in range(stride - 1):
            colour = np.uint64(instance.board[column * stride + row])
            if colour != ZERO:
                word |= colour << (BITS * np.uint64(row))
                who |= np.uint64(row) << (BITS * np.uint64(row))
                left |= ONE << np.uint64(row)
        state.word[column], state.who[column], state.left[column] = word, who, left
        state.origin[column] = state.place[column] = column
        state.mark[column] = ZERO
    state.gone[0] = 0
    state.counts[:] = 0
    state.counts[LEFT] = instance.cells
    state.counts[COLUMNS] = instance.columns


@jit
def equal_cells(word, other):
    """Return the lowest bit of each cell in which two words are equal."""
    differ = word ^ other
    differ |= differ >> TWO
    differ |= differ >> ONE
    return ~differ & NIBBLES


def play(instance, state, move):
    """Take the group of the cell ``move``; it need not be listed."""
    first, last = mark_stones(instance, state, move)
    size = 0
    emptied = False
    for column in range(first, last + 1):
        size += popcount(state.mark[column])
        take_marked(instance, state, column)
        emptied |= state.word[column] == ZERO
    if emptied:
        close_up(state)
    state.counts[STEP] += 1
    state.counts[LEFT] -= size
    state.counts[POINTS] += (size - 2) ** 2


@jit
def mark_stones(instance, state, cell):
    """Mark the group of a cell; return its first and its last column."""
    column, shift = place_of(instance, cell)
    colours = ((state.word[column] >> shift) & NIBBLE) * NIBBLES
    state.mark[column] = ONE << shift
    state.stack[0] = column
    first = last = column
    waiting = 1
    while waiting > 0:
        waiting -= 1
        column = state.stack[waiting]
        alike = equal_cells(state.word[column], colours)
        marks = state.mark[column]
        wider = (marks | (marks << BITS) | (marks >> BITS)) & alike
        while wider != marks:
            marks = wider
            wider = (marks | (marks << BITS) | (marks >> BITS)) & alike
        state.mark[column] = marks
        for near in (column - 1, column + 1):
            reached = marks & equal_cells(state.word[near], colours) & ~state.mark[near]
            if reached != ZERO:
                state.mark[near] |= reached
                state.stack[waiting] = near
                waiting += 1
                first, last = min(first, near), max(last, near)
    return first, last


@jit
def place_of(instance, cell):
    """Return the column of a cell, and where its bits are in the word of the column."""
    column = np.int64(instance.column[cell])
    return column, BITS * np.uint64(cell - column * instance.stride)


@jit
def take_marked(instance, state, column):
    """Take the marked stones out of a column, from the bottom; what is above them falls. Clears the marks."""
    word, who, marks = state.word[column], state.who[column], state.mark[column]
    origin = state.origin[column]
    gone, left = np.int64(0), state.left[origin]
    while marks != ZERO:
        shift = np.uint64(trailing_zeros(marks))
        row = (who >> shift) & NIBBLE
        left &= ~(ONE << row)
        gone ^= instance.key[origin * instance.stride + np.int64(row)]
        below = (ONE << shift) - ONE
        word = (word & below) | ((word >> BITS) & ~below)
        who = (who & below) | ((who >> BITS) & ~below)
        marks = (marks & (marks - ONE)) >> BITS
    state.word[column], state.who[column], state.left[origin] = word, who, left
    state.mark[column] = ZERO
    state.gone[0] ^= gone


@jit
def close_up(state):
    """Move columns left over the empty ones."""
    to = 1
    for column in range(1, state.counts[COLUMNS] + 1):
        if state.word[column] != ZERO:
            state.word[to], state.who[to] = state.word[column], state.who[column]
            state.origin[to] = state.origin[column]
            state.place[state.origin[to]] = to
            to += 1
    for column in range(to, state.counts[COLUMNS] + 1):
        state.word[column] = ZERO
    state.counts[COLUMNS] = to - 1


def legal_moves(instance, state, moves):
    """Write the cells of groups, of the tabu colour only when there are no others."""
    count = write_stones(instance, state, moves, np.uint64(instance.tabu) * NIBBLES)
    if count == 0:
        count = write_stones(instance, state, moves, ZERO)
    return count


def all_moves(instance, state, moves):
    """Write the cells of all groups."""
    return write_stones(instance, state, moves, ZERO)


@jit
def write_stones(instance, state, moves, left_out):
    """Write the cells that have a neighbour of their colour, but for a colour in each cell of a word."""
    count = 0
    for column in range(1, state.counts[COLUMNS] + 1):
        cells = joined_cells(state, column) & ~equal_cells(state.word[column], left_out)
        while cells != ZERO:
            cell = column * instance.stride + (trailing_zeros(cells) >> 2)
            moves.move[count] = moves.code[count] = cell
            cells &= cells - ONE
            count += 1
    return count


@jit
def joined_cells(state, column):
    """Return the lowest bit of each cell of a column that has a neighbour of its colour."""
    word = state.word[column]
    filled = ~equal_cells(word, ZERO) & NIBBLES
    like_above = equal_cells(word, word >> BITS) & filled
    beside = equal_cells(word, state.word[column - 1]) | equal_cells(word, state.word[column + 1])
    return like_above | (like_above << BITS) | (beside & filled)


def name(instance, state, moves, place):
    """Return the stone on a cell."""
    column, shift = place_of(instance, moves.move[place])
    return state.origin[column] * instance.stride + np.int64((state.who[column] >> shift) & NIBBLE)


def find(instance, state, name):
    """Return the cell that a stone is on: NEVER where it is gone, NOT_NOW where it is alone.

    A group of the tabu colour is found as any other: the selective rule is for moves that are drawn.
    """
    origin = np.int64(instance.column[name])
    row = np.uint64(name - origin * instance.stride)
    left = state.left[origin]
    if (left >> row) & ONE == ZERO:
        return NEVER
    column = state.place[origin]
    row = np.uint64(popcount(left & ((ONE << row) - ONE)))
    shift = BITS * row
    word = state.word[column]
    colour = (word >> shift) & NIBBLE
    joined = ((word >> shift) >> BITS) & NIBBLE == colour
    joined |= ((word << BITS) >> shift) & NIBBLE == colour
    joined |= (state.word[column - 1] >> shift) & NIBBLE == colour
    joined |= (state.word[column + 1] >> shift) & NIBBLE == colour
    return column * instance.stride + np.int64(row) if joined else NOT_NOW


def rest(instance, state):
    """Return a hash of the stones that are gone."""
    return state.gone[0]


def copy(instance, source, target):
    """Copy a position, without the work areas."""
    for column in range(source.word.shape[0]):
        target.word[column] = source.word[column]
        target.who[column] = source.who[column]
        target.origin[column] = source.origin[column]
        target.place[column] = source.place[column]
        target.left[column] = source.left[column]
    for count in range(source.counts.shape[0]):
        target.counts[count] = source.counts[count]
    target.gone[0] = source.gone[0]


@kernels(reset, legal_moves, all_moves, play, score, copy, name, find, rest)
class ReplayedState(NamedTuple):
    """A position of W columns, with one empty column before the first and one after the last."""

    word: NDArray[np.uint64]  # [W + 2], the colours of a column
    who: NDArray[np.uint64]  # [W + 2], the rows of its stones on the first board
    origin: NDArray[np.int64]  # [W + 2], its place on the first board
    place: NDArray[np.int64]  # [W + 2], where a column of the first board is now
    left: NDArray[np.uint64]  # [W + 2], a bit for each stone of a column of the first board that is left
    gone: NDArray[np.int64]  # [1], a hash of the others
    counts: NDArray[np.int64]  # [4], moves played, cells left, points, columns left
    # Work areas.
    mark: NDArray[np.uint64]  # [W + 2], 0 between moves
    stack: NDArray[np.int64]  # [16 (W + 2)]
