"""Weak Schur partitions in rows of ``width`` numbers: a template that is repeated, and rows that are parted themselves.

The numbers are first put into the parts of the template or left free, until a row is full, which begins with the first
free number. The template's parts go on with period ``width``; the free numbers of each later row go into one part.
The rows may be put into rows of ``inner`` rows in the same way, with other parts; then no row is twice another, either.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import jit

NEXT, FIRST = 0, 1
LEVEL, USED, LAST = 0, 1, 2
PERIODS = 4


class Instance(NamedTuple):
    """What the kernels know."""

    parts: int  # how many
    firsts: np.ndarray  # [levels + 1], the first part of each level
    widths: np.ndarray  # of a row, a level each
    rows: int  # how many there are at most
    repeat: bool  # whether a part is used again where it can be
    begin: np.ndarray  # the moves with which every game begins


def reset(instance, state):
    """Begin with the templates that are given."""
    for table in (state.members, state.free, state.rows, state.sums):
        table.fill(False)
    state.places.fill(0)
    state.counts.fill(0)
    state.places[:, NEXT] = 1
    for move in instance.begin:
        go(instance, state, move)


@jit
def fits_part(instance, state, part, number):
    """Return whether a number, and all that repeat it, can go into a part of the template."""
    level = state.counts[LEVEL]
    members, width, strict = state.members[part], instance.widths[level], level > 0
    end = number + (PERIODS - 1) * width if state.places[level, FIRST] else number
    fit = True
    for copy in range(number, end + 1, width):
        members[copy] = True
    for copy in range(number, end + 1, width):
        for small in range(1, copy // 2 + 1):
            if members[small] and members[copy - small] and (strict or 2 * small != copy):
                fit = False
        for other in range(1, len(members) - copy):
            if members[other] and members[copy + other] and (strict or other != copy):
                fit = False
    for copy in range(number, end + 1, width):
        members[copy] = False
    return fit


@jit
def stays_free(instance, state, number):
    """Return whether a number can be left free: free numbers of rows p and q have sums in row p + q only."""
    level = state.counts[LEVEL]
    width, free = instance.widths[level], state.free[level]
    before = (state.places[level, FIRST] or number) - 1
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

    On the last level, which has no template: the parts in which the next row is no sum of two rows.
    """
    level, used = state.counts[LEVEL], state.counts[USED]
    number, first = state.places[level, NEXT], state.places[level, FIRST]
    last = level == len(instance.widths)
    if number > instance.rows if last else first == 0 and number > instance.widths[level]:
        return 0
    count, free = 0, instance.parts if last else instance.firsts[level + 1]
    for part in range(instance.firsts[level], instance.parts if last else free + 1):
        if last:
            fit = part <= used and not state.sums[part, number]
        elif part == free:
            fit = stays_free(instance, state, number)
        else:
            fit = part <= used and fits_part(instance, state, part, number)
        if fit:
            again = instance.repeat and part == state.counts[LAST]
            at = 0 if again else count
            moves.move[at] = part
            moves.code[at] = (2 * instance.widths[:level].sum() + number) * instance.parts + part
            if again:
                return 1
            count += 1
    return count


def play(instance, state, move):
    """Put the next number, with what repeats it, or the next row into a part; row 1 goes on the next level."""
    put_next(instance, state, move)
    level = state.counts[LEVEL]
    if level < len(instance.widths):
        number, first = state.places[level]
        if first and number == first + instance.widths[level]:
            state.counts[LEVEL] = level + 1
            state.counts[USED] = instance.firsts[level + 1]
            put_next(instance, state, instance.firsts[level + 1])


@jit
def put_next(instance, state, part):
    """Put the next number of a level into a part."""
    level = state.counts[LEVEL]
    number, first = state.places[level]
    if level == len(instance.widths):
        state.rows[part, number] = True
        for other in range(1, min(number, state.sums.shape[1] - number - 1) + 1):
            if state.rows[part, other]:
                state.sums[part, number + other] = True
    elif part == instance.firsts[level + 1]:
        state.places[level, FIRST] = first or number
        state.free[level, number - state.places[level, FIRST] + 1] = True
    else:
        for copy in range(PERIODS if first else 1):
            state.members[part, number + copy * instance.widths[level]] = True
    if level == len(instance.widths) or part < instance.firsts[level + 1]:
        state.counts[USED] = max(state.counts[USED], part + 1)
    state.counts[LAST] = part
    state.places[level, NEXT] = number + 1


def score(instance, state):
    """Return how many numbers were placed."""
    level = state.counts[LEVEL]
    placed = state.places[level, NEXT] - 1
    for outer in range(level - 1, -1, -1):
        placed = state.places[outer, FIRST] - 1 + placed * instance.widths[outer]
    return np.float64(placed)


go = jit(play)


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """A partition in rows."""

    members: NDArray[np.bool_]  # [parts, numbers], what the templates hold in their first rows
    free: NDArray[np.bool_]  # [levels, width + 1], the places of a row that the template leaves free
    rows: NDArray[np.bool_]  # [parts, rows + 1], the rows of a part on the last level
    sums: NDArray[np.bool_]  # [parts, rows + 1], their sums
    places: NDArray[np.int64]  # [levels + 1, 2], the next number of a level and the first free one (0 for none yet)
    counts: NDArray[np.int64]  # [3], the level, the parts in use, the part of the move before
