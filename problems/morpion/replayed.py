"""Morpion Solitaire as its games are changed and played again: lines go by their numbers, and no list of moves is kept.

A game that is played again asks for one line after the other, and hardly ever for all legal moves. So ``play`` only
sets bits, ``find`` reads those of one line, and ``legal_moves`` looks through the whole board.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import NEVER, NOT_NOW, kernels
from nrpa.machine.jit import jit, trailing_zeros
from nrpa.problems.morpion.kernels import BORDER, CELL_BITS, CELL_MASK, PLAYED, hash, score, stirred  # noqa: A004

DRAWN, MARKED = 0, 1
# Marks are updated after at most so many moves, else made anew; the second number says that there are none.
MOST_BEHIND, UNMARKED = 8, -1000
# Above the code of any move.
TURN_BITS = 20
ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))


def reset(instance, state):
    """Take up the start position."""
    for row in range(instance.dots.shape[0]):
        state.dots[row] = instance.dots[row]
    for row in range(instance.taken.shape[0]):
        state.taken[row] = instance.taken[row]
    state.counts[DRAWN] = 0
    state.counts[MARKED] = UNMARKED
    state.counts[PLAYED] = instance.played


def copy(instance, source, target):
    """Copy a position, without the work areas."""
    for row in range(source.dots.shape[0]):
        target.dots[row] = source.dots[row]
    for row in range(source.taken.shape[0]):
        target.taken[row] = source.taken[row]
    for step in range(source.counts[PLAYED] - instance.played):
        target.cell[step] = source.cell[step]
    target.counts[MARKED] = UNMARKED
    target.counts[DRAWN] = source.counts[DRAWN]
    target.counts[PLAYED] = source.counts[PLAYED]


def play(instance, state, move):
    """Draw the line of ``move`` and place its dot."""
    side = instance.side
    line = (move >> CELL_BITS) & (4 * side * side - 1)
    near = (1 << (2 * instance.reach + 1)) - 1
    state.taken[np.uint64(line >> instance.shift)] |= near << ((line & (side - 1)) + BORDER - instance.reach)
    cell = move & CELL_MASK
    x = (cell & (side - 1)) + BORDER
    y = (cell >> instance.shift) + BORDER
    row, column, rising, falling = rows_through(instance, cell)
    state.dots[row] |= 1 << x
    state.dots[column] |= 1 << y
    state.dots[rising] |= 1 << x
    state.dots[falling] |= 1 << x
    state.cell[np.uint64(state.counts[PLAYED] - instance.played)] = cell
    state.counts[DRAWN] ^= stirred(stirred(0, line + 1), line)
    state.counts[PLAYED] += 1


@jit
def rows_through(instance, cell):
    """Return the row of a cell in each direction."""
    side = instance.side
    x = cell & (side - 1)
    y = cell >> instance.shift
    rising, falling = (x + y) & (side - 1), (x - y) & (side - 1)
    return np.uint64(y), np.uint64(side + x), np.uint64(2 * side + rising), np.uint64(3 * side + falling)


def name(instance, state, moves, place):
    """Return the line of a move: its name, whichever of its dots is the new one."""
    return moves.code[place] & (4 * instance.side * instance.side - 1)


def find(instance, state, name):
    """Return the move that draws a line; NEVER where it is drawn, too near to a drawn one, or has all its dots."""
    row = np.uint64(name >> instance.shift)
    place = (name & (instance.side - 1)) + BORDER
    lacking = ~(state.dots[row] >> place) & ((1 << instance.length) - 1)
    if lacking == 0 or (state.taken[row] >> place) & 1 != 0:
        return NEVER
    if lacking & (lacking - 1) != 0:
        return NOT_NOW
    return move_of(instance, name, trailing_zeros(np.uint64(lacking)))


@jit
def move_of(instance, line, position):
    """Return the move that draws a line by placing the dot at a position of it."""
    direction = np.uint64(line >> (2 * instance.shift))
    cell = np.int64(instance.corner[np.uint64(line)]) + position * instance.step[direction]
    return (position * 4 * instance.side * instance.side + line) << CELL_BITS | cell


def rest(instance, state):
    """Return a hash of the lines that were drawn. Their dots are all there, so they say which dots there are."""
    return state.counts[DRAWN]


def legal_moves(instance, state, moves):
    """Write the legal moves, those of the dot that was placed first before others."""
    mark_open(instance, state)
    count = write_open(instance, state, moves)
    if count > 1:
        put_in_order(instance, state, moves, count)
    for m in range(count):
        moves.code[m] = moves.move[m] >> CELL_BITS
    return count


@jit
def mark_open(instance, state):
    """Mark the first cells of the lines that lack exactly one dot and can be drawn; few rows where few have changed."""
    begin, end = state.counts[MARKED], state.counts[PLAYED] - instance.played
    fifth = np.int64(instance.length == 5) - 1
    if end - begin > MOST_BEHIND:
        for row in range(state.dots.shape[0]):
            state.open[row] = open_lines(state.dots[row], state.taken[row], fifth)
    else:
        for step in range(begin, end):
            for row in rows_through(instance, np.int64(state.cell[step])):
                state.open[row] = open_lines(state.dots[row], state.taken[row], fifth)
    state.counts[MARKED] = end


@jit
def open_lines(dots, taken, fifth):
    """Return the places of a row where a line begins that lacks exactly one dot and can be drawn.

    All at once: ``lacking`` are those where a line lacks a dot or more, ``twice`` two or more. ``fifth`` are the dots
    that each line is taken to have at its fifth place: all bits where lines have four, else none.
    """
    lacking = ~dots
    twice = np.int64(0)
    for _ in range(3):
        dots >>= 1
        twice |= lacking & ~dots
        lacking |= ~dots
    last = ~((dots >> 1) | fifth)
    return (lacking | last) & ~(twice | (lacking & last)) & ~taken


@jit
def write_open(instance, state, moves):
    """Write the moves of the marked lines; return their number."""
    open_rows, count = state.open, ZERO
    for quarter in range(np.uint64(open_rows.shape[0] >> 2)):
        row = quarter << TWO
        if open_rows[row] | open_rows[row + ONE] | open_rows[row + TWO] | open_rows[row + THREE] != 0:
            for k in range(FOUR):
                count = write_row(instance, state, moves, row + k, count)
    return np.int64(count)


@jit
def write_row(instance, state, moves, row, count):
    """Write the moves of the marked lines of a row after so many others; return how many there are then."""
    left = np.uint64(state.open[row])
    while left != ZERO:
        place = trailing_zeros(left)
        left &= left - ONE
        lacking = ~(state.dots[row] >> place) & ((1 << instance.length) - 1)
        line = (np.int64(row) << instance.shift) + place - BORDER
        moves.move[count] = move_of(instance, line, trailing_zeros(np.uint64(lacking)))
        count += ONE
    return count


@jit
def put_in_order(instance, state, moves, count):
    """Sort moves by when the last of the line's dots was placed, then by line; those of the start position by code."""
    for step in range(state.counts[PLAYED] - instance.played):
        state.turn[np.uint64(state.cell[step])] = step + 1
    for m in range(count):
        moves.code[m] = rank_of(instance, state, moves.move[m])
        state.move[m] = moves.move[m]
    for m in range(count):
        place = np.int64(0)
        for other in range(count):
            place += np.int64(moves.code[other] < moves.code[m])
        moves.move[np.uint64(place)] = state.move[m]


