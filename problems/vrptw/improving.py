"""The kernel ``improve`` of VRPTW: parts of routes change places, and short routes are dissolved.

References
----------
J.-Y. Potvin and J.-M. Rousseau, *An exchange heuristic for routeing problems with time windows*, Journal of the
Operational Research Society 46, 1995: tails are exchanged.

E. Taillard et al., *A tabu search heuristic for the vehicle routing problem with soft time windows*, Transportation
Science 31, 1997: parts are exchanged.

M. W. P. Savelsbergh, *The vehicle routing problem with time windows: minimizing route duration*, ORSA Journal on
Computing 4, 1992: the latest start of service, so that a change is checked where it is.
"""

import numpy as np

from nrpa.engine.random import uniform
from nrpa.machine.jit import jit
from nrpa.problems.exchanges import exchange, seed

SHORTEST_GAIN = 1e-7
LONGEST_PART = 3
MOST_EJECTED, MOVED = 200, 100
USED = 4


def improve(instance, state, sequence, steps):
    """Make routes better, until no exchange does; return whether they are. Vehicles must be free to go home.

    An exchange swaps two parts of at most three customers, of which one may have none, or the ends of two routes. The
    first one that lowers the cost is made. Then a vehicle is saved, where others have room for its customers.
    """
    if not (instance.free and note(instance, state, sequence, steps)):
        return 0
    if steps < sequence.shape[0]:
        sequence[steps] = 0  # a route without customers
        steps += 1
        note(instance, state, sequence, steps)
    better = False
    found = True
    while found:
        found = exchange_all(instance, state, sequence, steps)
        if not found and state.counts[USED] > instance.fewest:
            found = save_vehicle(instance, state, sequence, steps)
        better |= found
    drop_empty_routes(sequence, steps)
    return np.int64(better)


@jit
def drop_empty_routes(sequence, steps):
    """Leave out routes without customers; what follows the last route is -1."""
    at, before = 0, 0
    for position in range(steps):
        place = sequence[position]
        if place != 0 or before != 0:
            sequence[at] = place
            at += 1
        before = place
    sequence[at:] = -1


@jit
def note(instance, state, sequence, steps):
    """Write what the work areas say of the routes; return whether all windows are kept and no route is too long."""
    begin, here, time, load, length, used = 0, 0, instance.ready[0], 0.0, 0.0, 0
    state.start[0] = time
    for position in range(steps):
        place = sequence[position]
        time = start_of_service(instance, here, time, place)
        length += instance.distance[here, place]
        if time > instance.due[place] or length > instance.longest:
            return False
        load += instance.demand[place]
        state.start[position + 1], state.loaded[position], state.far[position] = time, load, length
        state.begin[position] = begin
        if place == 0:
            state.start[position + 1] = instance.ready[0]
            for each in range(begin, position + 1):
                state.end[each] = position
            note_latest(instance, state, sequence, begin, position)
            used += position > begin
            begin, time, load, length = position + 1, instance.ready[0], 0.0, 0.0
        else:
            state.position[place] = position
        here = place
    state.counts[USED] = used
    return True


@jit
def note_latest(instance, state, sequence, begin, end):
    """Write until when service must start at each position of a route, so that the rest of it stays in time."""
    latest = instance.due[0]
    state.latest[end] = latest
    after = 0
    for position in range(end - 1, begin - 1, -1):
        place = sequence[position]
        latest = min(instance.due[place], latest - instance.service[place] - instance.distance[place, after])
        state.latest[position] = latest
        after = place


@jit
def start_of_service(instance, here, time, place):
    """Return when service starts in a place that is reached from another one, where it started at ``time``."""
    return max(time + instance.service[here] + instance.distance[here, place], instance.ready[place])


@jit
def place_at(sequence, position):
    """Return the place at a position, the depot before the first one."""
    return sequence[position] if position >= 0 else 0


@jit
def exchange_all(instance, state, sequence, steps):
    """Let each customer follow each of its neighbours, or the depot, where that is better; return if any does."""
    found = False
    for customer in range(1, instance.due.shape[0]):
        for k in range(instance.neighbours.shape[1]):
            other = instance.neighbours[customer, k]
            found |= put_after(instance, state, sequence, steps, customer, state.position[other])
        position = -1
        while position < steps - 1:
            found |= put_after(instance, state, sequence, steps, customer, position)
            position = state.end[position + 1]
    return found


