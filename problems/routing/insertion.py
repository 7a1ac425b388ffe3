"""Recreate: requests come back, one after the other, where they cost least; a pickup and its delivery together.

References
----------
J. Christiaens and G. Vanden Berghe, *Slack induction by string removals for vehicle routing problems*, Transportation
Science 54, 2020: customers are inserted in several orders, with blinks.
"""

import numpy as np

from nrpa.engine.random import uniform
from nrpa.machine.jit import by_type, jit
from nrpa.problems.routing.routes import (
    ALLOWED,
    NEAR,
    NOWHERE,
    USED,
    cost_of,
    empty_route,
    first_part,
    has_states,
    is_plain,
    joined,
    last_part,
    note,
    place_of,
    start_of_service,
    stop,
)
from nrpa.problems.routing.ruin import below, bring, touch

BLINK = 0.01
ORDERS = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6])


@jit
def recreate(rules, routes, out, most):
    """Put requests that wait where they cost least, in ``most`` routes or fewer; return how many wait, now first."""
    for k in range(out):
        routes.order[k] = routes.waiting[k]
    sort(rules, routes, out)
    left = 0
    for k in range(out):
        request = routes.order[k]
        before, last = best_position(rules, routes, request, most)
        if before == NOWHERE:
            routes.order[left] = request
            left += 1
            continue
        route = routes.route[before]
        touch(routes, route)
        bring(routes, request, before)
        if not is_plain(rules) and rules.delivery[request] > 0:
            bring(routes, rules.delivery[request], last)
        note(rules, routes, route)
    return left


@jit
def sort(rules, routes, out):
    """Sort the requests in ``order`` at random, by demand, distance, or window."""
    kind = drawn_kind(rules, routes)
    for k in range(out):
        request = routes.order[k]
        key = key_of(rules, routes, request, kind)
        at = k
        while at > 0 and routes.sort_key[at - 1] > key:
            routes.sort_key[at], routes.order[at] = routes.sort_key[at - 1], routes.order[at - 1]
            at -= 1
        routes.sort_key[at], routes.order[at] = key, request
        routes.work[ALLOWED] -= k - at + 1


@by_type()
def drawn_kind(rules, routes):
    """Return by which kind of key requests are sorted, at random."""
    return ORDERS[below(routes, ORDERS.shape[0])]


@by_type()
def key_of(rules, routes, request, kind):
    """Return by what a request is sorted."""
    if kind == 0:
        return uniform(routes.stream)
    if kind == 1:
        return -rules.demand[request]
    if kind == 2:
        return -rules.distance[0, request]
    if kind == 3:
        return rules.distance[0, request]
    if kind == 4:
        return rules.due[request] - rules.ready[request]
    return rules.ready[request] if kind == 5 else -rules.due[request]


@jit
def best_position(rules, routes, request, most):
    """Return the node after which a request costs least, and the one before its delivery, if it has one; or NOWHERE.

    It is one beside the neighbours, or in a new one of ``most`` routes.
    """
    found = rules.prize[request], NOWHERE, NOWHERE
    routes.work[ALLOWED] -= 2 * routes.work[NEAR]
    for k in range(routes.work[NEAR]):
        node = rules.neighbours[request, k]
        if routes.route[node] != NOWHERE:
            found = cheaper(rules, routes, request, node, found)
        node = rules.followers[request, k]
        if routes.route[node] != NOWHERE:
            found = cheaper(rules, routes, request, routes.before[node], found)
    if routes.work[USED] >= most:
        return found[1], found[2]
    more = cost_of(rules, routes.work[USED] + 1) - cost_of(rules, routes.work[USED])
    least, new = found[0], NOWHERE
    for depot in range(rules.alone.shape[0]):
        if more + rules.alone[depot, request] < least:
            node = empty_route(rules, routes, depot)
            if node != NOWHERE:
                least, new = more + rules.alone[depot, request], node
    if new == NOWHERE:
        return found[1], found[2]
    if found[1] == NOWHERE and least > 0.0:
        anywhere(rules, routes, request, found)
    routes.work[ALLOWED] -= new - rules.due.shape[0]
    return new, request


