"""What the kernel ``improve`` does where columns pack nothing: bins are refilled until the items of three fit into two.

References
----------
M. Buljubašić and M. Vasquez, *Consistent neighborhood search for one-dimensional bin packing and two-dimensional vector
packing*, Computers & Operations Research 76, 2016: all bins but two hold what fits, the other items are free, and the
free items shall fit into two bins; two items that fill a bin stay there. Theirs is a tabu search; here bins are chosen
at random, and refilled by simulated annealing, at prices that are learned.

S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, *Optimization by Simulated Annealing*, Science 220, 1983.
"""

import math

import numpy as np

from nrpa.engine.random import uniform
from nrpa.engine.status import UNFINISHED
from nrpa.machine.jit import jit
from nrpa.problems.binpacking.progress import BINS_LEFT, BOUND, CHANGED, FOUND, PAIRS, TURN, TURNS, UNTIL, WORK
from nrpa.problems.exchanges import seed

REFILLS, REFILLS_PER_ITEM, LONGEST = 10_000, 1000, 10
MANY_ITEMS, REFILLS_OF_MANY = 1000, 50_000
HOTTEST = 0.001
DEARER, EVERY = 0.0002, 128
NODES, MOST_LOOKED_AT = 3000, 10_000_000
FREE_BINS = 3

# The rows of ``State.work``. By item, the largest first: its type, the item after it in its bin, and the bin that it is
# to be in. By bin, and in the last column for the free items: its first item, and the sum of its items. By type: its
# next item. By place in the pool: the item, its size, whether the bin holds it, whether it is taken; the
# least of the sizes from there on.
TYPE, NEXT, BIN, HEAD, FILL, UNUSED, POOL, SIZE, HELD, TAKEN, LEAST = range(11)
ROWS = 11
# The rows of ``State.worth``. By item: what it counts. By place in the pool: the same, and its sum from there on.
PRICE, WORTH, MORE = range(3)
PRICES = 3


@jit
def begin_refilling(instance, state, sequence, steps):
    """Get ready to refill bins. The random numbers come from the sequence."""
    progress = state.progress
    before = read_packing(instance, state)
    seed(state.stream, sequence, steps)
    progress[PAIRS] = set_pairs_apart(instance, state, progress[BOUND] - 2)
    progress[BINS_LEFT] = list_bins(instance, state, before)
    progress[FOUND] = progress[BINS_LEFT] + progress[PAIRS] < before
    begin_annealing(instance, state)


@jit
def refill_bins(instance, state):
    """Look for a packing of fewer bins, down to the bound, until the stretch is over.

    Returns UNFINISHED or whether one was found: the row ``BIN`` of ``state.work`` then has the bin of each item.
    """
    progress = state.progress
    while progress[WORK] < progress[UNTIL]:
        if progress[BINS_LEFT] + progress[PAIRS] <= progress[BOUND]:
            return progress[FOUND]
        bins = progress[BINS_LEFT] - FREE_BINS
        if progress[CHANGED] and divide_free(instance, state, bins):
            progress[BINS_LEFT] -= 1
            progress[FOUND] = 1
            note_bins(state, progress[BINS_LEFT])
            begin_annealing(instance, state)
        elif progress[TURN] == progress[TURNS]:
            return progress[FOUND]
        else:
            refill_one(instance, state, bins)
    return UNFINISHED


@jit
def lower_bound(instance):
    """Return the lower bound of the number of bins."""
    volume = 0
    for t in range(instance.size.shape[0]):
        volume += instance.size[t] * instance.copies[t]
    return (volume + instance.slack) // instance.capacity


@jit
def read_packing(instance, state):
    """Write the bin of each item in ``state.order``, and return the number of bins."""
    work, item, bins = state.work, 0, 0
    for t in range(instance.size.shape[0]):
        work[UNUSED, t] = item
        for _ in range(instance.copies[t]):
            work[TYPE, item] = t
            item += 1
    for place in range(instance.items):
        t = state.order[place]
        if t < 0:
            t = ~t
            bins += 1
        work[BIN, work[UNUSED, t]] = bins - 1
        work[UNUSED, t] += 1
    return bins