@jit
def put_after(instance, state, sequence, steps, customer, before):
    """Let a customer come right after the position ``before``, by the first exchange that is better; return if so."""
    begin, after = state.position[customer], before + 1
    if after == begin:
        return False
    end, end_after = state.end[begin], state.end[after]
    for kind in range(LONGEST_PART + 1):
        size = size_of(kind + 1, end - begin)
        for other in range(LONGEST_PART + 2):
            part = size_of(other, end_after - after)
            is_new = size >= 0 and part >= 0
            if is_new and exchange_if_better(instance, state, sequence, steps, begin, size, after, part):
                return True
    return False


@jit
def size_of(kind, rest):
    """Return how many customers a kind of part has, of so many: its number, or all; -1 where another has as many."""
    if kind <= LONGEST_PART:
        return kind if kind <= rest else -1
    return rest if rest > LONGEST_PART else -1


@jit
def exchange_if_better(instance, state, sequence, steps, one, size, other, part):
    """Exchange two parts, of ``size`` and ``part`` customers, where that is better and in time; return if so."""
    if other < one:
        one, size, other, part = other, part, one, size
    if one + size > other:
        return False
    is_within = state.end[one] == state.end[other]
    gain = gain_of(instance, sequence, one, size, other, part)
    if not is_within:
        gain += gain_of_vehicles(instance, state, one, size, other, part)
    if gain < SHORTEST_GAIN or not is_possible(instance, state, sequence, one, size, other, part, is_within):
        return False
    exchange(sequence, one, size, other, part)
    if note(instance, state, sequence, steps):
        return True
    exchange(sequence, one, part, other + part - size, size)
    note(instance, state, sequence, steps)
    return False


@jit
def gain_of(instance, sequence, one, size, other, part):
    """Return by how much the way becomes shorter when two parts are exchanged."""
    first, between, second = (one, one + size), (one + size, other), (other, other + part)
    before, after = place_at(sequence, one - 1), sequence[other + part]
    was = length_through(instance, sequence, before, first, between, second, after)
    return was - length_through(instance, sequence, before, second, between, first, after)


@jit
def length_through(instance, sequence, before, first, second, third, after):
    """Return the length of the way from a place to another through three parts, without that inside them."""
    length, here = 0.0, before
    for begin, end in (first, second, third):
        if begin < end:
            length += instance.distance[here, sequence[begin]]
            here = sequence[end - 1]
    return length + instance.distance[here, after]


@jit
def gain_of_vehicles(instance, state, one, size, other, part):
    """Return what is saved by vehicles that stay at the depot when parts of two routes are exchanged."""
    first = state.end[one] - state.begin[one]
    second = state.end[other] - state.begin[other]
    was = int(first > 0) + int(second > 0)
    becomes = int(first + part - size > 0) + int(second + size - part > 0)
    return cost_of(instance, state.counts[USED]) - cost_of(instance, state.counts[USED] + becomes - was)


@jit
def cost_of(instance, vehicles):
    """Return what so many vehicles cost, with the penalty of those too many."""
    return instance.vehicle_cost * vehicles + instance.penalty * max(vehicles - instance.vehicles, 0)


@jit
def is_possible(instance, state, sequence, one, size, other, part, is_within):
    """Return whether the routes have room, stay in time and are short enough when two parts are exchanged."""
    if is_within:
        time, here = time_after(instance, state, sequence, one - 1, other, other + part)
        time, here = walk_part(instance, sequence, one + size, other, time, here)
        time, here = walk_part(instance, sequence, one, one + size, time, here)
        return is_in_time(instance, state, sequence, other + part, time, here)
    if not has_room(instance, state, sequence, one, size, other, part):
        return False
    time, here = time_after(instance, state, sequence, one - 1, other, other + part)
    if not is_in_time(instance, state, sequence, one + size, time, here):
        return False
    time, here = time_after(instance, state, sequence, other - 1, one, one + size)
    return is_in_time(instance, state, sequence, other + part, time, here)


