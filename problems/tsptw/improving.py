"""The kernel ``improve`` of TSPTW: 2-opt and or-opt, missed windows before length, makespan or duration.

References
----------
G. A. Croes, *A method for solving traveling-salesman problems*, Operations Research 6, 1958: 2-opt.

M. W. P. Savelsbergh, *The vehicle routing problem with time windows: minimizing route duration*, ORSA Journal on
Computing 4, 1992: a tour leaves as late as all windows allow.

I. Or, *Traveling salesman-type combinatorial problems*, dissertation, Northwestern University, 1976: or-opt.
"""

import numpy as np

from nrpa.machine.jit import inlined, jit
from nrpa.problems.exchanges import exchange, turn

BLOCK = 64
TRAVEL, MAKESPAN, DURATION = 0, 1, 2
SHORTEST_GAIN = 1e-7
LONGEST_PART = 3
# The most cities of tours that are looked at, about 0.1 s; where ``counts`` says how much of that is left.
MOST_WORK, WORK = 30_000_000, 5


def improve(instance, state, sequence, steps):
    """Make a tour better, until no exchange does or the work that is allowed is done; return whether it is.

    An exchange swaps two neighbouring parts of the tour, of which the shorter has at most three cities (or-opt), or
    turns a part round (2-opt). The first one after which fewer windows are missed is made, or as many by a shorter
    tour; for the makespan, where none is missed, by one that is home earlier, for the duration by one that is away for
    less time.
    """
    state.start[0] = instance.ready[0, 0]
    note_times(instance, state, sequence, steps, 0)
    state.counts[WORK] = MOST_WORK
    better = False
    found = True
    while found and state.counts[WORK] > 0:
        found = swap_parts(instance, state, sequence, steps) | turn_parts(instance, state, sequence, steps)
        better |= found
    return np.int64(better)


