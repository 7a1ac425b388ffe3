"""Weak Schur partitions in rows of ``width`` numbers: a template that is repeated, and rows that are parted themselves.

The numbers are first put into the parts of the template or left free, until a row is full, which begins with the first
free number. The template's parts go on with period ``width``; the free numbers of each later row go into one part.
"""

from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import jit
from nrpa.engine.kernels import kernels

NEXT, FIRST, USED, LAST, ROW = 0, 1, 2, 3, 4
PERIODS = 4


class Instance(NamedTuple):
    """parts: how many. template: how many of them repeat. width: of a row. rows: how many at most. repeat: the rule."""

    parts: int
    template: int
    width: int
    rows: int
    repeat: bool


def reset(instance, state):
    """Begin with no number placed."""
    for table in (state.members, state.rows, state.sums):
        table.fill(False)
    state.free.fill(False)
    state.counts.fill(0)
    state.counts[NEXT] = 1


@jit
def fits(instance, state, part, number):
    """Return whether a number, and all that repeat it, can go into a part of the template."""
    members, width = state.members[part], instance.width
    first = state.counts[FIRST]
    copies = PERIODS if first else 1
    end = number + (copies - 1) * width
    fit = True
    for copy in range(number, end + 1, width):
        members[copy] = True
    for copy in range(number, end + 1, width):
        for small in range(1, (copy + 1) // 2):
            if members[small] and members[copy - small]:
                fit = False
        for other in range(1, len(members) - copy):
            if members[other] and members[copy + other] and other != copy:
                fit = False
    for copy in range(number, end + 1, width):
        members[copy] = False
    return fit


@jit
def stays_free(instance, state, number):
    """Return whether a number can be left free: free numbers of rows p and q have sums in row p + q only."""
    width, free = instance.width, state.free
    before = (state.counts[FIRST] or number) - 1
    place = number - before
    free[place] = True
    fit = True
    for other in range(1, place + 1):
        if free[other]:
            for total in (before + place + other, before + place + other - 2 * width):
                if 1 <= total <= place and free[total]:
                    fit = False
            for rest in (place - before - other, place - before - other + 2 * width):
                if 1 <= rest <= place and free[rest]:
                    fit = False
    free[place] = False
    return fit


def legal_moves(instance, state, moves):
    """Write the parts of the template that take the next number, and the one after them if it can stay free.

    Once a row is full: the parts in which the next row is no sum of two rows.
    """
    counts, template = state.counts, instance.template
    row, number, count = counts[ROW], counts[NEXT], 0
    if row > instance.rows or (counts[FIRST] == 0 and number > instance.width):
        return 0
    for part in range(template if row else 0, instance.parts if row else template + 1):
        if row:
            fit = part <= counts[USED] and not state.sums[part, row]
        elif part == template:
            fit = stays_free(instance, state, number)
        else:
            fit = part <= counts[USED] and fits(instance, state, part, number)
        if fit:
            again = instance.repeat and part == counts[LAST]
            at = 0 if again else count
            moves.move[at] = part
            moves.code[at] = (2 * instance.width + row if row else number) * instance.parts + part
            if again:
                return 1
            count += 1
    return count


def play(instance, state, move):
    """Put the next number, with what repeats it, or the next row into a part."""
    counts, width = state.counts, instance.width
    if counts[ROW]:
        put_row(state, move)
        return
    number = counts[NEXT]
    if move == instance.template:
        if counts[FIRST] == 0:
            counts[FIRST] = number
        state.free[number - counts[FIRST] + 1] = True
    else:
        for copy in range(PERIODS if counts[FIRST] else 1):
            state.members[move, number + copy * width] = True
        counts[USED] = max(counts[USED], move + 1)
    counts[LAST] = move
    counts[NEXT] = number + 1
    if counts[FIRST] and number == counts[FIRST] + width - 1:
        counts[ROW] = 1
        counts[USED] = instance.template
        put_row(state, instance.template)


@jit
def put_row(state, part):
    """Put the next row into a part: its sums with the rows there, and with itself, become sums of the part."""
    row = state.counts[ROW]
    state.rows[part, row] = True
    for other in range(1, min(row, state.sums.shape[1] - row - 1) + 1):
        if state.rows[part, other]:
            state.sums[part, row + other] = True
    state.counts[ROW] = row + 1
    state.counts[USED] = max(state.counts[USED], part + 1)
    state.counts[LAST] = part


def score(instance, state):
    """Return how many numbers were placed."""
    row = state.counts[ROW]
    if row:
        return np.float64(state.counts[FIRST] - 1 + (row - 1) * instance.width)
    return np.float64(state.counts[NEXT] - 1)


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """A partition in rows.

    members: bool[template, numbers], of the first rows. free: bool[width + 1], the places of a row that the template
    leaves free. rows, sums: bool[parts, rows + 1], the rows of a part and their sums. counts: int64[5], the next
    number, the first free one, the parts in use, the part of the move before, the next row (0 for none yet).
    """

    members: np.ndarray
    free: np.ndarray
    rows: np.ndarray
    sums: np.ndarray
    counts: np.ndarray


def new_state(instance: Instance) -> State:
    """Return the arrays of a state."""
    members = np.zeros((instance.template, (PERIODS + 2) * instance.width + 1), np.bool_)
    rows = np.zeros((instance.parts, instance.rows + 1), np.bool_)
    return State(members, np.zeros(instance.width + 1, np.bool_), rows, rows.copy(), np.zeros(5, np.int64))