@jit
def has_room(instance, state, sequence, one, size, other, part):
    """Return whether two routes have room and are short enough when parts of them are exchanged."""
    more = load_of(instance, sequence, other, other + part) - load_of(instance, sequence, one, one + size)
    if state.loaded[state.end[one]] + more > instance.capacity:
        return False
    if state.loaded[state.end[other]] - more > instance.capacity:
        return False
    if instance.longest == np.inf:
        return True
    first = length_with(instance, state, sequence, one, size, other, part)
    return max(first, length_with(instance, state, sequence, other, part, one, size)) <= instance.longest


@jit
def length_with(instance, state, sequence, position, size, other, part):
    """Return how long a route is where another part takes the place of ``size`` customers from a position on."""
    end, after = state.end[position], position + size
    length, here = 0.0, 0
    if position > state.begin[position]:
        length, here = state.far[position - 1], sequence[position - 1]
    if part > 0:
        last = other + part - 1
        length += instance.distance[here, sequence[other]] + state.far[last] - state.far[other]
        here = sequence[last]
    return length + instance.distance[here, sequence[after]] + state.far[end] - state.far[after]


@jit
def time_after(instance, state, sequence, position, begin, end):
    """Return when service starts at the end of a part that follows a position, and where; never where it is late."""
    return walk_part(instance, sequence, begin, end, state.start[position + 1], place_at(sequence, position))


@jit
def walk_part(instance, sequence, begin, end, time, here):
    """Return when service starts at the end of a part, and where; the time is infinite where a window is missed."""
    for position in range(begin, end):
        place = sequence[position]
        time = start_of_service(instance, here, time, place)
        if time > instance.due[place]:
            return np.inf, here
        here = place
    return time, here


@jit
def is_in_time(instance, state, sequence, position, time, here):
    """Return whether a route can go on at a position, where service started ``here`` at ``time``."""
    place = sequence[position]
    return time + instance.service[here] + instance.distance[here, place] <= state.latest[position]


@jit
def load_of(instance, sequence, begin, end):
    """Return what the customers of a part ask for."""
    load = 0.0
    for position in range(begin, end):
        load += instance.demand[sequence[position]]
    return load


@jit
def save_vehicle(instance, state, sequence, steps):
    """Do without the shortest route, where others find room for its customers; return whether that saves costs.

    Those without a route wait in ``sequence`` behind the routes. One that fits nowhere takes the place of one or two
    others, of whom it was hardest to find a place for as few as can be; then customers move at random.

    Source: Y. Nagata and O. Braysy, *A powerful route minimization heuristic for the vehicle routing problem with time
    windows*, Operations Research Letters 37, 2009.
    """
    for position in range(steps):
        state.kept[position] = sequence[position]
    state.hard[:] = 1
    saved = cost_of(instance, state.counts[USED]) - cost_of(instance, state.counts[USED] - 1)
    cost = saved + length_of(instance, sequence, steps)
    begin = shortest_route(state, steps)
    end = state.end[begin]
    exchange(sequence, begin, end + 1 - begin, end + 1, steps - end - 1)
    routed, last = steps - 1 - (end - begin), steps - 1
    seed(state.stream, sequence, steps)
    is_sound = note(instance, state, sequence, routed)
    for _ in range(MOST_EJECTED):
        if routed == last or not is_sound:
            break
        position = cheapest(instance, state, sequence, sequence[last - 1], routed)
        if position >= 0:
            exchange(sequence, position, 0, last - 1, 1)
            routed += 1
            is_sound = note(instance, state, sequence, routed)
            continue
        state.hard[sequence[last - 1]] += 1
        routed = eject(instance, state, sequence, routed, last)
        is_sound = note(instance, state, sequence, routed)
        for _ in range(MOVED):
            move_at_random(instance, state, sequence, routed)
    is_saved = is_sound and routed == last and note(instance, state, sequence, steps)
    if is_saved and cost - length_of(instance, sequence, steps) > SHORTEST_GAIN:
        return True
    for position in range(steps):
        sequence[position] = state.kept[position]
    note(instance, state, sequence, steps)
    return False


@jit
def shortest_route(state, steps):
    """Return where the route with the fewest customers begins, of those that have any."""
    shortest, fewest, begin = 0, steps, 0
    while begin < steps:
        end = state.end[begin]
        if 0 < end - begin < fewest:
            shortest, fewest = begin, end - begin
        begin = end + 1
    return shortest


@jit
def length_of(instance, sequence, steps):
    """Return the length of all routes."""
    length, here = 0.0, 0
    for position in range(steps):
        length += instance.distance[here, sequence[position]]
        here = sequence[position]
    return length


