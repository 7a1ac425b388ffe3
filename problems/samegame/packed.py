"""SameGame on boards of at most 15 rows and 7 colours, a bit for each cell: what the kernels of larger boards do.

Cell 16 x + y is bit (16 x + y) % 64 of word (16 x + y) // 64, so that a word holds four columns and a shift by 16 bits
is a step to the next one. Three planes of bits hold the colours. ``up`` and ``right`` say which cells have the colour
of the cell above and of the one to the right: a group grows along them, 64 cells at a time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import jit, leading_zeros, popcount, trailing_zeros
from nrpa.problems.samegame.kernels import (
    COLUMNS,
    LEFT,
    LOW_SIX,
    MOST_COUNTED,
    POINTS,
    SIX,
    STEP,
    all_moves,
    copy_groups,
    legal_moves,
    score,
)

MOST_ROWS, MOST_COLOURS = 15, 7

ZERO, ONE, TWO, FOUR, LANE, LAST_LANE = (np.uint64(number) for number in (0, 1, 2, 4, 16, 48))
COLUMN, COLUMN_CELLS = np.uint64(0xFFFF), np.uint64(0x7FFF)
LOWEST = np.uint64(0x0001000100010001)  # of four columns
CELLS = COLUMN_CELLS * LOWEST
ALL = ~ZERO


def reset(instance, state):
    """Set up the initial board with its groups."""
    for word in range(instance.planes.shape[1]):
        state.plane0[word] = instance.planes[0, word]
        state.plane1[word] = instance.planes[1, word]
        state.plane2[word] = instance.planes[2, word]
    copy_groups(instance, state)
    state.counts[:] = 0
    state.counts[LEFT] = instance.cells
    state.counts[COLUMNS] = instance.columns
    compare_cells(state, ZERO, np.uint64(instance.planes.shape[1] - 2))


@jit
def before(words, k):
    """Return the last column of the word before word ``k``, as the first one of this word."""
    return words[k - ONE] >> LAST_LANE if k > ZERO else ZERO


@jit
def window(words, first):
    """Return the 64 bits from bit ``first`` on."""
    word, shift = first >> SIX, first & LOW_SIX
    return (words[word] >> shift) | ((words[word + ONE] << ONE) << (LOW_SIX - shift))


@jit
def strike_window(words, first, bits):
    """Clear bits, the lowest of which is bit ``first``."""
    word, shift = first >> SIX, first & LOW_SIX
    words[word] &= ~(bits << shift)
    words[word + ONE] &= ~((bits >> ONE) >> (LOW_SIX - shift))


@jit
def filled(state, k):
    """Return the cells of a word that are not empty."""
    return state.plane0[k] | state.plane1[k] | state.plane2[k]


@jit
def differing(plane, k):
    """Return where a plane of a word differs from the cell above, and from the one to the right."""
    word = plane[k]
    return word ^ (word >> ONE), word ^ ((word >> LANE) | (plane[k + ONE] << LAST_LANE))


@jit
def compare_cells(state, first, last):
    """Compare the cells of words with those above and to the right; those in a group are free to be found."""
    for k in range(first, last + ONE):
        up0, right0 = differing(state.plane0, k)
        up1, right1 = differing(state.plane1, k)
        up2, right2 = differing(state.plane2, k)
        cells = filled(state, k)
        up, right = cells & ~(up0 | up1 | up2), cells & ~(right0 | right1 | right2)
        state.up[k], state.right[k] = up, right
        state.free[k] = up | (up << ONE) | right | (right << LANE) | before(state.right, k)


@jit
def grow(state, cell):
    """Return the group of a cell within four columns, their first bit, and whether the group is within them."""
    first = (max(cell >> FOUR, TWO) - ONE) << FOUR
    up, right = window(state.up, first), window(state.right, first)
    group = ZERO
    wider = ONE << (cell - first)
    while wider != group:
        group = wider
        wider |= ((group & up) << ONE) | ((group >> ONE) & up) | ((group & right) << LANE) | ((group >> LANE) & right)
    beyond = ((group & right) >> LAST_LANE) | (group & window(state.right, first - LANE) & COLUMN)
    return group, first, beyond == ZERO


@jit
def grow_anywhere(state, cell):
    """Write the group of a cell that may be of many columns."""
    last = np.uint64(state.group.shape[0] - 2)
    for k in range(last + ONE):
        state.group[k] = ZERO
    state.group[cell >> SIX] = ONE << (cell & LOW_SIX)
    grows = True
    while grows:
        grows = False
        for k in range(last + ONE):
            group, up, right = state.group[k], state.up[k], state.right[k]
            wider = group | ((group & up) << ONE) | ((group >> ONE) & up)
            wider |= ((wider & right) << LANE) | (((wider >> LANE) | (state.group[k + ONE] << LAST_LANE)) & right)
            if k > ZERO:
                wider |= (state.group[k - ONE] & state.right[k - ONE]) >> LAST_LANE
            grows |= wider != group
            state.group[k] = wider


def play(instance, state, move):
    """Take the group whose root is ``move``."""
    size, first, last = take_group(state, np.uint64(move))
    state.counts[STEP] += 1
    state.counts[LEFT] -= size
    state.counts[POINTS] += (size - 2) ** 2
    columns = np.uint64(state.counts[COLUMNS])
    emptied = False
    for k in range(first >> TWO, (last >> TWO) + ONE):
        emptied |= fall(state, k)
    start, end, after = (first - ONE) >> TWO, (last + ONE) >> TWO, ZERO
    if emptied:
        after = close_columns(state, first) - ONE
        start, end = min(start, after >> TWO), (columns + ONE) >> TWO
    compare_cells(state, start, end)
    for k in range(first >> TWO, (last >> TWO) + ONE):
        find_beside(instance, state, k)
    for k in range(first >> TWO, (last >> TWO) + ONE):
        find_in(instance, state, k, state.changed[k])
    if emptied:
        for k in range(after >> TWO, end + ONE):
            find_in(instance, state, k, columns_from(after, k))


@jit
def take_group(state, cell):
    """Note the group of a cell and what changes with it; return its size, its first and its last column.

    The cells above fall. The groups of the neighbours of all these cells are not what they were, if of their colour.
    """
    group, base, is_whole = grow(state, cell)
    if is_whole:
        word, shift = base >> SIX, base & LOW_SIX
        state.group[word] = group << shift
        state.group[word + ONE] = (group >> ONE) >> (LOW_SIX - shift)
        size = popcount(group)
        first = (base + np.uint64(trailing_zeros(group))) >> FOUR
        last = (base + LOW_SIX - np.uint64(leading_zeros(group))) >> FOUR
    else:
        grow_anywhere(state, cell)
        size, first, last = extent(state)
    for k in range(first >> TWO, (last >> TWO) + ONE):
        taken = state.group[k]
        changed = (taken | ((~taken & CELLS) + LOWEST)) & CELLS  # in each column, from the lowest cell taken on
        like_left = changed & ((state.right[k] << LANE) | before(state.right, k))
        like_right = changed & state.right[k]
        state.changed[k], state.like_left[k], state.like_right[k] = changed, like_left, like_right
        state.live[k] &= ~(changed | (like_left >> LANE) | (like_right << LANE))
        state.live[k + ONE] &= ~(like_right >> LAST_LANE)
        if k > ZERO:
            state.live[k - ONE] &= ~(like_left << LAST_LANE)
    return size, first, last


@jit
def extent(state):
    """Return the size of the group that ``grow_anywhere`` wrote, its first and its last column."""
    size, first, last = 0, ZERO, ZERO
    for k in range(np.uint64(state.group.shape[0])):
        group = state.group[k]
        if group != ZERO:
            first = ((k << SIX) + np.uint64(trailing_zeros(group))) >> FOUR if size == 0 else first
            last = ((k << SIX) + LOW_SIX - np.uint64(leading_zeros(group))) >> FOUR
            size += popcount(group)
    return size, first, last


@jit
def fall(state, k):
    """Remove the group from a word, the highest cells first; return whether a column of it became empty."""
    taken, changed = state.group[k], state.changed[k]
    word0, word1, word2 = state.plane0[k], state.plane1[k], state.plane2[k]
    while taken != ZERO:
        place = LOW_SIX - np.uint64(leading_zeros(taken))
        cell = ONE << place
        taken ^= cell
        higher = (COLUMN_CELLS << (place & LAST_LANE)) & ~(cell - ONE)
        word0 = (word0 & ~higher) | ((word0 >> ONE) & higher)
        word1 = (word1 & ~higher) | ((word1 >> ONE) & higher)
        word2 = (word2 & ~higher) | ((word2 >> ONE) & higher)
    state.plane0[k], state.plane1[k], state.plane2[k] = word0, word1, word2
    cells = word0 | word1 | word2
    state.changed[k] = changed & cells
    return ((changed + CELLS) & ~(cells + CELLS) & ~CELLS) != ZERO


@jit
def close_columns(state, first):
    """Move columns left over the empty ones; return the first one that was empty.

    All cells from the column before it may have changed.
    """
    columns = np.uint64(state.counts[COLUMNS])
    while column_of(state, first) != ZERO:
        first += ONE
    to = first
    for column in range(first + ONE, columns + ONE):
        if column_of(state, column) != ZERO:
            move_column(state.plane0, column, to)
            move_column(state.plane1, column, to)
            move_column(state.plane2, column, to)
            to += ONE
    for column in range(to, columns + ONE):
        move_column(state.plane0, columns + ONE, column)
        move_column(state.plane1, columns + ONE, column)
        move_column(state.plane2, columns + ONE, column)
    state.counts[COLUMNS] = np.int64(to - ONE)
    for k in range((first - ONE) >> TWO, np.uint64(state.live.shape[0])):
        state.live[k] &= ~columns_from(first - ONE, k)
    return first


@jit
def columns_from(column, k):
    """Return the cells of word ``k`` that are in a column or in one after it, which that word or a later one has."""
    return ALL << ((column << FOUR) & LOW_SIX) if k == column >> TWO else ALL


@jit
def column_of(state, column):
    """Return the cells of a column that are not empty."""
    return (filled(state, column >> TWO) >> ((column << FOUR) & LOW_SIX)) & COLUMN


@jit
def move_column(plane, source, target):
    """Copy the bits of a column to another one."""
    bits = (plane[source >> TWO] >> ((source << FOUR) & LOW_SIX)) & COLUMN
    shift = (target << FOUR) & LOW_SIX
    plane[target >> TWO] = (plane[target >> TWO] & ~(COLUMN << shift)) | (bits << shift)


@jit
def find_beside(instance, state, k):
    """Find the groups beside cells of a word that had a neighbour of their colour, the left one first."""
    while True:
        free = state.free[k]
        left = state.like_left[k] & ((free << LANE) | before(state.free, k))
        right = state.like_right[k] & ((free >> LANE) | (state.free[k + ONE] << LAST_LANE))
        either = left | right
        if either == ZERO:
            break
        cell = (k << SIX) + np.uint64(trailing_zeros(either))
        find_group(instance, state, cell - LANE if left & either & -either != ZERO else cell + LANE)


@jit
def find_in(instance, state, k, cells):
    """Find the groups of some cells of a word."""
    free = state.free[k] & cells
    while free != ZERO:
        find_group(instance, state, (k << SIX) + np.uint64(trailing_zeros(free)))
        free = state.free[k] & cells


@jit
def find_group(instance, state, root):
    """Find the group of a cell, with its code and bias; if it was known by another root, that is struck."""
    word, shift = root >> SIX, root & LOW_SIX
    colour = (state.plane0[word] >> shift) & ONE
    colour |= ((state.plane1[word] >> shift) & ONE) << ONE
    colour |= ((state.plane2[word] >> shift) & ONE) << TWO
    code = instance.colour_key[colour]
    group, base, is_whole = grow(state, root)
    if is_whole:
        size = np.uint64(popcount(group))
        code = note_cells(instance, state, base, group, code)
    else:
        grow_anywhere(state, root)
        size = np.uint64(extent(state)[0])
        for k in range(np.uint64(state.group.shape[0] - 1)):
            code = note_cells(instance, state, k << SIX, state.group[k], code)
    tabu = np.uint64(colour == instance.tabu)
    state.code[root] = code
    state.exp_bias[root] = instance.factor[tabu, min(size, np.uint64(MOST_COUNTED))]
    state.kind[root] = np.uint8(tabu << np.uint64(size != TWO))
    state.live[word] |= ONE << shift


@jit
def note_cells(instance, state, base, cells, code):
    """Note that a group has some cells, the lowest of which is bit ``base``; return its code with their keys."""
    strike_window(state.live, base, cells)
    strike_window(state.free, base, cells)
    while cells != ZERO:
        code ^= instance.key[base + np.uint64(trailing_zeros(cells))]
        cells &= cells - ONE
    return code


def hash(instance, state):  # noqa: A001
    """Return a hash of board, points and moves played, as the kernels of larger boards do."""
    found = instance.key[0] * (2 * state.counts[POINTS] + 1) ^ instance.key[1] * (2 * state.counts[STEP] + 1)
    for word in range(np.uint64(state.live.shape[0])):
        cells = filled(state, word)
        while cells != ZERO:
            place = np.uint64(trailing_zeros(cells))
            cells &= cells - ONE
            colour = (state.plane0[word] >> place) & ONE
            colour |= ((state.plane1[word] >> place) & ONE) << ONE
            colour |= ((state.plane2[word] >> place) & ONE) << TWO
            found ^= instance.key[(word << SIX) + place] * np.int64(TWO * colour + ONE)
    return found


def copy(instance, source, target):
    """Copy a position, without the work areas."""
    for word in range(source.live.shape[0]):
        target.plane0[word] = source.plane0[word]
        target.plane1[word] = source.plane1[word]
        target.plane2[word] = source.plane2[word]
        target.up[word] = source.up[word]
        target.right[word] = source.right[word]
    copy_groups(source, target)
    for count in range(source.counts.shape[0]):
        target.counts[count] = source.counts[count]


@kernels(reset, legal_moves, all_moves, play, score, hash, copy)
class PackedState(NamedTuple):
    """A position of B words and C cells as in ``Instance``."""

    plane0: NDArray[np.uint64]  # [B], the lowest bit of the colours
    plane1: NDArray[np.uint64]  # [B]
    plane2: NDArray[np.uint64]  # [B]
    up: NDArray[np.uint64]  # [B], the cells that have the colour of the one above
    right: NDArray[np.uint64]  # [B], and of the one to the right
    live: NDArray[np.uint64]  # [B], a bit for the root of each group of two cells or more
    # Of a group, at its root.
    code: NDArray[np.int64]  # [C]
    exp_bias: NDArray[np.float64]  # [C], e^β
    kind: NDArray[np.uint8]  # [C], whether it is FREE, a TABU_PAIR or other TABU
    counts: NDArray[np.int64]  # [4], moves played, cells left, points, columns left
    # Work areas.
    free: NDArray[np.uint64]  # [B], the cells whose groups are not found yet
    group: NDArray[np.uint64]  # [B], the group that is taken
    changed: NDArray[np.uint64]  # [B], its cells and those above, then those that came down
    like_left: NDArray[np.uint64]  # [B], those which had the colour of the cell to the left
    like_right: NDArray[np.uint64]  # [B], and to the right