@jit
def distance(instance, one, other):
    """Return the cost of going from one city to another."""
    return instance.distance[one, other // BLOCK, other % BLOCK]


@jit
def city_at(sequence, steps, position):
    """Return the city at a position of the tour; the depot before the first and after the last."""
    return sequence[position] if 0 <= position < steps else 0


@jit
def service_start(instance, previous, time, city):
    """Return when service starts in a city that is reached from the one before, left at ``time``."""
    return max(time + distance(instance, previous, city), instance.ready[city // BLOCK, city % BLOCK])


@jit
def note_times(instance, state, sequence, steps, first):
    """Write what the work areas of the state say of positions from ``first`` on."""
    time, missed, previous = state.start[first], state.missed[first], city_at(sequence, steps, first - 1)
    for position in range(first, steps):
        city = sequence[position]
        time = service_start(instance, previous, time, city)
        missed += time > instance.due[city // BLOCK, city % BLOCK]
        state.start[position + 1], state.missed[position + 1] = time, missed
        previous = city
    state.start[steps + 1] = service_start(instance, previous, time, 0)
    state.missed[steps + 1] = missed + (state.start[steps + 1] > instance.due[0, 0])
    if instance.minimized == DURATION:
        state.figures[0] = duration_in_time(instance, sequence, steps)


@jit
def can_be_better(instance, state, steps, gain):
    """Return whether an exchange that makes the tour so much shorter may make it better."""
    return gain > SHORTEST_GAIN or instance.minimized != TRAVEL or state.missed[steps + 1] > 0


@jit
def is_better(instance, state, sequence, steps, first, end, gain):
    """Return whether a tour, so much shorter than before, is better; positions ``first`` to ``end`` - 1 are new."""
    if instance.minimized == MAKESPAN and state.missed[steps + 1] == 0:
        return is_home_earlier(instance, state, sequence, steps, first, end)
    if instance.minimized == DURATION and state.missed[steps + 1] == 0:
        return duration_in_time(instance, sequence, steps) < state.figures[0] - SHORTEST_GAIN
    most = state.missed[steps + 1] - (gain < SHORTEST_GAIN)
    return misses_at_most(instance, state, sequence, steps, first, end, most)


@jit
def is_home_earlier(instance, state, sequence, steps, first, end):
    """Return whether a tour misses no window, as before, and is home earlier."""
    time, previous = state.start[first], city_at(sequence, steps, first - 1)
    for position in range(first, steps):
        city = sequence[position]
        time = service_start(instance, previous, time, city)
        previous = city
        if time > instance.due[city // BLOCK, city % BLOCK] or (position >= end and time >= state.start[position + 1]):
            return False
    return service_start(instance, previous, time, 0) < state.start[steps + 1] - SHORTEST_GAIN


@inlined
def minimized_of(minimized, travel, home, opens, leaves, is_late):
    """Return what is minimised of a tour: its travel cost, when it is home, or how long it is away.

    It leaves the depot at ``leaves``, so that its windows are kept; one that misses a window at ``opens``.
    """
    if minimized == TRAVEL:
        return travel
    if minimized == MAKESPAN:
        return home
    return home - opens if is_late else max(home - leaves, travel)


@jit
def duration_in_time(instance, sequence, steps):
    """Return how long a tour is away at least; infinity where it misses a window."""
    time, travel, leaves, previous = instance.ready[0, 0], 0.0, np.inf, 0
    for position in range(steps + 1):
        city = city_at(sequence, steps, position)
        travel += distance(instance, previous, city)
        time = service_start(instance, previous, time, city)
        closes = instance.due[city // BLOCK, city % BLOCK]
        if time > closes:
            return np.inf
        leaves = min(leaves, closes - travel)
        previous = city
    return minimized_of(DURATION, travel, time, instance.ready[0, 0], leaves, False)


@jit
def misses_at_most(instance, state, sequence, steps, first, end, most):
    """Return whether a tour misses at most so many windows."""
    time, missed, previous = state.start[first], state.missed[first], city_at(sequence, steps, first - 1)
    for position in range(first, steps):
        city = sequence[position]
        time = service_start(instance, previous, time, city)
        missed += time > instance.due[city // BLOCK, city % BLOCK]
        previous = city
        if missed > most:
            return False
        if position >= end and time <= state.start[position + 1]:
            if missed + state.missed[steps + 1] - state.missed[position + 1] <= most:
                return True
            if time == state.start[position + 1]:
                return False
    return missed + (service_start(instance, previous, time, 0) > instance.due[0, 0]) <= most


@jit
def swap_parts(instance, state, sequence, steps):
    """Swap neighbouring parts where that makes the tour better; return whether any were."""
    found = False
    for first in range(steps - 1):
        if state.counts[WORK] <= 0:
            break
        state.counts[WORK] -= steps - first
        for middle in range(first + 1, steps):
            longest = steps if middle - first <= LONGEST_PART else min(steps, middle + LONGEST_PART)
            for end in range(middle + 1, longest + 1):
                found |= swap_if_better(instance, state, sequence, steps, first, middle, end)
    return found


@jit
def swap_if_better(instance, state, sequence, steps, first, middle, end):
    """Swap two neighbouring parts if the tour becomes better; return whether it has."""
    before, after = city_at(sequence, steps, first - 1), city_at(sequence, steps, end)
    a, b, c, d = sequence[first], sequence[middle - 1], sequence[middle], sequence[end - 1]
    was = distance(instance, before, a) + distance(instance, b, c) + distance(instance, d, after)
    gain = was - (distance(instance, before, c) + distance(instance, d, a) + distance(instance, b, after))
    if not can_be_better(instance, state, steps, gain):
        return False
    state.counts[WORK] -= steps - first
    exchange(sequence, first, middle - first, middle, end - middle)
    if is_better(instance, state, sequence, steps, first, end, gain):
        note_times(instance, state, sequence, steps, first)
        return True
    exchange(sequence, first, end - middle, first + end - middle, middle - first)
    return False


@jit
def turn_parts(instance, state, sequence, steps):
    """Turn parts round where that makes the tour better; return whether any were."""
    found = False
    for first in range(steps - 1):
        if state.counts[WORK] <= 0:
            break
        state.counts[WORK] -= steps - first
        within = 0.0
        for end in range(first + 2, steps + 1):
            one, other = sequence[end - 2], sequence[end - 1]
            within += distance(instance, other, one) - distance(instance, one, other)
            if turn_if_better(instance, state, sequence, steps, first, end, within):
                within = -within
                found = True
    return found


@jit
def turn_if_better(instance, state, sequence, steps, first, end, within):
    """Turn a part round, which costs ``within`` more inside it, if the tour becomes better; return whether it has."""
    before, after = city_at(sequence, steps, first - 1), city_at(sequence, steps, end)
    a, b = sequence[first], sequence[end - 1]
    was = distance(instance, before, a) + distance(instance, b, after)
    gain = was - (distance(instance, before, b) + distance(instance, a, after) + within)
    if not can_be_better(instance, state, steps, gain):
        return False
    state.counts[WORK] -= steps - first
    turn(sequence, first, end)
    if is_better(instance, state, sequence, steps, first, end, gain):
        note_times(instance, state, sequence, steps, first)
        return True
    turn(sequence, first, end)
    return False
