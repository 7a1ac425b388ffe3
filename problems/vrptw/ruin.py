"""Ruin and recreate: customers near each other leave their routes, and come back where they cost least.

References
----------
J. Christiaens and G. Vanden Berghe, *Slack induction by string removals for vehicle routing problems*, Transportation
Science 54, 2020: strings of adjacent routes are removed, and customers inserted in several orders, with blinks.
"""

import numpy as np

from nrpa.engine.random import uniform
from nrpa.machine.jit import jit
from nrpa.problems.vrptw.routes import (
    ABSENT,
    ALLOWED,
    CHANGED,
    CHANGES,
    LOGGED,
    NOWHERE,
    USED,
    cost_of,
    link,
    note,
    place_of,
    start_of_service,
    unlink,
)

REMOVED, MOST_IN_STRING = 10, 10
SPLIT, LONGER, BLINK = 0.5, 0.01, 0.01
ORDERS = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6])


@jit
def below(state, number):
    """Return a random whole number from 0 to ``number`` - 1."""
    return np.int64(uniform(state.stream) * number)


@jit
def begin_change(state):
    """Begin a change that can be undone."""
    state.work[LOGGED] = state.work[CHANGED] = 0
    state.work[CHANGES] += 1


@jit
def touch(state, route):
    """Note that a route has changed."""
    if state.changed_at[route] != state.work[CHANGES]:
        state.changed_at[route] = state.work[CHANGES]
        state.changed[state.work[CHANGED]] = route
        state.work[CHANGED] += 1


@jit
def is_sound(state):
    """Return whether the routes that have changed keep all windows and are not too long."""
    sound = True
    for k in range(state.work[CHANGED]):
        sound &= state.sound[state.changed[k]] > 0
    return sound


@jit
def take_out(state, customer, out):
    """Let a customer wait as number ``out``; return the next number."""
    state.log_customer[state.work[LOGGED]] = customer
    state.log_before[state.work[LOGGED]] = unlink(state, customer)
    state.work[LOGGED] += 1
    state.waiting[out] = customer
    return out + 1


@jit
def undo(instance, state):
    """Take back all that has changed since ``begin_change``."""
    for k in range(state.work[LOGGED] - 1, -1, -1):
        customer = state.log_customer[k]
        if state.log_before[k] == NOWHERE:
            unlink(state, customer)
        else:
            link(state, customer, state.log_before[k])
    for k in range(state.work[CHANGED]):
        note(instance, state, state.changed[k])


@jit
def ruin(instance, state):
    """Remove strings of customers from routes near a random one; return how many customers wait."""
    out = state.work[ABSENT]
    customers = instance.due.shape[0] - 1
    longest = min(MOST_IN_STRING, max((customers - out) / max(state.work[USED], 1), 1.0))
    strings = 1 + below(state, max(4.0 * REMOVED / (1.0 + longest) - 1.0, 1.0))
    first = 1 + below(state, customers)
    for k in range(-1, instance.neighbours.shape[1]):
        customer = first if k < 0 else instance.neighbours[first, k]
        route = state.route[customer]
        if route == NOWHERE or state.changed_at[route] == state.work[CHANGES]:
            continue
        touch(state, route)
        out = remove_string(instance, state, customer, longest, out)
        note(instance, state, route)
        strings -= 1
        if strings == 0:
            break
    return out


@jit
def remove_string(instance, state, customer, longest, out):
    """Remove a string of a route that a customer is in, or two with a gap between; return how many wait."""
    size = state.size[state.route[customer]]
    number = 1 + below(state, min(np.float64(size), longest))
    gap = 0
    if number < size and uniform(state.stream) < SPLIT:
        gap = 1
        while number + gap < size and uniform(state.stream) < LONGER:
            gap += 1
    before, node = 0, state.before[customer]
    while node < instance.due.shape[0]:
        before, node = before + 1, state.before[node]
    earliest, last = max(0, before - number - gap + 1), min(before, size - number - gap)
    begin = earliest + below(state, last - earliest + 1)
    node = state.after[node]
    for _ in range(begin):
        node = state.after[node]
    gap_begin = below(state, number + 1) if gap > 0 else number
    for k in range(number + gap):
        after = state.after[node]
        if not gap_begin <= k < gap_begin + gap:
            out = take_out(state, node, out)
        node = after
    return out


