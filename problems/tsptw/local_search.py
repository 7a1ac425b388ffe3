"""The kernel ``improve`` of many cities: exchanges among neighbours, and again after small random changes.

References
----------
I. Or, *Traveling salesman-type combinatorial problems*, dissertation, Northwestern University, 1976: or-opt.

M. W. P. Savelsbergh, *The vehicle routing problem with time windows: minimizing route duration*, ORSA Journal on
Computing 4, 1992: the latest start of service, so that an exchange is checked where it is.

J. L. Bentley, *Fast algorithms for geometric traveling salesman problems*, ORSA Journal on Computing 4, 1992: cities
are looked at again only where something has changed.

H. R. Lourenço, O. C. Martin, T. Stützle, *Iterated local search*, Handbook of Metaheuristics, 2003. S. Kirkpatrick, C.
D. Gelatt, M. P. Vecchi, *Optimization by simulated annealing*, Science 220, 1983.
"""

import numpy as np

from nrpa.engine.random import mixed, uniform
from nrpa.machine.jit import as_int64, inlined, jit
from nrpa.problems.exchanges import exchange, seed, turn
from nrpa.problems.tsptw.improving import TRAVEL
from nrpa.problems.tsptw.kernels import COST
from nrpa.problems.tsptw.reordering import FARTHEST, MOST_LABELS, NEAREST, reorder

SHORTEST_GAIN = 1e-7
LONGEST_MOVED, LONGEST_CHANGED = 3, 30
# In how many places random changes begin; where it is cold, in work left; the part of it for the order of cities; the
# part of it where cities are late.
STRETCHED, COLD, LAST, OF_LATE = 240, 0.4, 1 / 3, 8

# What ``stops`` says of a place: the cost of coming from the one before, when the window opens and closes, when service
# starts, and until when it must start so that no more windows are missed. Where one was missed at first, it never
# closes.
WAY, OPENS, CLOSES, START, LATEST = 0, 1, 2, 3, 4
# Of ``search``: work left, how many cities wait to be looked at, between which places the tour differs from ``kept``,
# a city that is late, or 0; JUST after ``improve``, until the next game begins; where random changes begin; how many
# late cities have come to be in time.
WORK, WAITING, LOW, HIGH, LATE, IMPROVED, STRETCH, SERVED = 0, 1, 2, 3, 4, 5, 6, 7
# Of ``length``: by how much the tour is longer than at first; the heat at first.
GROWN, HEAT = 0, 1
JUST = 2**61 - 1