@jit
def rank_of(instance, state, move):
    """Return when the last of the dots of a move's line was placed, and below it what is compared next."""
    code = move >> CELL_BITS
    line = code & (4 * instance.side * instance.side - 1)
    step = instance.step[np.uint64(line >> (2 * instance.shift))]
    cell = np.int64(instance.corner[np.uint64(line)])
    state.turn[np.uint64(move & CELL_MASK)] = 0
    turn = np.int64(0)
    for _ in range(instance.length):
        turn = max(turn, np.int64(state.turn[np.uint64(cell)]))
        cell += step
    return (turn << TURN_BITS) | (code if turn == 0 else line)


@kernels(reset, legal_moves, play, score, hash, copy, name, find, rest)
class ReplayedState(NamedTuple):
    """A position without a list of its legal moves."""

    dots: NDArray[np.int64]  # [4 side], as in ``Instance``
    taken: NDArray[np.int64]
    cell: NDArray[np.uint16]  # [steps], the cells of the dots that were placed, in order
    # [4], a hash of the lines drawn, how many dots were placed when ``open`` was right, one not used, moves played
    counts: NDArray[np.int64]
    # [4 side], the first cells of the lines that can be drawn, as they were when moves were listed last
    open: NDArray[np.int64]
    # Work areas of ``legal_moves``.
    turn: NDArray[np.uint16]  # [side²], when a dot was placed, counted from 1, and 0 for those of the start position
    move: NDArray[np.int64]  # [moves], the moves before they are sorted