@jit
def set_pairs_apart(instance, state, most):
    """Give each two items that fill a bin one of their own, numbered from n on; return how many, at most so many.

    What was with one of them takes the place of the other, where it fits: no packing is worse for that.
    """
    work, first, last, pairs = state.work, 0, instance.items - 1, 0
    for b in range(instance.items):
        work[HEAD, b] = b
    while first < last and pairs < most:
        total = instance.size[work[TYPE, first]] + instance.size[work[TYPE, last]]
        if total == instance.capacity:
            work[HEAD, joined(work, work[BIN, first])] = joined(work, work[BIN, last])
            work[BIN, first] = work[BIN, last] = instance.items + pairs
            pairs += 1
        first += total >= instance.capacity
        last -= total <= instance.capacity
    for item in range(instance.items):
        if work[BIN, item] < instance.items:
            work[BIN, item] = joined(work, work[BIN, item])
    return pairs


@jit
def joined(work, b):
    """Return the bin that now has a bin's items, from the row ``HEAD``."""
    while work[HEAD, b] != b:
        work[HEAD, b] = work[HEAD, work[HEAD, b]]
        b = work[HEAD, b]
    return b


@jit
def list_bins(instance, state, most):
    """Make lists of the items of each bin below ``most`` that has any, and return the number of these bins."""
    work, bins = state.work, 0
    for b in range(most):
        empty(state, b)
    for item in range(instance.items):
        if work[BIN, item] < most:
            put_into(instance, state, work[BIN, item], item)
    for b in range(most):
        work[HEAD, bins], work[FILL, bins] = work[HEAD, b], work[FILL, b]
        bins += work[HEAD, b] >= 0
    return bins


@jit
def empty(state, b):
    """Let a bin hold nothing."""
    state.work[HEAD, b] = -1
    state.work[FILL, b] = 0


@jit
def put_into(instance, state, b, item):
    """Put an item that is nowhere into a bin, or to the free ones."""
    state.work[NEXT, item] = state.work[HEAD, b]
    state.work[HEAD, b] = item
    state.work[FILL, b] += instance.size[state.work[TYPE, item]]


@jit
def note_bins(state, bins):
    """Write the bin of each item."""
    for b in range(bins):
        item = state.work[HEAD, b]
        while item >= 0:
            state.work[BIN, item] = b
            item = state.work[NEXT, item]


@jit
def free_emptiest(instance, state, bins):
    """Free the items of the three emptiest bins; the last bins get the numbers of these."""
    work, free = state.work, instance.items
    empty(state, free)
    for _ in range(FREE_BINS):
        chosen = 0
        for b in range(1, bins):
            if work[FILL, b] < work[FILL, chosen]:
                chosen = b
        count = gather(instance, state, chosen, 0, 0)
        for place in range(count):
            put_into(instance, state, free, work[POOL, place])
        bins -= 1
        work[HEAD, chosen] = work[HEAD, bins]
        work[FILL, chosen] = work[FILL, bins]


@jit
def gather(instance, state, b, count, held):
    """Add the items of a bin to a pool of so many, and return how many there are then."""
    work = state.work
    item = work[HEAD, b]
    while item >= 0:
        work[POOL, count] = item
        work[SIZE, count] = instance.size[work[TYPE, item]]
        work[HELD, count] = held
        state.worth[WORTH, count] = state.worth[PRICE, item]
        count += 1
        item = work[NEXT, item]
    return count


@jit
def begin_annealing(instance, state):
    """Free the emptiest bins, and get ready to refill the others, unless there are as few as the bound.

    The refills are 10,000, and 1,000 an item, but 50,000 in all where there are more than 1,000 items; m times as many
    or more with probability 1 / m, ten times as many at most.
    """
    progress = state.progress
    if progress[BINS_LEFT] + progress[PAIRS] <= progress[BOUND]:
        return
    free_emptiest(instance, state, progress[BINS_LEFT])
    for item in range(instance.items):
        state.worth[PRICE, item] = instance.size[state.work[TYPE, item]]
    times = min(LONGEST, 1.0 / (1.0 - uniform(state.stream)))
    refills = REFILLS + (REFILLS_PER_ITEM * instance.items if instance.items <= MANY_ITEMS else REFILLS_OF_MANY)
    progress[TURN], progress[CHANGED] = 0, 1
    progress[TURNS] = times * refills if progress[BINS_LEFT] > FREE_BINS else 0
    progress[WORK] += 10 * instance.items


@jit
def refill_one(instance, state, bins):
    """Refill a random one of so many bins.

    A bin gets a random set of its own and the free items, which may be worth less than what it holds by an
    exponentially distributed amount; its mean falls evenly from 0.001 capacities to 0. Items are worth their sizes at
    first. After every 128 refills those that are free become dearer, and all cheaper by as much in sum: so the search
    learns which are hard to place.
    """
    progress = state.progress
    b = np.int64(uniform(state.stream) * bins)
    cooling = 1.0 - progress[TURN] / progress[TURNS]
    loss = -HOTTEST * instance.capacity * cooling * math.log(1.0 - uniform(state.stream))
    progress[CHANGED] = refill(instance, state, b, loss)
    progress[TURN] += 1
    if progress[TURN] % EVERY == 0:
        change_prices(instance, state)