@by_type()
def cheaper_by_states(rules, routes, request, before, found):
    """Return the same as ``cheaper`` where routes have states."""
    return found


@jit
def cheaper(rules, routes, request, before, found):
    """Return the cost of a request after a node, the node, and the one before the delivery, if that is less."""
    if has_states(rules):
        return cheaper_by_states(rules, routes, request, before, found)
    if not is_plain(rules) and rules.delivery[request] > 0:
        return cheaper_pair(rules, routes, request, before, found)
    after, route = routes.after[before], routes.route[before]
    kind = 0 if is_plain(rules) else rules.kind[request]
    if routes.load[kind, route] + rules.demand[request] > rules.capacity:
        return found
    here, there = place_of(rules, before), place_of(rules, after)
    leg = rules.distance[request, there]
    longer = rules.distance[here, request] + leg - routes.leg[after]
    if longer >= found[0] or routes.long[route] + longer > rules.longest:
        return found
    time = start_of_service(rules, here, routes.start[before], request)
    is_late = time > rules.due[request] or time + rules.service[request] + leg > routes.latest[after]
    if is_late or takes_too_long(rules, routes, request, before, after) or uniform(routes.stream) < BLINK:
        return found
    return longer, before, NOWHERE


@jit
def takes_too_long(rules, routes, place, before, after):
    """Return whether the duration of a route does not allow a place between two nodes."""
    if is_plain(rules):
        return False
    part = with_leg(rules, first_part(routes, before), place_of(rules, before), place)
    return joined(part, rules.distance[place, place_of(rules, after)], last_part(routes, after))[0] > rules.duration


@jit
def with_leg(rules, part, here, place):
    """Return a segment that ends here, with a place after it."""
    return joined(part, rules.distance[here, place], stop(rules, place))


@jit
def cheaper_pair(rules, routes, pickup, before, found):
    """Return the same of a pickup: the delivery is tried after all stops that come then, as long as these allow it."""
    delivery, route, last, node = rules.delivery[pickup], routes.route[before], pickup, routes.after[before]
    here, load = place_of(rules, before), routes.part[before, 0] + rules.demand[pickup]
    time = start_of_service(rules, here, routes.start[before], pickup)
    if load > rules.capacity or time > rules.due[pickup]:
        return found
    # How much longer the way to the last stop is than that of before, and its segment.
    longer, part = rules.distance[here, pickup], with_leg(rules, first_part(routes, before), here, pickup)
    while True:
        routes.work[ALLOWED] -= 1
        there = place_of(rules, node)
        leg = rules.distance[delivery, there]
        cost = longer + rules.distance[last, delivery] + leg - routes.leg[node]
        if cost < found[0] and routes.long[route] + cost <= rules.longest:
            begins = start_of_service(rules, last, time, delivery)
            is_late = begins > rules.due[delivery] or begins + rules.service[delivery] + leg > routes.latest[node]
            whole = joined(with_leg(rules, part, last, delivery), leg, last_part(routes, node))
            if not is_late and whole[0] <= rules.duration and uniform(routes.stream) >= BLINK:
                found = cost, before, last
        time = start_of_service(rules, last, time, there)
        is_full = routes.part[node, 0] + rules.demand[pickup] > rules.capacity
        if node >= rules.due.shape[0] or is_full or time > routes.latest[node]:
            return found
        longer += rules.distance[last, there] - routes.leg[node]
        part = with_leg(rules, part, last, there)
        last, node = node, routes.after[node]


@jit
def anywhere(rules, routes, request, found):
    """Return the same of all nodes in routes that have stops."""
    places = rules.due.shape[0]
    for node in range(rules.depots, places):
        if routes.route[node] != NOWHERE:
            found = cheaper(rules, routes, request, node, found)
            if routes.before[node] >= places:
                found = cheaper(rules, routes, request, routes.before[node], found)
    routes.work[ALLOWED] -= places
    return found
