"""Bin packing as the search plays it: one bin after the other, each opened by the largest item left.

A move puts an item of one distinct size into the open bin; sizes are numbered from the largest, as "types" 0 to T - 1.
A bin is closed when nothing fits. The score is -bins, less a tie-break below one half that rewards full bins.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import nrpa.engine.kernels as engine
from nrpa.engine.kernels import kernels
from nrpa.engine.status import UNFINISHED
from nrpa.machine.jit import jit, trailing_zeros
from nrpa.problems.binpacking.columns import begin_columns, pack_by_columns
from nrpa.problems.binpacking.progress import (
    BOUND,
    BY_COLUMNS,
    BY_REFILLING,
    PHASE,
    REBUILD,
    REPLAY,
    SEEN,
    STEP,
    STRETCH,
    TRIED,
    UNTIL,
    WANTED,
    WORK,
)
from nrpa.problems.binpacking.rebuilding import NOWHERE, cross_off, least_waste, list_packing, list_wanted, next_wanted
from nrpa.problems.binpacking.refilling import (
    HEAD,
    NEXT,
    TYPE,
    begin_refilling,
    lower_bound,
    read_packing,
    refill_bins,
)
from nrpa.problems.binpacking.remaining import (
    BINS,
    BUDGET,
    FITTING,
    KNOWN,
    LAST,
    LEFT,
    NUMBERS,
    OPENER,
    PLACED,
    ROOM,
    TOP,
    WORDS,
    bits_from,
    find_reach,
    first_fitting,
    highest,
    next_present,
    waste_after,
)

RARELY = 1e-9
"""e^β of a move that is hardly ever taken but by ``improve``."""
FEW_TYPES = 256
"""Of how many types columns come before refilling."""
PUT = 10
"""The work of putting an item."""
IN_ORDER, LARGEST_FIRST, WITH_OTHERS = range(3)
"""How ``follow`` builds a packing."""
NEAR = 32
"""Of many types, how many of the largest that fit are moves, and as many others."""
NEAR_SIZE, NEAR_WASTE, MOST_AGAINST = 20.0, 10_000.0, 40.0
"""β is then so many capacities of the size, less so many of the waste, up to the last."""


class Instance(NamedTuple):
    """n items of T distinct sizes, the largest first."""

    size: np.ndarray  # int64[T], the distinct sizes
    copies: np.ndarray  # int64[T], how many items have each
    # int64[(capacity >> shift) + 1], at b a type no later than the largest that fits a room r with r >> shift = b
    first: np.ndarray
    shift: int
    capacity: int
    items: int  # n
    slack: int  # the capacity that a packing into as many bins as the lower bound leaves unused
    tight: bool  # whether the look-ahead restricts the moves
    near: bool  # whether only the largest that fit are moves, in place of the look-ahead or of all
    rarely: bool  # whether it only gives those that it would leave out a small e^β
    coarse: int  # a bit of ``State.reach`` stands for 2^coarse sums; 0 is exact
    rounding: int  # by how much a bin's sum can exceed the sum of its coarse sizes
    by_opener: bool  # whether a code is (first item of the bin, size) in place of (room, size)
    key_shift: int  # how many low bits of the first item or the room a code leaves out
    size_factor: np.ndarray  # float64[T], e^β of the size
    waste_factor: np.ndarray  # float64[(capacity >> waste_shift) + 1], e^β of the room that must be wasted
    waste_shift: int


def reset(instance, state):
    """Open the first bin."""
    state.progress[:] = 0
    begin_game(instance, state)


@jit
def begin_game(instance, state):
    """Open the first bin, within ``improve``, too."""
    types = instance.size.shape[0]
    for t in range(types):
        state.remaining[t] = instance.copies[t]
    for w in range(state.present.shape[0]):
        state.present[w] = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - min(64, types - 64 * w))
    state.numbers[:] = 0
    state.numbers[LEFT] = instance.items
    state.numbers[BUDGET] = instance.slack
    state.fills[0] = 0.0
    settle(instance, state)


def legal_moves(instance, state, moves):
    """Write the types that may go into the open bin.

    All that fit, in any order. With the look-ahead: in decreasing order of size, those after which the bin can still
    be filled so well that the lower bound stays within reach. Where there are too many for either, the largest.
    """
    if state.numbers[LEFT] == 0:
        return 0
    room = state.numbers[ROOM]
    t = state.numbers[FITTING]
    key = state.numbers[OPENER] if instance.by_opener else room
    base = (key >> instance.key_shift) * instance.size.shape[0]
    if instance.near:
        return near_moves(instance, state, moves, room, base)
    if instance.tight:
        return tight_moves(instance, state, moves, max(t, next_present(state, state.numbers[LAST])), room, base)
    count = np.uint64(0)
    for w in range(t >> 6, state.present.shape[0]):
        word = bits_from(state, w, t)
        while word != np.uint64(0):
            found = (w << 6) + trailing_zeros(word)
            moves.move[count] = found
            moves.code[count] = base + found
            count += np.uint64(1)
            word &= word - np.uint64(1)
    return np.int64(count)


def play(instance, state, move):
    """Put an item of type ``move`` into the open bin, and do whatever is no choice after it."""
    put_item(instance, state, move)
    settle(instance, state)


def score(instance, state):
    """Return -bins - (1 - mean squared fill) / 2."""
    bins = state.numbers[BINS]
    fill = (instance.capacity - state.numbers[ROOM]) / instance.capacity
    return -bins - 0.5 * (1.0 - (state.fills[0] + fill * fill) / bins)


@jit
def put_item(instance, state, t):
    """Put an item of type ``t`` into the open bin. While more are left than fit into one, its sums are still true."""
    state.order[state.numbers[PLACED]] = t
    state.numbers[PLACED] += 1
    state.numbers[LEFT] -= 1
    state.numbers[ROOM] -= instance.size[t]
    state.numbers[LAST] = max(state.numbers[LAST], t)
    state.remaining[t] -= 1
    if state.remaining[t] * (instance.size[t] >> instance.coarse) < state.numbers[WORDS] << 6:
        state.numbers[KNOWN] = max(state.numbers[KNOWN], t + 1)
    if state.remaining[t] == 0:
        state.present[t >> 6] ^= np.uint64(1) << np.uint64(t & 63)
        if t == state.numbers[TOP]:
            state.numbers[TOP] = next_present(state, t)


@jit
def settle(instance, state):
    """Do what is no choice: close a bin that nothing fits, open the next, put an item that dominates all else."""
    while state.numbers[LEFT] > 0:
        fitting = first_fitting(instance, state, state.numbers[ROOM])
        state.numbers[FITTING] = fitting
        if fitting == instance.size.shape[0]:
            open_bin(instance, state)
        elif not instance.tight:
            return
        elif is_dominant(instance, state, fitting):
            put_item(instance, state, fitting)
        else:
            return


@jit
def open_bin(instance, state):
    """Close the open bin and begin the next with the largest item left.

    Once more is wasted than the lower bound allows, one more bin widens the budget.
    """
    if state.numbers[BINS] > 0:
        fill = (instance.capacity - state.numbers[ROOM]) / instance.capacity
        state.fills[0] += fill * fill
        state.numbers[BUDGET] -= state.numbers[ROOM]
        if state.numbers[BUDGET] < 0:
            state.numbers[BUDGET] += instance.capacity
    opener = state.numbers[TOP]
    state.numbers[BINS] += 1
    state.numbers[ROOM] = instance.capacity
    state.numbers[OPENER] = opener
    put_item(instance, state, opener)
    state.order[state.numbers[PLACED] - 1] = ~opener
    if instance.tight:
        state.numbers[LAST] = 0
        fitting = first_fitting(instance, state, state.numbers[ROOM])
        if fitting < instance.size.shape[0]:
            find_reach(instance, state, fitting, state.numbers[ROOM])


@jit
def is_dominant(instance, state, fitting):
    """Return whether ``fitting``, the largest type that fits, can go into the open bin without loss.

    An item that alone fills the room as well as any set of items can is no worse than any of them: in any packing it
    can change places with the set (the dominance criterion of Martello & Toth, Knapsack Problems, 1990). The same
    holds where only larger items than the last are left: the order within the bin would not allow them.
    """
    room = state.numbers[ROOM]
    size = instance.size[fitting]
    if size == room:
        return True
    smaller = next_present(state, state.numbers[LAST])
    if smaller == instance.size.shape[0]:
        return True
    if smaller > fitting or instance.coarse > 0 or highest(state, state.below[fitting], room) > size:
        return False
    return waste_after(instance, state, fitting, room) == room - size


@jit
def tight_moves(instance, state, moves, first, room, base):
    """Write the types from ``first`` on after which the bin can be filled to within the budget of waste.

    Where there is none, the lower bound is out of reach, and one more bin widens the budget. The bias prefers the
    types after which less must be wasted. Where all others may be taken rarely, they are written, too.
    """
    count = 0
    least = room
    for w in range(first >> 6, state.present.shape[0]):
        word = bits_from(state, w, first)
        while word != np.uint64(0):
            t = (w << 6) + trailing_zeros(word)
            waste = waste_after(instance, state, t, room)
            least = min(least, waste)
            moves.move[count] = t
            moves.code[count] = waste
            count += 1
            word &= word - np.uint64(1)
    limit = state.numbers[BUDGET]
    if least > limit:
        limit += instance.capacity
    kept = 0
    for m in range(count):
        waste = moves.code[m]
        if waste <= limit or instance.rarely:
            t = moves.move[m]
            moves.move[kept] = t
            moves.code[kept] = base + t
            extra = (waste - least) >> instance.waste_shift
            moves.exp_bias[kept] = instance.size_factor[t] * instance.waste_factor[extra]
            if waste > limit:
                moves.exp_bias[kept] *= RARELY
            kept += 1
    return kept


@jit
def near_moves(instance, state, moves, room, base):
    """Write the largest types that fit, and some of all the smaller ones, at even distances.

    The bias prefers those after which one more item leaves the least room.
    """
    count, least, t, types = 0, room, state.numbers[FITTING], instance.size.shape[0]
    while t < types and count < 2 * NEAR:
        left = room - instance.size[t]
        other = first_fitting(instance, state, left)
        if other == t and state.remaining[t] == 1:
            other = next_present(state, t + 1)
        waste = left - (instance.size[other] if other < types else 0)
        least = min(least, waste)
        moves.move[count] = t
        moves.code[count] = waste
        count += 1
        apart = 1 if count < NEAR else (types - t) // (2 * NEAR - count + 1)
        t = next_present(state, t + max(1, apart))
    for m in range(count):
        t = moves.move[m]
        against = min(MOST_AGAINST, NEAR_WASTE * (moves.code[m] - least) / instance.capacity)
        moves.code[m] = base + t
        moves.exp_bias[m] = math.exp(NEAR_SIZE * instance.size[t] / instance.capacity - against)
    return count


legal_moves_inside, play_inside = jit(legal_moves), jit(play)


def improve(instance, state, sequence, steps):
    """Pack into fewer bins by columns or by refilling them; return 0 if that is not found, UNFINISHED before that."""
    progress, status = state.progress, 0 if instance.near else UNFINISHED
    progress[UNTIL] = progress[WORK] + STRETCH
    while status == UNFINISHED and progress[WORK] < progress[UNTIL]:
        phase = progress[PHASE]
        if phase == REPLAY:
            status = replay(instance, state, sequence, steps)
        elif phase == BY_COLUMNS:
            status = pack_by_columns(instance, state)
        elif phase == BY_REFILLING:
            status = refill_bins(instance, state)
        else:
            return rebuild(instance, state, sequence)
        if status != UNFINISHED and begin_phase(instance, state, sequence, steps, status):
            status = UNFINISHED
    return status


@jit
def replay(instance, state, sequence, steps):
    """Play the game until the stretch is over; return UNFINISHED, or 0 at its end."""
    progress = state.progress
    if progress[STEP] == 0:
        begin_game(instance, state)
    while progress[STEP] < steps and progress[WORK] < progress[UNTIL]:
        before = state.numbers[PLACED]
        play_inside(instance, state, sequence[progress[STEP]])
        progress[WORK] += PUT * (state.numbers[PLACED] - before)
        progress[STEP] += 1
    return 0 if progress[STEP] == steps else UNFINISHED


@jit
def begin_phase(instance, state, sequence, steps, packed):
    """Begin what comes next, where the last has packed into fewer bins or not; return whether there is anything.

    Columns come first where there are few types, else after the refilling, and only if that has found nothing.
    """
    progress = state.progress
    if progress[PHASE] == REPLAY:
        progress[BOUND] = lower_bound(instance)
        if read_packing(instance, state) <= progress[BOUND]:
            return False
    if packed:
        progress[PHASE], progress[STEP], progress[SEEN] = REBUILD, 0, 0
        list_wanted(instance, state)
        begin_game(instance, state)
        return True
    progress[TRIED] += 1
    if progress[TRIED] == 1 + (instance.size.shape[0] > FEW_TYPES):
        progress[PHASE] = BY_COLUMNS
        if begin_columns(instance, state, sequence, steps):
            return True
        progress[TRIED] += 1
    if progress[TRIED] > 2:
        return False
    progress[PHASE] = BY_REFILLING
    begin_refilling(instance, state, sequence, steps)
    return True


@jit
def rebuild(instance, state, sequence):
    """Write the moves that build the wanted packing until the stretch is over; return UNFINISHED, or 1 at its end."""
    progress = state.progress
    while progress[WORK] < progress[UNTIL]:
        cross_off_placed(state)
        if state.numbers[LEFT] == 0:
            return 1
        sequence[progress[STEP]] = next_wanted(instance, state)
        play_inside(instance, state, sequence[progress[STEP]])
        progress[STEP] += 1
    return UNFINISHED


@jit
def cross_off_placed(state):
    """Cross off the items that were put since this was done last."""
    while state.progress[SEEN] < state.numbers[PLACED]:
        cross_off(state, state.order[state.progress[SEEN]])
        state.progress[SEEN] += 1
        state.progress[WORK] += PUT


def copy(instance, source, target):
    """Copy a partial packing, without the work areas of ``improve``."""
    types = instance.size.shape[0]
    for k in range(NUMBERS):
        target.numbers[k] = source.numbers[k]
    target.fills[0] = source.fills[0]
    for t in range(types):
        target.remaining[t] = source.remaining[t]
        target.below[t] = source.below[t]
    for w in range(source.present.shape[0]):
        target.present[w] = source.present[w]
    for place in range(source.numbers[PLACED]):
        target.order[place] = source.order[place]
    for row in range(types + 1):
        for w in range(source.numbers[WORDS]):
            target.reach[row, w] = source.reach[row, w]


@kernels(reset, legal_moves, play, score, improve, copy)
class State(NamedTuple):
    """A partial packing."""

    numbers: NDArray[np.int64]  # [NUMBERS], see ``remaining``
    fills: NDArray[np.float64]  # [1], the sum of the squared fills of the closed bins
    remaining: NDArray[np.int64]  # [T], the items left of each type
    present: NDArray[np.uint64]  # [ceil(T / 64)], a bit for each type that is left
    order: NDArray[np.int64]  # [n], the types put so far; ~type where it opened a bin
    reach: NDArray[np.uint64]  # [T + 1, words], the sums that can be made (see ``find_reach``)
    below: NDArray[np.int64]  # [T], the row below a row
    progress: NDArray[np.int64]  # [REGISTERS], see ``progress``
    # Work areas of ``improve``, see ``refilling``.
    work: NDArray[np.int64]  # [ROWS, 3 n / 2 + 1]
    worth: NDArray[np.float64]  # [PRICES, n + 1]
    stream: NDArray[np.uint64]  # [2], its random numbers
    # The program and its columns, see ``columns``; without cells none.
    total: NDArray[np.float64]  # [1], how often the columns of the basis are taken in sum
    inverse: NDArray[np.float64]  # [T, T], of the basis
    number: NDArray[np.float64]  # [NUMBERS_OF_ROWS, T]
    line: NDArray[np.int64]  # [LINES, T]
    pool: NDArray[np.int64]  # [POOLS, columns]
    item: NDArray[np.int32]  # […], the items of the columns
    # The knapsack.
    value: NDArray[np.float64]  # [cells + 1]
    taken: NDArray[np.bool_]  # [n, cells + 1]
    kind: NDArray[np.int64]  # [n]


def pack(instance, state, moves):
    """Play ``moves`` (int64[steps]) from the start, which leaves the packing in ``state.order``."""
    engine.reset(instance, state)
    for k in range(moves.shape[0]):
        engine.play(instance, state, moves[k])


def follow(instance, state, moves, sequence, type_of, bin_of, way):
    """Write the moves (int64[steps]) that build a packing, given as the type and the bin of each item; return how many.

    The items of a bin are put in the given order, or the largest first, and others where these are not legal. A bin
    that has room for an item of a later one takes it. Returns NOWHERE where that does not build as few bins.
    """
    list_packing(instance, state, type_of, bin_of)
    if way != IN_ORDER:
        list_wanted(instance, state)
    begin_game(instance, state)
    state.progress[WANTED], state.progress[SEEN] = NOWHERE, 0
    step = 0
    while True:
        cross_off_placed(state)
        if state.numbers[BINS] > bin_of[instance.items - 1] + 1:
            return NOWHERE
        if state.numbers[LEFT] == 0:
            return step
        count = legal_moves_inside(instance, state, moves)
        sequence[step] = wanted_of(instance, state, moves, count)
        if sequence[step] == NOWHERE and way != WITH_OTHERS:
            return NOWHERE
        if sequence[step] == NOWHERE:
            sequence[step] = least_waste(instance, state)
        play_inside(instance, state, sequence[step])
        step += 1


@jit
def wanted_of(instance, state, moves, count):
    """Return the first move of those listed that the open bin lacks; where it lacks none, a legal one; else NOWHERE."""
    item = state.work[HEAD, state.progress[WANTED]]
    if item == NOWHERE:
        return least_waste(instance, state)
    while item != NOWHERE:
        t = state.work[TYPE, item]
        for m in range(count):
            if moves.move[m] == t:
                return t
        item = state.work[NEXT, item]
    return item
