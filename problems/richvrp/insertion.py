"""Ruin and recreate for requests of one stop or two, in routes from several depots.

References
----------
J. Christiaens and G. Vanden Berghe, *Slack induction by string removals for vehicle routing problems*, Transportation
Science 54, 2020: strings of adjacent routes are removed, and requests come back in several orders, with blinks.
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np

from nrpa.machine.jit import jit
from nrpa.problems.richvrp import segments

REMOVED, MOST_IN_STRING, BLINK = 10, 10, 0.01
HOT, COLD, FOR_VEHICLES = 1.0, 0.01, 0.5
ALLOWED_EACH, MOST_ALLOWED = 200, 2_500_000
# What ``count`` holds: what is left of the allowance, the random number, waiting requests, routes changed.
ALLOWED, RANDOM, WAITING, CHANGED = 0, 1, 2, 3
LEAST_GAIN = 1e-6
FACTOR, MODULUS = 48271, 2**31 - 1


class Routes(NamedTuple):
    """Routes that change: a slot for each vehicle, whose stops lie between its depots."""

    stops: np.ndarray  # int64[slots, width]
    size: np.ndarray  # int64[slots], the stops without depots
    length: np.ndarray  # float64[slots]
    load: np.ndarray  # float64[slots, 2], of those delivered to, and of backhauls
    sound: np.ndarray  # bool[slots], in time
    route: np.ndarray  # int64[n], the slot of a place; -1 for none
    before: np.ndarray  # float64[n, 4], the part of the route up to a place: a segment, and the load
    after: np.ndarray  # float64[n, 3], the part from there on
    waiting: np.ndarray  # int64[n], requests in no route
    hard: np.ndarray  # int64[n], how often no route was found for a request
    changed: np.ndarray  # int64[slots], the slots that a change has changed
    old: np.ndarray  # int64[slots, width + 1], the sizes and stops that these had
    was: np.ndarray  # int64[n + 1], the requests that waited, their number first
    order: np.ndarray  # int64[n], those who wait as they are inserted, and by what they are sorted
    key: np.ndarray  # float64[n]
    kept: np.ndarray  # int64[slots, width + 1], the best routes, as ``old``
    count: np.ndarray  # int64[4]


class Rules(NamedTuple):
    """What ``RichVRP`` has under these names."""

    legs: np.ndarray
    service: np.ndarray
    ready: np.ndarray
    due: np.ndarray
    demand: np.ndarray
    partners: np.ndarray
    kinds: np.ndarray
    prizes: np.ndarray
    requests: np.ndarray
    homes: np.ndarray
    near: np.ndarray
    capacity: float
    duration: float
    vehicle_cost: float
    stops_each: float
    depots: int
    fewest: int


joined = jit(segments.joined)


@jit
def stop(rules, place):
    """Return the segment of a place alone."""
    return rules.service[place], rules.ready[place], rules.due[place], False


@jit
def first_part(rules, routes, place):
    """Return the segment up to a place."""
    if place < rules.depots:
        return stop(rules, place)
    return routes.before[place, 0], routes.before[place, 1], routes.before[place, 2], False


@jit
def last_part(rules, routes, place):
    """Return the segment from a place on."""
    if place < rules.depots:
        return stop(rules, place)
    return routes.after[place, 0], routes.after[place, 1], routes.after[place, 2], False


@jit
def is_short(rules, segment):
    """Return whether a route is in time and not too long."""
    return not segment[3] and segment[0] <= rules.duration


@jit
def below(rules, routes, number):
    """Return a random whole number from 0 to ``number`` - 1."""
    routes.count[RANDOM] = routes.count[RANDOM] * FACTOR % MODULUS
    return int(routes.count[RANDOM] / MODULUS * number)


@jit
def build(rules, routes, legs, number):
    """Make the routes of a game's first ``number`` legs, those that are not allowed left out.

    Random numbers depend on all legs.
    """
    n, count = len(rules.due), routes.count
    count[RANDOM] = 1
    for k in range(len(legs)):
        count[RANDOM] = (count[RANDOM] * FACTOR + legs[k, 0] * n + legs[k, 1]) % (MODULUS - 1) + 1
    count[ALLOWED] = min(ALLOWED_EACH * n**2, MOST_ALLOWED)
    for place in range(n):
        routes.route[place], routes.hard[place] = -1, 1
    slot = -1
    for k in range(number):
        start, end = legs[k]
        if start < rules.depots and end >= rules.depots:
            slot = free_slot(rules, routes, start)
        if slot >= 0 and end >= rules.depots:
            routes.size[slot] += 1
            routes.stops[slot, routes.size[slot]] = end
            routes.route[end] = slot
    for slot in range(len(rules.homes)):
        note(rules, routes, slot)
        if not routes.sound[slot] or max(routes.load[slot, 0], routes.load[slot, 1]) > rules.capacity:
            empty(rules, routes, slot)
    note_waiting(rules, routes)


@jit
def note_waiting(rules, routes):
    """Note which requests are in no route."""
    routes.count[WAITING] = 0
    for k in range(len(rules.requests)):
        if routes.route[rules.requests[k]] < 0:
            wait(routes, rules.requests[k])


@jit
def wait(routes, request):
    """Let a request wait."""
    routes.waiting[routes.count[WAITING]] = request
    routes.count[WAITING] += 1


@jit
def free_slot(rules, routes, depot):
    """Return a slot without stops; -1 if all vehicles of the depot are out."""
    for slot in range(len(rules.homes)):
        if rules.homes[slot] == depot and routes.size[slot] == 0:
            return slot
    return -1


@jit
def empty(rules, routes, slot):
    """Take all stops out of a route."""
    for k in range(1, routes.size[slot] + 1):
        routes.route[routes.stops[slot, k]] = -1
    routes.size[slot] = 0
    note(rules, routes, slot)


@jit
def write(parts, place, segment):
    """Write a segment to the row of a place."""
    parts[place, 0], parts[place, 1], parts[place, 2] = segment[0], segment[1], segment[2]


@jit
def note(rules, routes, slot):
    """Note segments, length and loads of a route that has changed."""
    home, size, stops = rules.homes[slot], routes.size[slot], routes.stops[slot]
    stops[0] = stops[size + 1] = home
    routes.load[slot, 0] = routes.load[slot, 1] = 0.0
    segment, load, length = stop(rules, home), 0.0, 0.0
    for k in range(1, size + 1):
        place = stops[k]
        leg = rules.legs[stops[k - 1], place]
        segment = joined(segment, leg, stop(rules, place))
        load += rules.demand[place]
        length += leg
        kind = rules.kinds[place]
        routes.load[slot, kind] = max(load, routes.load[slot, 0]) if kind == 0 else load - routes.load[slot, 0]
        write(routes.before, place, segment)
        routes.before[place, 3] = load
    back = rules.legs[stops[size], home]
    routes.sound[slot] = is_short(rules, joined(segment, back, stop(rules, home)))
    routes.length[slot] = length + back
    segment = stop(rules, home)
    for k in range(size, 0, -1):
        place = stops[k]
        segment = joined(stop(rules, place), rules.legs[place, stops[k + 1]], segment)
        write(routes.after, place, segment)
    routes.count[ALLOWED] -= 2 * size + 2


@jit
def cost(rules, routes):
    """Return the cost of the routes, and the prizes of those who wait."""
    cost = 0.0
    for slot in range(len(rules.homes)):
        if routes.size[slot] > 0:
            cost += routes.length[slot] + rules.vehicle_cost
    for k in range(routes.count[WAITING]):
        request = routes.waiting[k]
        if rules.prizes[request] < np.inf:
            cost += rules.prizes[request]
    routes.count[ALLOWED] -= len(rules.homes) // 4
    return cost


@jit
def used(rules, routes):
    """Return the number of routes with stops."""
    number = 0
    for slot in range(len(rules.homes)):
        number += routes.size[slot] > 0
    return number


@jit
def hardness(rules, routes, requests, begin, end):
    """Return how often requests that must be served were left out, together."""
    total = 0
    for k in range(begin, end):
        if rules.prizes[requests[k]] == np.inf:
            total += routes.hard[requests[k]]
    return total


# Changes that can be undone.


@jit
def keep_slot(rules, routes, saved, row, slot):
    """Copy a route to a row."""
    size = routes.size[slot]
    saved[row, 0] = size
    for k in range(1, size + 1):
        saved[row, k] = routes.stops[slot, k]


@jit
def bring_back(rules, routes, saved, row, slot):
    """Copy a route back from a row; ``route`` of those who leave it is -1 until another route has them."""
    for k in range(1, routes.size[slot] + 1):
        routes.route[routes.stops[slot, k]] = -1
    size = saved[row, 0]
    routes.size[slot] = size
    for k in range(1, size + 1):
        routes.stops[slot, k] = saved[row, k]


@jit
def claim(rules, routes, slot):
    """Note a route that was brought back, and whose its stops are."""
    for k in range(1, routes.size[slot] + 1):
        routes.route[routes.stops[slot, k]] = slot
    note(rules, routes, slot)


@jit
def begin(rules, routes):
    """Begin a change."""
    waiting = routes.count[WAITING]
    routes.was[0] = waiting
    for k in range(waiting):
        routes.was[k + 1] = routes.waiting[k]
    routes.count[CHANGED] = 0


@jit
def is_changed(rules, routes, slot):
    """Return whether the change has come to a route."""
    found = False
    for k in range(routes.count[CHANGED]):
        found |= routes.changed[k] == slot
    return found


@jit
def touch(rules, routes, slot):
    """Save a route before it changes."""
    if not is_changed(rules, routes, slot):
        keep_slot(rules, routes, routes.old, routes.count[CHANGED], slot)
        routes.changed[routes.count[CHANGED]] = slot
        routes.count[CHANGED] += 1


@jit
def undo(rules, routes):
    """Take a change back."""
    for k in range(routes.count[CHANGED]):
        bring_back(rules, routes, routes.old, k, routes.changed[k])
    for k in range(routes.count[CHANGED]):
        claim(rules, routes, routes.changed[k])
    waiting = routes.was[0]
    routes.count[WAITING] = waiting
    for k in range(waiting):
        routes.waiting[k] = routes.was[k + 1]


@jit
def keep(rules, routes):
    """Keep the routes as the best."""
    for slot in range(len(rules.homes)):
        keep_slot(rules, routes, routes.kept, slot, slot)
    routes.count[ALLOWED] -= len(rules.due)


@jit
def return_to_best(rules, routes):
    """Bring the best routes back."""
    for slot in range(len(rules.homes)):
        bring_back(rules, routes, routes.kept, slot, slot)
    for slot in range(len(rules.homes)):
        claim(rules, routes, slot)
    note_waiting(rules, routes)


# Ruin.


@jit
def take_out(rules, routes, slot, begin, end):
    """Let the requests of the stops ``begin`` to ``end`` - 1 of a route wait."""
    for k in range(begin, end):
        place = routes.stops[slot, k]
        request = place if rules.partners[place] == 0 or rules.demand[place] > 0 else rules.partners[place]
        if routes.route[request] < 0:
            continue
        routes.route[request] = -1
        if rules.partners[request] > 0:
            routes.route[rules.partners[request]] = -1
        wait(routes, request)
    left = 0
    for k in range(1, routes.size[slot] + 1):
        place = routes.stops[slot, k]
        if routes.route[place] >= 0:
            left += 1
            routes.stops[slot, left] = place
    routes.size[slot] = left
    note(rules, routes, slot)


@jit
def ruin(rules, routes):
    """Remove a string of stops from each of some routes near a random request."""
    first = rules.requests[below(rules, routes, len(rules.requests))]
    served = len(rules.requests) - routes.count[WAITING]
    longest = min(MOST_IN_STRING, max(rules.stops_each * served / max(used(rules, routes), 1), 1.0))
    strings = 1 + below(rules, routes, max(4.0 * REMOVED / (1.0 + longest) - 1.0, 1.0))
    for k in range(rules.near.shape[1]):
        place = rules.near[first, k]
        slot = routes.route[place]
        if slot < 0 or is_changed(rules, routes, slot):
            continue
        touch(rules, routes, slot)
        size, at = routes.size[slot], 1
        while routes.stops[slot, at] != place:
            at += 1
        number = 1 + below(rules, routes, min(size, longest))
        begin = max(at - below(rules, routes, number), 1)
        begin = max(min(begin, size + 1 - number), 1)
        take_out(rules, routes, slot, begin, begin + number)
        strings -= 1
        if strings == 0:
            break


@jit
def dissolve(rules, routes):
    """Let the requests of a route wait, of the one whose requests were left out least often."""
    best, least = 0, np.inf
    for slot in range(len(rules.homes)):
        if routes.size[slot] > 0:
            total = 0
            for k in range(1, routes.size[slot] + 1):
                total += routes.hard[routes.stops[slot, k]]
            if total < least:
                best, least = slot, total
    take_out(rules, routes, best, 1, routes.size[best] + 1)
    routes.count[ALLOWED] -= len(rules.due)


# Recreate.


@jit
def sort_waiting(rules, routes):
    """Write those who wait into ``order``, at random, or by demand, distance, or window; return their number."""
    kind, number = below(rules, routes, 8), routes.count[WAITING]
    for k in range(number):
        request, at = routes.waiting[k], k
        key = key_of(rules, routes, request, kind)
        while at > 0 and routes.key[at - 1] > key:
            routes.key[at], routes.order[at] = routes.key[at - 1], routes.order[at - 1]
            at -= 1
        routes.key[at], routes.order[at] = key, request
        routes.count[ALLOWED] -= k - at + 1
    return number


@jit
def key_of(rules, routes, request, kind):
    """Return by what a request is sorted."""
    if kind < 3:
        return float(below(rules, routes, MODULUS - 1))
    if kind < 5:
        return -rules.demand[request]
    if kind < 6:
        return -rules.legs[0, request]
    return rules.due[request] - rules.ready[request] if kind < 7 else rules.ready[request]


@jit
def recreate(rules, routes, may_open):
    """Put requests that wait where they cost least; those wait on that have no place, or whose prize is less."""
    number = sort_waiting(rules, routes)
    routes.count[WAITING] = 0
    for k in range(number):
        request = routes.order[k]
        slot, one, other = best_place(rules, routes, request, may_open)
        if slot < 0:
            wait(routes, request)
            continue
        touch(rules, routes, slot)
        insert(rules, routes, slot, other, rules.partners[request])
        insert(rules, routes, slot, one, request)
        note(rules, routes, slot)


@jit
def insert(rules, routes, slot, at, place):
    """Let a place come after the stop number ``at`` of a route; no place is 0."""
    if place > 0:
        for k in range(routes.size[slot], at, -1):
            routes.stops[slot, k + 1] = routes.stops[slot, k]
        routes.stops[slot, at + 1] = place
        routes.size[slot] += 1
        routes.route[place] = slot


@jit
def best_place(rules, routes, request, may_open):
    """Return the slot where a request costs least and after which of its stops, for the delivery, too; or -1."""
    best, least, opened = (-1, 0, 0), rules.prizes[request], -1
    for slot in range(len(rules.homes)):
        extra = 0.0
        if routes.size[slot] == 0:
            if not may_open or rules.homes[slot] == opened:
                continue
            opened, extra = rules.homes[slot], rules.vehicle_cost
        if rules.partners[request] > 0:
            found = best_pair(rules, routes, request, slot, least - extra)
        else:
            found = best_single(rules, routes, request, slot, least - extra)
        if found[0] + extra < least:
            least, best = found[0] + extra, (slot, found[1], found[2])
    return best


@jit
def best_single(rules, routes, place, slot, least):
    """Return what a place costs less than ``least`` in a route and after which stop; what was least, else."""
    best, stops = 0, routes.stops[slot]
    if routes.load[slot, rules.kinds[place]] + rules.demand[place] > rules.capacity:
        return least, best, 0
    alone = stop(rules, place)
    routes.count[ALLOWED] -= routes.size[slot] + 1
    for k in range(routes.size[slot] + 1):
        here, there = stops[k], stops[k + 1]
        longer = rules.legs[here, place] + rules.legs[place, there] - rules.legs[here, there]
        if longer >= least:
            continue
        segment = joined(first_part(rules, routes, here), rules.legs[here, place], alone)
        whole = joined(segment, rules.legs[place, there], last_part(rules, routes, there))
        if is_short(rules, whole) and below(rules, routes, 1.0 / BLINK) > 0:
            least, best = longer, k
    return least, best, 0


@jit
def best_pair(rules, routes, pickup, slot, least):
    """Return the same of a pickup and its delivery, and after which stop the delivery comes."""
    best, stops, size, delivery = (0, 0), routes.stops[slot], routes.size[slot], rules.partners[pickup]
    for one in range(size + 1):
        here = stops[one]
        load = (routes.before[here, 3] if one > 0 else 0.0) + rules.demand[pickup]
        segment = joined(first_part(rules, routes, here), rules.legs[here, pickup], stop(rules, pickup))
        if segment[3] or load > rules.capacity:
            continue
        longer, last = rules.legs[here, pickup], pickup
        for other in range(one, size + 1):
            routes.count[ALLOWED] -= 1
            there = stops[other + 1]
            before = rules.legs[stops[other], there]
            # What comes if the delivery is here; ``longer`` is the way so far, less that of before.
            cost = longer + rules.legs[last, delivery] + rules.legs[delivery, there] - before
            if cost < least:
                whole = joined(segment, rules.legs[last, delivery], stop(rules, delivery))
                whole = joined(whole, rules.legs[delivery, there], last_part(rules, routes, there))
                if is_short(rules, whole) and below(rules, routes, 1.0 / BLINK) > 0:
                    least, best = cost, (one, other)
            if other == size or routes.before[there, 3] + rules.demand[pickup] > rules.capacity:
                break
            longer += rules.legs[last, there] - before
            segment = joined(segment, rules.legs[last, there], stop(rules, there))
            if segment[3]:
                break
            last = there
    return least, best[0], best[1]


# The search.


@jit
def change(rules, routes, temperature, may_open):
    """Ruin and recreate once; undo it where that is too much worse at this temperature."""
    begin(rules, routes)
    was = cost(rules, routes)
    ruin(rules, routes)
    recreate(rules, routes, may_open)
    return accept(rules, routes, was, temperature)


@jit
def accept(rules, routes, was, temperature):
    """Let a change stay, or undo it; count who was left out."""
    waiting = routes.count[WAITING]
    worse = hardness(rules, routes, routes.waiting, 0, waiting)
    worse -= hardness(rules, routes, routes.was, 1, routes.was[0] + 1)
    for k in range(waiting):
        routes.hard[routes.waiting[k]] += 1
    is_sound = True
    for k in range(routes.count[CHANGED]):
        is_sound &= routes.sound[routes.changed[k]]
    limit = was - temperature * np.log(1.0 - below(rules, routes, MODULUS - 1) / MODULUS)
    if not (is_sound and (worse < 0 or (worse == 0 and cost(rules, routes) < limit))):
        undo(rules, routes)


@jit
def improve(rules, routes, legs, number, found):
    """Write better routes than those of the first ``number`` legs; return their legs' number, 0 for no better ones.

    First vehicles are saved, or all are served; then routes get shorter.
    """
    build(rules, routes, legs, number)
    begin(rules, routes)
    recreate(rules, routes, True)
    all_allowed, least, length = routes.count[ALLOWED], np.inf, 0.0
    for slot in range(len(rules.homes)):
        length += routes.length[slot]
    leg = length / (len(rules.due) + used(rules, routes))
    while routes.count[ALLOWED] > 0:
        waits = hardness(rules, routes, routes.waiting, 0, routes.count[WAITING]) > 0
        if not waits and cost(rules, routes) < least - LEAST_GAIN:
            least = cost(rules, routes)
            keep(rules, routes)
        saves = routes.count[ALLOWED] > (1.0 - FOR_VEHICLES) * all_allowed and least < np.inf
        if least < np.inf and waits and not saves:
            return_to_best(rules, routes)
            continue
        saves = saves and rules.vehicle_cost > 0.0 and used(rules, routes) + waits > rules.fewest
        if saves and not waits:
            begin(rules, routes)
            dissolve(rules, routes)
        spent = 1.0 - routes.count[ALLOWED] / all_allowed
        change(rules, routes, leg * HOT * (COLD / HOT) ** spent, not saves)
    if least == np.inf:
        return 0
    return_to_best(rules, routes)
    return write_legs(rules, routes, found)


@jit
def write_legs(rules, routes, found):
    """Write the legs of the routes, and the end where somebody waits; return their number."""
    number = 0
    for slot in range(len(rules.homes)):
        if routes.size[slot] > 0:
            for k in range(routes.size[slot] + 1):
                found[number, 0], found[number, 1] = routes.stops[slot, k], routes.stops[slot, k + 1]
                number += 1
    if routes.count[WAITING] > 0:
        found[number, 0] = found[number, 1] = 0
        number += 1
    return number