@jit
def recreate(instance, state, out, most):
    """Put customers who wait where they cost least, in ``most`` routes or fewer; return how many wait, now first."""
    for k in range(out):
        state.order[k] = state.waiting[k]
    sort(instance, state, out)
    left = 0
    for k in range(out):
        customer = state.order[k]
        before = best_position(instance, state, customer, most)
        if before == NOWHERE:
            state.order[left] = customer
            left += 1
            continue
        route = state.route[before]
        touch(state, route)
        link(state, customer, before)
        state.log_customer[state.work[LOGGED]], state.log_before[state.work[LOGGED]] = customer, NOWHERE
        state.work[LOGGED] += 1
        note(instance, state, route)
    return left


@jit
def sort(instance, state, out):
    """Sort the customers in ``order`` at random, by demand, distance, or window."""
    kind = ORDERS[below(state, ORDERS.shape[0])]
    for k in range(out):
        customer = state.order[k]
        key = key_of(instance, state, customer, kind)
        at = k
        while at > 0 and state.sort_key[at - 1] > key:
            state.sort_key[at], state.order[at] = state.sort_key[at - 1], state.order[at - 1]
            at -= 1
        state.sort_key[at], state.order[at] = key, customer
        state.work[ALLOWED] -= k - at + 1


@jit
def key_of(instance, state, customer, kind):
    """Return by what a customer is sorted."""
    if kind == 0:
        return uniform(state.stream)
    if kind == 1:
        return -instance.demand[customer]
    if kind == 2:
        return -instance.distance[0, customer]
    if kind == 3:
        return instance.distance[0, customer]
    if kind == 4:
        return instance.due[customer] - instance.ready[customer]
    return instance.ready[customer] if kind == 5 else -instance.due[customer]


@jit
def best_position(instance, state, customer, most):
    """Return the node after which a customer costs least, among its neighbours or in a new one of ``most`` routes."""
    best, least = NOWHERE, np.inf
    state.work[ALLOWED] -= 2 * instance.neighbours.shape[1]
    for k in range(instance.neighbours.shape[1]):
        node = instance.neighbours[customer, k]
        if state.route[node] != NOWHERE:
            least, best = cheaper(instance, state, customer, node, least, best)
        node = instance.followers[customer, k]
        if state.route[node] != NOWHERE:
            least, best = cheaper(instance, state, customer, state.before[node], least, best)
    if state.work[USED] >= most:
        return best
    opened = cost_of(instance, state.work[USED] + 1) - cost_of(instance, state.work[USED])
    opened += instance.distance[0, customer] + instance.distance[customer, 0]
    if opened >= least:
        return best
    if best == NOWHERE and opened > 0.0:
        best = anywhere(instance, state, customer)
    return empty_route(instance, state) if best == NOWHERE or opened < least else best


@jit
def cheaper(instance, state, customer, before, least, best):
    """Return the cost of a customer after a node and the node, if that is possible and less; else what was least."""
    after, route = state.after[before], state.route[before]
    if state.load[route] + instance.demand[customer] > instance.capacity:
        return least, best
    here, there = place_of(instance, before), place_of(instance, after)
    leg = instance.distance[customer, there]
    longer = instance.distance[here, customer] + leg - state.leg[after]
    if longer >= least or state.long[route] + longer > instance.longest:
        return least, best
    time = start_of_service(instance, here, state.start[before], customer)
    if time > instance.due[customer] or time + instance.service[customer] + leg > state.latest[after]:
        return least, best
    if uniform(state.stream) < BLINK:
        return least, best
    return longer, before


@jit
def anywhere(instance, state, customer):
    """Return the node after which a customer costs least, of all in routes that have customers; NOWHERE without."""
    places = instance.due.shape[0]
    best, least = NOWHERE, np.inf
    for node in range(1, places):
        if state.route[node] != NOWHERE:
            least, best = cheaper(instance, state, customer, node, least, best)
            if state.before[node] >= places:
                least, best = cheaper(instance, state, customer, state.before[node], least, best)
    state.work[ALLOWED] -= places
    return best


@jit
def empty_route(instance, state):
    """Return the depot of a route without customers."""
    route = 0
    while state.size[route] > 0:
        route += 1
    state.work[ALLOWED] -= route
    return instance.due.shape[0] + route