def improve(instance, state, sequence, steps):
    """Make a tour better, as far as the work that is allowed; return whether it is.

    A window that is kept stays so, and cities that are late are put where they are in time. An exchange swaps two
    neighbouring parts of the tour, of which one has at most three cities (or-opt), or turns a part round (2-opt).
    Random changes depend on the tour, and on that of the last playout, which stands in ``figures``.
    """
    if instance.minimized != TRAVEL:
        return np.int64(0)
    state.search[WORK], state.search[SERVED], state.length[GROWN] = instance.work, 0, 0.0
    begin(instance, state, sequence, steps)
    seed(state.random, sequence, steps)
    state.random[1] ^= mixed(np.uint64(as_int64(state.figures[COST])))
    settle(instance, state)
    serve_late_cities(instance, state)
    keep(state)
    if state.search[LATE] > 0 and steps < STRETCHED:
        state.search[WORK] = min(state.search[WORK], instance.work // OF_LATE)
    begin_annealing(instance, state)
    while state.search[WORK] > (0 if state.search[LATE] > 0 else LAST * instance.work):
        try_change(instance, state)
    put_in_order(instance, state)
    if state.search[SERVED] == 0 and state.length[GROWN] > -SHORTEST_GAIN:
        return np.int64(0)
    for place in range(steps):
        sequence[place] = state.tour[place + 1]
    state.search[IMPROVED] = JUST
    return np.int64(1)


@jit
def begin(instance, state, sequence, steps):
    """Write a tour and what is known of it, and let all of its cities be looked at."""
    last = steps + 1
    state.tour[0] = state.tour[last] = 0
    for place in range(1, last):
        state.tour[place] = sequence[place - 1]
        state.waits[sequence[place - 1]] = False
    for city in range(last):
        state.closes[city] = instance.due[city]
    state.stops[0, START], state.stops[0, CLOSES] = instance.ready[0], np.inf
    for place in range(1, last + 1):
        note_place(instance, state, place)
        start = max(state.stops[place - 1, START] + state.stops[place, WAY], state.stops[place, OPENS])
        state.stops[place, START] = start
        if start > state.stops[place, CLOSES]:
            state.closes[state.tour[place]] = state.stops[place, CLOSES] = np.inf
    state.stops[last, LATEST] = state.stops[last, CLOSES]
    for place in range(last - 1, -1, -1):
        state.stops[place, LATEST] = latest_start(state.stops, place)
    state.search[LOW], state.search[HIGH], state.search[WAITING] = 1, last, 0
    for place in range(1, last):
        look_at(state, state.tour[place])


@jit
def note_place(instance, state, place):
    """Write what a city, and the one before, say of its place."""
    city, before = state.tour[place], state.tour[place - 1]
    state.place[city] = place
    state.stops[place, WAY] = instance.distance[before, city]
    state.stops[place, OPENS] = instance.ready[city]
    state.stops[place, CLOSES] = state.closes[city]


@jit
def latest_start(stop, place):
    """Return until when service must start at a place so that it and what follows stay in time."""
    return min(stop[place, CLOSES], stop[place + 1, LATEST] - stop[place + 1, WAY])


@jit
def look_at(state, city):
    """Let a city wait to be looked at."""
    if city != 0 and not state.waits[city]:
        state.waits[city] = True
        state.queue[state.search[WAITING]] = city
        state.search[WAITING] += 1


@jit
def settle(instance, state):
    """Make exchanges until no city waits, or no work is left."""
    while state.search[WAITING] > 0:
        state.search[WAITING] -= 1
        city = state.queue[state.search[WAITING]]
        state.waits[city] = False
        gain = better_exchange(instance, state, city) if state.search[WORK] > 0 else 0.0
        if gain > 0.0:
            state.length[GROWN] -= gain
            look_at(state, city)


@jit
def better_exchange(instance, state, city):
    """Let one of its neighbours follow a city by the first exchange that is better; return the gain, or 0."""
    here, last, work = state.place[city], state.tour.shape[0] - 1, 0
    after, found = state.stops[here + 1, WAY], 0.0
    for k in range(instance.neighbours.shape[1]):
        other = instance.neighbours[city, k]
        if other == 0:
            break
        work += 1
        there, way = state.place[other], instance.ways[city, k]
        if there == here + 1:
            continue
        if way < after:
            for size in range(1, LONGEST_MOVED + 1):
                end = there + size
                if there > here and end <= last:
                    found = try_swap(instance, state, here + 1, there, end)
                elif end <= here:
                    found = try_swap(instance, state, there, end, here + 1)
                if found > 0.0:
                    return found
            found = try_turn(instance, state, here + 1, there + 1) if there > here else 0.0
        if way < state.stops[there, WAY]:
            for size in range(1, min(LONGEST_MOVED, here) + 1):
                first = here - size + 1
                if there > here:
                    found = try_swap(instance, state, first, here + 1, there)
                elif there < first:
                    found = try_swap(instance, state, there, first, here + 1)
                if found > 0.0:
                    return found
        if found > 0.0:
            return found
    state.search[WORK] -= work
    return 0.0


@inlined
def swap_gain(instance, state, first, middle, end):
    """Return by how much a tour becomes shorter where two neighbouring parts are swapped."""
    tour, distance = state.tour, instance.distance
    was = state.stops[first, WAY] + state.stops[middle, WAY] + state.stops[end, WAY]
    one, other = distance[tour[first - 1], tour[middle]], distance[tour[middle - 1], tour[end]]
    return was - (one + other + distance[tour[end - 1], tour[first]])


@inlined
def try_swap(instance, state, first, middle, end):
    """Swap two neighbouring parts of the tour if it becomes shorter and stays in time; return the gain, or 0."""
    gain = swap_gain(instance, state, first, middle, end)
    return gain if gain > SHORTEST_GAIN and swap_in_time(instance, state, first, middle, end) else 0.0


@jit
def swap_in_time(instance, state, first, middle, end):
    """Swap two neighbouring parts of the tour if no more windows are missed; return whether they are swapped."""
    if not stays_in_time(instance, state, first, middle, end):
        return False
    swap(instance, state, first, middle, end)
    return True


@jit
def stays_in_time(instance, state, first, middle, end):
    """Return whether no more windows are missed where two neighbouring parts are swapped."""
    tour, stop, distance = state.tour, state.stops, instance.distance
    one, other = distance[tour[first - 1], tour[middle]], distance[tour[end - 1], tour[first]]
    if stop[end - 1, OPENS] + other > stop[first, CLOSES]:
        return False
    time = end_of_part(stop, state.search, stop[first - 1, START] + one, middle, end)
    time = end_of_part(stop, state.search, time + other, first, middle)
    return max(time + distance[tour[middle - 1], tour[end]], stop[end, OPENS]) <= stop[end, LATEST]


@jit
def end_of_part(stop, search, time, first, end):
    """Return when service starts at the end of a part that is reached at a time; infinite if it is late on the way."""
    for place in range(first, end):
        search[WORK] -= 1
        time = max(time, stop[place, OPENS])
        if time == stop[place, START]:
            return stop[end - 1, START]
        if time > stop[place, CLOSES]:
            return np.inf
        if place < end - 1:
            time += stop[place + 1, WAY]
    return time


@jit
def swap(instance, state, first, middle, end):
    """Swap two neighbouring parts of the tour, and look at the cities whose ways change."""
    for place in (first, middle, end):
        look_at(state, state.tour[place - 1])
        look_at(state, state.tour[place])
    exchange(state.tour, first, middle - first, middle, end - middle)
    note(instance, state, first, end)


@jit
def try_turn(instance, state, first, end):
    """Turn a part of the tour round if it becomes shorter and stays in time; return the gain, or 0."""
    tour, stop, distance = state.tour, state.stops, instance.distance
    before, after = tour[first - 1], tour[end]
    one, other = distance[before, tour[end - 1]], distance[tour[first], after]
    gain = stop[first, WAY] + stop[end, WAY] - one - other
    if instance.symmetric and gain <= SHORTEST_GAIN:
        return 0.0
    time = stop[first - 1, START] + one
    for place in range(end - 1, first - 1, -1):
        state.search[WORK] -= 1
        time = max(time, stop[place, OPENS])
        if time > stop[place, CLOSES]:
            return 0.0
        if place > first:
            way = stop[place, WAY] if instance.symmetric else distance[tour[place], tour[place - 1]]
            gain += stop[place, WAY] - way
            time += way
    if gain <= SHORTEST_GAIN or max(time + other, stop[end, OPENS]) > stop[end, LATEST]:
        return 0.0
    for place in (first, end):
        look_at(state, tour[place - 1])
        look_at(state, tour[place])
    turn(tour, first, end)
    note(instance, state, first, end)
    return gain


@jit
def note(instance, state, first, end):
    """Write what is known of a tour whose places ``first`` to ``end`` - 1 have changed."""
    stop, last = state.stops, state.tour.shape[0] - 1
    state.search[LOW] = min(state.search[LOW], first)
    state.search[HIGH] = max(state.search[HIGH], end)
    for place in range(first, end + 1):
        note_place(instance, state, place)
    state.search[WORK] -= end - first
    for place in range(first, last + 1):
        time = max(stop[place - 1, START] + stop[place, WAY], stop[place, OPENS])
        if place >= end and time == stop[place, START]:
            break
        stop[place, START] = time
        state.search[WORK] -= 1
    if end > last:
        stop[last, LATEST] = stop[last, CLOSES]
    for place in range(min(end, last) - 1, -1, -1):
        latest = latest_start(stop, place)
        if place < first and latest == stop[place, LATEST]:
            break
        stop[place, LATEST] = latest
        state.search[WORK] -= 1


@jit
def serve_late_cities(instance, state):
    """Let each city that is late come where it is in time and makes no other one late."""
    state.search[LATE] = 0
    for place in range(1, state.tour.shape[0] - 1):
        city = state.tour[place]
        is_late = state.search[WORK] > 0 and state.closes[city] > instance.due[city]
        if is_late and not serve(instance, state, city):
            state.search[LATE] = city
    settle(instance, state)


@jit
def serve(instance, state, city):
    """Move a late city to where it makes the tour least longer, if there is such a place; return whether there is."""
    tour, stop, place = state.tour, state.stops, state.place[city]
    ready, due = instance.ready[city], instance.due[city]
    best, first = -np.inf, 0
    other = place_after(stop, due, place)
    while other > 0 and stop[other, LATEST] >= ready:
        time = max(stop[other - 1, START] + instance.distance[tour[other - 1], city], ready)
        if time <= due and time + instance.distance[city, tour[other]] <= stop[other, LATEST] and other < place:
            gain = swap_gain(instance, state, other, place, place + 1)
            if gain > best:
                best, first = gain, other
        state.search[WORK] -= 1
        other -= 1
    state.closes[city] = stop[place, CLOSES] = due
    if stop[place, START] <= due:
        note(instance, state, place, place + 1)
        state.search[SERVED] += 1
        return True
    if first > 0 and swap_in_time(instance, state, first, place, place + 1):
        state.length[GROWN] -= best
        state.search[SERVED] += 1
        return True
    state.closes[city] = stop[place, CLOSES] = np.inf
    return False


@jit
def place_after(stop, time, end):
    """Return the first place, up to ``end``, at which service starts after a time."""
    low, high = 0, end
    while low < high:
        middle = (low + high) // 2
        if stop[middle, START] > time:
            high = middle
        else:
            low = middle + 1
    return low


@jit
def keep(state):
    """Keep the tour as it is, to go back to."""
    for place in range(state.search[LOW], state.search[HIGH]):
        state.kept[place] = state.tour[place]
    state.search[LOW], state.search[HIGH] = state.tour.shape[0], 0


@jit
def go_back(instance, state):
    """Make the tour what it was."""
    low, high = state.search[LOW], state.search[HIGH]
    for place in range(low, high):
        state.tour[place] = state.kept[place]
    note(instance, state, low, high)
    state.search[LOW], state.search[HIGH] = state.tour.shape[0], 0


@jit
def begin_annealing(instance, state):
    """Choose the stretch of the tour that random changes begin in, and how much longer they may make it at first."""
    last, ways = state.tour.shape[0] - 1, 0.0
    for place in range(1, last + 1):
        ways += state.stops[place, WAY]
    state.search[STRETCH] = np.int64(uniform(state.random) * (last - 2))
    state.length[HEAT] = instance.heat * ways / last


@jit
def put_in_order(instance, state):
    """Let cities of the stretch come some places earlier where that is better, and settle; again as long as it is."""
    last = state.tour.shape[0] - 1
    first = 1 + state.search[STRETCH] if last > STRETCHED else 1
    end, k, labels = min(first + STRETCHED, last), NEAREST, 0
    while k <= FARTHEST and 4 * labels < state.search[WORK]:
        gain, labels = reorder(instance, state, first, end, k, min(state.search[WORK], MOST_LABELS))
        state.search[WORK] -= labels
        k += 2
        if gain > 0.0:
            state.length[GROWN] -= gain
            for place in range(first, end):
                state.tour[place] = state.kept[place]
                look_at(state, state.tour[place])
            note(instance, state, first, end)
            settle(instance, state)
            k = NEAREST


@jit
def try_change(instance, state):
    """Swap two short parts at random and make the tour better again; go back where it is longer than the heat lets it.

    Where a city is late, the parts are where its window may let it in.
    """
    last, late = state.tour.shape[0] - 1, state.search[LATE]
    first = 1 + (state.search[STRETCH] + np.int64(uniform(state.random) * STRETCHED)) % (last - 2)
    if late > 0:
        at = place_after(state.stops, instance.due[late], last)
        first = max(np.int64(1), at - np.int64(uniform(state.random) * LONGEST_CHANGED))
    middle = first + 1 + np.int64(uniform(state.random) * LONGEST_CHANGED)
    end = middle + 1 + np.int64(uniform(state.random) * LONGEST_CHANGED)
    state.search[WORK] -= 1
    if end > last:
        return
    before = state.length[GROWN]
    gain = swap_gain(instance, state, first, middle, end)
    if not swap_in_time(instance, state, first, middle, end):
        return
    state.length[GROWN] -= gain
    settle(instance, state)
    is_served = late > 0 and serve(instance, state, late)
    if is_served:
        serve_late_cities(instance, state)
    heat = state.length[HEAT] * max(0.0, state.search[WORK] / instance.work - COLD)
    if not is_served and state.length[GROWN] > before - SHORTEST_GAIN - heat * np.log(1.0 - uniform(state.random)):
        go_back(instance, state)
        state.length[GROWN] = before
    else:
        keep(state)