@jit
def cheapest(instance, state, sequence, customer, end):
    """Return the position before ``end`` where a customer costs least, not in an empty route; -1 without one."""
    best, least = -1, np.inf
    for position in range(end):
        last = state.end[position]
        if state.begin[position] == last:
            continue
        if state.loaded[last] + instance.demand[customer] > instance.capacity:
            continue
        before, after = place_at(sequence, position - 1), sequence[position]
        longer = instance.distance[before, customer] + instance.distance[customer, after]
        longer -= instance.distance[before, after]
        if longer >= least or state.far[last] + longer > instance.longest:
            continue
        time = start_of_service(instance, before, state.start[position], customer)
        if time <= instance.due[customer] and is_in_time(instance, state, sequence, position, time, customer):
            best, least = position, longer
    return best


@jit
def eject(instance, state, sequence, routed, last):
    """Let the last customer that waits take the place of one or two others, which wait first; return where they do."""
    customer, least = sequence[last - 1], np.int64(MOST_EJECTED * MOST_EJECTED)
    best = one = other = -1
    for are_two in range(2):
        for first in range(routed):
            if sequence[first] == 0:
                continue
            end = state.end[first]
            for second in range(first + are_two, end if are_two else first + 1):
                hard = state.hard[sequence[first]] + are_two * state.hard[sequence[second]]
                if hard >= least:
                    continue
                position = place_without(instance, state, sequence, customer, first, second)
                if position >= 0:
                    best, one, other, least = position, first, second, hard
    if best < 0:
        return routed
    exchange(sequence, best, 0, last - 1, 1)
    one, other, size = one + (one >= best), other + (other >= best), 1 + (other > one)
    routed += 1
    if size == 2:
        exchange(sequence, other, 1, routed, 0)
        routed -= 1
    exchange(sequence, one, 1, routed, 0)
    return routed - 1


@jit
def place_without(instance, state, sequence, customer, one, other):
    """Return where a customer fits into the route of others, at two positions or one, without these; -1 if nowhere."""
    begin, end = state.begin[one], state.end[one]
    load = state.loaded[end] + instance.demand[customer] - instance.demand[sequence[one]]
    if other > one:
        load -= instance.demand[sequence[other]]
    if load > instance.capacity:
        return -1
    time, length, here = instance.ready[0], 0.0, 0
    for position in range(begin, end + 1):
        if position in (one, other):
            continue
        if start_of_service(instance, here, time, customer) > instance.due[customer]:
            return -1
        if fits_from(instance, sequence, customer, position, end, one, other, time, length, here):
            return position
        time = start_of_service(instance, here, time, sequence[position])
        length += instance.distance[here, sequence[position]]
        here = sequence[position]
        if time > instance.due[here]:
            return -1
    return -1


@jit
def fits_from(instance, sequence, customer, begin, end, one, other, time, length, here):
    """Return whether a route stays short and in time that goes on with a customer, from ``begin`` on without two."""
    time = start_of_service(instance, here, time, customer)
    length += instance.distance[here, customer]
    here = customer
    for position in range(begin, end + 1):
        if position in (one, other):
            continue
        time = start_of_service(instance, here, time, sequence[position])
        length += instance.distance[here, sequence[position]]
        here = sequence[position]
        if time > instance.due[here] or length > instance.longest:
            return False
    return True


@jit
def move_at_random(instance, state, sequence, routed):
    """Exchange two customers, or put one elsewhere, at random, where routes stay in time."""
    one, other = np.int64(uniform(state.stream) * routed), np.int64(uniform(state.stream) * routed)
    one, other = min(one, other), max(one, other)
    kind = np.int64(uniform(state.stream) * 3)
    size, part = int(kind != 1), int(kind != 2)
    if one == other or state.end[one] == state.end[other]:
        return
    if not (has_part(state, one, size) and has_part(state, other, part)):
        return
    if is_possible(instance, state, sequence, one, size, other, part, False):
        exchange(sequence, one, size, other, part)
        if not note(instance, state, sequence, routed):
            exchange(sequence, one, part, other + part - size, size)
            note(instance, state, sequence, routed)


@jit
def has_part(state, position, size):
    """Return whether a route, which has customers, has so many from a position on."""
    end = state.end[position]
    return state.begin[position] < end and position + size <= end