@jit
def change_prices(instance, state):
    """Make the free items dearer, and all items cheaper by as much in sum."""
    step, count = DEARER * instance.capacity, 0
    item = state.work[HEAD, instance.items]
    while item >= 0:
        state.worth[PRICE, item] += step
        count += 1
        item = state.work[NEXT, item]
    cheaper = step * count / instance.items
    for item in range(instance.items):
        state.worth[PRICE, item] -= cheaper
    state.progress[WORK] += instance.items


@jit
def divide_free(instance, state, bins):
    """Make two more bins of the free items; return whether they fit."""
    free, capacity = instance.items, instance.capacity
    total = state.work[FILL, free]
    if total > 2 * capacity:
        return False
    count = gather(instance, state, free, 0, -1)
    for place in range(count):
        state.worth[WORTH, place] = state.work[SIZE, place]
    if not choose_set(state, count, total - capacity, capacity):
        return False
    divide(instance, state, count, bins, bins + 1)
    return True


@jit
def refill(instance, state, b, loss):
    """Fill a bin from its own and the free items with what it did not hold; return whether that was found."""
    count = gather(instance, state, b, 0, 1)
    least = -loss
    for place in range(count):
        least += state.worth[WORTH, place]
    count = gather(instance, state, instance.items, count, 0)
    shuffle(state, count)
    if not choose_set(state, count, least, instance.capacity):
        return False
    divide(instance, state, count, b, instance.items)
    return True


@jit
def shuffle(state, count):
    """Bring the pool into a random order."""
    work = state.work
    for place in range(count - 1, 0, -1):
        other = np.int64(uniform(state.stream) * (place + 1))
        for row in (POOL, SIZE, HELD):
            work[row, place], work[row, other] = work[row, other], work[row, place]
        worth = state.worth[WORTH, place]
        state.worth[WORTH, place] = state.worth[WORTH, other]
        state.worth[WORTH, other] = worth


@jit
def divide(instance, state, count, b, rest):
    """Let a bin hold what is taken of the pool, and another one the rest of it."""
    empty(state, b)
    empty(state, rest)
    for place in range(count):
        put_into(instance, state, b if state.work[TAKEN, place] == 1 else rest, state.work[POOL, place])


@jit
def choose_set(state, count, least, most):
    """Take the first set of the pool that is not held, sums up to ``most`` at most and is worth ``least``, if any.

    Sets are tried depth first, an item taken before it is left, for 3,000 nodes. Returns whether one was found.
    """
    work, worth = state.work, state.worth
    note_rest(state, count, most)
    state.progress[WORK] += 10 * count
    place, total, value = 0, 0, 0.0
    for _ in range(min(NODES, MOST_LOOKED_AT // (count + 1))):
        state.progress[WORK] += 1
        if least <= value and is_new(state, place, count):
            for left in range(place, count):
                work[TAKEN, left] = 0
            return True
        if value + worth[MORE, place] >= least and total + work[LEAST, place] <= most:
            fits = total + work[SIZE, place] <= most
            work[TAKEN, place] = np.int64(fits)
            if fits:
                total += work[SIZE, place]
                value += worth[WORTH, place]
        else:
            place -= 1
            while place >= 0 and work[TAKEN, place] == 0:
                place -= 1
            if place < 0:
                return False
            work[TAKEN, place] = 0
            total -= work[SIZE, place]
            value -= worth[WORTH, place]
        place += 1
    return False


@jit
def note_rest(state, count, most):
    """Write for each place of the pool the most worth and the least size from there on; after the last, too much."""
    work, worth = state.work, state.worth
    worth[MORE, count] = 0.0
    work[LEAST, count] = most + 1
    for place in range(count - 1, -1, -1):
        worth[MORE, place] = worth[MORE, place + 1] + max(0.0, worth[WORTH, place])
        work[LEAST, place] = min(work[LEAST, place + 1], work[SIZE, place])


@jit
def is_new(state, place, count):
    """Return whether the items taken before ``place``, and none from there on, differ from those that are held."""
    same = 0
    while same < count and state.work[HELD, same] == (state.work[TAKEN, same] if same < place else 0):
        same += 1
    return same < count
