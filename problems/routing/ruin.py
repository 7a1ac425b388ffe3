"""Changes that can be undone, and ruin: stops near each other leave their routes, or all of a route do.

References
----------
J. Christiaens and G. Vanden Berghe, *Slack induction by string removals for vehicle routing problems*, Transportation
Science 54, 2020: strings of adjacent routes are removed; fleets get smaller by how often customers were left out.
"""

import numpy as np

from nrpa.engine.random import uniform
from nrpa.machine.jit import jit
from nrpa.problems.routing.routes import (
    ABSENT,
    ALLOWED,
    CHANGED,
    CHANGES,
    LOGGED,
    MIDDLE,
    NEAR,
    NOWHERE,
    STRING,
    USED,
    is_plain,
    let_wait,
    link,
    note,
    unlink,
)

REMOVED = 10
SPLIT, LONGER = 0.5, 0.01
HOPS = 2


@jit
def below(routes, number):
    """Return a random whole number from 0 to ``number`` - 1."""
    return np.int64(uniform(routes.stream) * number)


@jit
def begin_change(routes):
    """Begin a change that can be undone."""
    routes.work[LOGGED] = routes.work[CHANGED] = 0
    routes.work[CHANGES] += 1


@jit
def touch(routes, route):
    """Note that a route has changed."""
    if routes.changed_at[route] != routes.work[CHANGES]:
        routes.changed_at[route] = routes.work[CHANGES]
        routes.changed[routes.work[CHANGED]] = route
        routes.work[CHANGED] += 1


@jit
def is_sound(routes):
    """Return whether the routes that have changed keep all rules."""
    sound = True
    for k in range(routes.work[CHANGED]):
        sound &= routes.sound[routes.changed[k]] > 0
    return sound


@jit
def log(routes, place, before):
    """Note for ``undo`` after which node a place was; NOWHERE if it came in."""
    routes.log_place[routes.work[LOGGED]], routes.log_before[routes.work[LOGGED]] = place, before
    routes.work[LOGGED] += 1


@jit
def bring(routes, place, before):
    """Let a place come right after a node, until that is undone."""
    link(routes, place, before)
    log(routes, place, NOWHERE)


@jit
def take_out(rules, routes, place, out):
    """Let the request of a place wait as number ``out``; return the next number."""
    request = rules.request[place]
    log(routes, request, unlink(routes, request))
    if not is_plain(rules) and rules.delivery[request] > 0:
        log(routes, rules.delivery[request], unlink(routes, rules.delivery[request]))
    routes.waiting[out] = request
    return out + 1


@jit
def undo(rules, routes):
    """Take back all that has changed since ``begin_change``."""
    for k in range(routes.work[LOGGED] - 1, -1, -1):
        place = routes.log_place[k]
        if routes.log_before[k] == NOWHERE:
            unlink(routes, place)
        else:
            link(routes, place, routes.log_before[k])
    for k in range(routes.work[CHANGED]):
        note(rules, routes, routes.changed[k])


@jit
def ruin(rules, routes):
    """Remove strings of stops from routes near a random one; return how many requests wait."""
    out = routes.work[ABSENT]
    customers = rules.due.shape[0] - rules.depots
    longest = min(routes.work[STRING], max((customers - out) / max(routes.work[USED], 1), 1.0))
    strings = 1 + below(routes, max(4.0 * max(longest, REMOVED) / (1.0 + longest) - 1.0, 1.0))
    first = drawn_place(rules, routes)
    for k in range(-1, routes.work[NEAR]):
        place = first if k < 0 else rules.neighbours[first, k]
        route = routes.route[place]
        if route == NOWHERE or routes.changed_at[route] == routes.work[CHANGES]:
            continue
        touch(routes, route)
        out = remove_string(rules, routes, place, longest, out)
        note(rules, routes, route)
        strings -= 1
        if strings == 0:
            break
    return out


@jit
def drawn_place(rules, routes):
    """Return a random place that is no depot: near the one in the middle, where there is one."""
    place = routes.work[MIDDLE]
    if place == NOWHERE:
        return rules.depots + below(routes, rules.due.shape[0] - rules.depots)
    for _ in range(HOPS):
        place = rules.neighbours[place, below(routes, routes.work[NEAR])]
    return place


@jit
def remove_string(rules, routes, place, longest, out):
    """Remove a string of a route that a place is in, or two with a gap between; return how many wait."""
    places, size = rules.due.shape[0], routes.size[routes.route[place]]
    number = 1 + below(routes, min(np.float64(size), longest))
    gap = 0
    if number < size and uniform(routes.stream) < SPLIT:
        gap = 1
        while number + gap < size and uniform(routes.stream) < LONGER:
            gap += 1
    before, node = 0, routes.before[place]
    while node < places:
        before, node = before + 1, routes.before[node]
    earliest, last = max(0, before - number - gap + 1), min(before, size - number - gap)
    begin = earliest + below(routes, last - earliest + 1)
    node = routes.after[node]
    for _ in range(begin):
        node = routes.after[node]
    gap_begin = below(routes, number + 1) if gap > 0 else number
    for k in range(number + gap):
        # A place that went with its pickup or delivery still says what came after it.
        after = routes.after[node]
        if not gap_begin <= k < gap_begin + gap and node < places and routes.route[node] != NOWHERE:
            out = take_out(rules, routes, node, out)
        node = after
    return out


@jit
def dissolve(rules, routes):
    """Let the requests of a route wait, of the route whose requests were left out least often."""
    places = rules.due.shape[0]
    best, least = 0, np.inf
    for route in range(routes.size.shape[0]):
        if routes.size[route] == 0:
            continue
        total, node = 0, routes.after[places + route]
        while node < places:
            total += routes.hard[node]
            node = routes.after[node]
        if total < least:
            best, least = route, total
    routes.work[ALLOWED] -= routes.after.shape[0]
    begin_change(routes)
    out = routes.work[ABSENT]
    while routes.size[best] > 0:
        out = take_out(rules, routes, routes.after[places + best], out)
    note(rules, routes, best)
    let_wait(rules, routes, routes.waiting, out)
