"""Routes that ``improve`` changes: linked stops, so that one comes in or goes out in the time of its route.

A node is a place, or n + r, the depot of route r, which its stops lie between. Two times say for each node what
its neighbours may do: when service starts, and when it must at the latest.

References
----------
M. W. P. Savelsbergh, *The vehicle routing problem with time windows: minimizing route duration*, ORSA Journal on
Computing 4, 1992: the latest start of service, so that an insertion is checked where it is.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.machine.jit import by_type, jit
from nrpa.problems.routing import segments
from nrpa.problems.routing.rules import MANY, NEIGHBOURS, PlainRules

# What ``work`` counts: the allowance that is left; routes with stops, what the undo log holds, routes that have
# changed, requests without a route, and changes tried. How a change is drawn: the neighbours looked at, the most stops
# of a string, and the place near which it is, or NOWHERE.
ALLOWED, USED, LOGGED, CHANGED, ABSENT, CHANGES, NEAR, STRING, MIDDLE = 0, 1, 2, 3, 4, 5, 6, 7, 8
# What ``sums`` holds: the length of all routes, and the prizes of those who wait.
LENGTH, LOST = 0, 1
NOWHERE = -1
MOST_IN_STRING = 10

joined = jit(segments.joined)


class Routes(NamedTuple):
    """Routes, what is known of each node and of each route, and how the last change is undone."""

    after: NDArray[np.int64]  # [nodes], the node that follows
    before: NDArray[np.int64]  # [nodes], the one before
    kept: NDArray[np.int64]  # [nodes], ``after`` of the best routes
    route: NDArray[np.int64]  # [nodes], the route
    start: NDArray[np.float64]  # [nodes], when service starts
    latest: NDArray[np.float64]  # [nodes], when it must at the latest
    leg: NDArray[np.float64]  # [nodes], the distance from the node before
    part: NDArray[np.float64]  # [nodes, 7], where not plain: the load, the segments up to the node and from it on
    load: NDArray[np.float64]  # [2, routes], by kind
    long: NDArray[np.float64]  # [routes], the distance
    size: NDArray[np.int64]  # [routes], the stops
    sound: NDArray[np.int64]  # [routes], 1 where all rules are kept
    changed_at: NDArray[np.int64]  # [routes], by which change it was changed last
    changed: NDArray[np.int64]  # [routes], those that a change has changed
    waiting: NDArray[np.int64]  # [n], requests without a route
    order: NDArray[np.int64]  # [n], the same as they are inserted
    sort_key: NDArray[np.float64]  # [n], by what they are sorted
    hard: NDArray[np.int64]  # [n], how often no route was found for a request
    log_place: NDArray[np.int64]  # [nodes], what came in or went out
    log_before: NDArray[np.int64]  # [nodes], after which node it was; NOWHERE for what came in
    work: NDArray[np.int64]  # [9]
    sums: NDArray[np.float64]  # [2]
    stream: NDArray[np.uint64]  # [2], random numbers


def new_routes(places, routes, is_plain):
    """Return work areas for routes through places."""
    nodes = places + routes
    links = whole(nodes), whole(nodes), whole(nodes), whole(nodes)  # after, before, kept, route
    times = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes)  # start, latest, leg
    parts = np.zeros((0 if is_plain else nodes, 7)), np.zeros((2, routes)), np.zeros(routes)  # part, load, long
    changes = whole(routes), whole(routes), whole(routes), whole(routes)  # size, sound, changed_at, changed
    requests = whole(places), whole(places), np.zeros(places), whole(places)  # waiting, order, sort_key, hard
    log = whole(2 * places), whole(2 * places)  # log_place, log_before
    return Routes(*links, *times, *parts, *changes, *requests, *log, whole(9), np.zeros(2), np.zeros(2, np.uint64))


def whole(size):
    """Return whole numbers."""
    return np.zeros(size, np.int64)


@by_type(inline=True)
def is_plain(rules):
    """Return whether there is one depot, and no pickup, backhaul or duration; machine code knows it beforehand."""
    return False


@is_plain.case(PlainRules)
def _(rules):
    return True


@jit
def has_many(rules):
    """Return whether places are so many that what is near them is improved apart."""
    return is_plain(rules) and rules.due.shape[0] > MANY


@jit
def build(rules, routes, sequence, steps):
    """Make routes of a sequence of places, where a depot begins the next one; return whether they keep all rules."""
    places, node = rules.due.shape[0], rules.due.shape[0]
    for route in range(routes.size.shape[0]):
        depot = places + route
        routes.after[depot] = routes.before[depot] = depot
        routes.route[depot] = route
        routes.size[route] = 0
        routes.long[route] = 0.0
        routes.changed_at[route] = 0
    routes.work[:] = 0
    routes.work[NEAR], routes.work[STRING] = min(NEIGHBOURS, rules.neighbours.shape[1]), MOST_IN_STRING
    routes.work[MIDDLE] = NOWHERE
    routes.sums[:] = 0.0
    routes.hard[:] = 1
    routes.route[:places] = NOWHERE
    for position in range(steps):
        place = sequence[position]
        if place < rules.depots:
            node = next_route(rules, routes, place, node)
        elif node != NOWHERE:
            link(routes, place, routes.before[node])
    sound = True
    for route in range(routes.size.shape[0]):
        sound &= note(rules, routes, route)
    note_waiting(rules, routes)
    return sound


@by_type()
def next_route(rules, routes, depot, node):
    """Return the node of the route that begins at a depot in a sequence, after another one."""
    return empty_route(rules, routes, depot)


@jit
def empty_route(rules, routes, depot):
    """Return the node of a route of a depot that is empty; NOWHERE where none is."""
    for route in range(routes.size.shape[0]):
        node = rules.due.shape[0] + route
        if routes.size[route] == 0 and rules.place[node] == depot:
            return node
    return NOWHERE


@jit
def link(routes, place, before):
    """Let a place come right after a node."""
    after, route = routes.after[before], routes.route[before]
    routes.after[before] = routes.before[after] = place
    routes.before[place], routes.after[place] = before, after
    routes.route[place] = route
    routes.work[USED] += routes.size[route] == 0
    routes.size[route] += 1


@jit
def unlink(routes, place):
    """Take a place out of its route; return the node before."""
    before, after, route = routes.before[place], routes.after[place], routes.route[place]
    routes.after[before], routes.before[after] = after, before
    routes.route[place] = NOWHERE
    routes.size[route] -= 1
    routes.work[USED] -= routes.size[route] == 0
    return before


@jit
def place_of(rules, node):
    """Return the place of a node."""
    if is_plain(rules):
        return node if node < rules.due.shape[0] else 0
    return rules.place[node]


@jit
def start_of_service(rules, here, time, place):
    """Return when service starts in a place that is reached from another one, where it started at ``time``."""
    return max(time + rules.service[here] + rules.distance[here, place], rules.ready[place])


@by_type(inline=True)
def has_states(rules):
    """Return whether routes are noted and tried by states; machine code knows it beforehand."""
    return False


@by_type()
def note_states(rules, routes, route):
    """Note states and costs of a route; return whether it keeps all rules."""
    return False


@jit
def note(rules, routes, route):
    """Note times, load and length of a route; return whether it keeps all rules."""
    if has_states(rules):
        return note_states(rules, routes, route)
    places = rules.due.shape[0]
    depot = places + route
    home = place_of(rules, depot)
    time, load, length, here, sound = rules.ready[home], 0.0, 0.0, home, True
    routes.start[depot] = time
    node = routes.after[depot]
    while node < places:
        time = start_of_service(rules, here, time, node)
        sound &= time <= rules.due[node]
        routes.leg[node] = rules.distance[here, node]
        length += routes.leg[node]
        load += rules.demand[node]
        routes.start[node] = time
        here, node = node, routes.after[node]
    routes.leg[depot] = rules.distance[here, home]
    length += routes.leg[depot]
    sound &= start_of_service(rules, here, time, home) <= rules.due[home] and length <= rules.longest
    note_latest(rules, routes, depot, home)
    routes.sums[LENGTH] += length - routes.long[route]
    routes.load[0, route], routes.long[route] = load, length
    if not is_plain(rules):
        sound &= note_parts(rules, routes, route)
    routes.sound[route] = sound
    routes.work[ALLOWED] -= 2 * routes.size[route] + 2
    return sound


@jit
def note_latest(rules, routes, depot, home):
    """Note until when service must start at each node of a route, so that the rest of it stays in time."""
    latest = rules.due[home]
    routes.latest[depot] = latest
    after, node = depot, routes.before[depot]
    while node != depot:
        latest = min(rules.due[node], latest - rules.service[node] - routes.leg[after])
        routes.latest[node] = latest
        after, node = node, routes.before[node]


@jit
def stop(rules, place):
    """Return the segment of a place alone."""
    return rules.service[place], rules.ready[place], rules.due[place], False


@jit
def first_part(routes, node):
    """Return the segment of a route up to a node."""
    return routes.part[node, 1], routes.part[node, 2], routes.part[node, 3], False


@jit
def last_part(routes, node):
    """Return the segment from a node on."""
    return routes.part[node, 4], routes.part[node, 5], routes.part[node, 6], False


@jit
def note_parts(rules, routes, route):
    """Note loads by kind, the load after each node, and segments; return whether it is all right."""
    places = rules.due.shape[0]
    depot = places + route
    routes.load[0, route] = routes.load[1, route] = routes.part[depot, 0] = 0.0
    node, load, here = depot, 0.0, stop(rules, rules.place[depot])
    while True:
        routes.part[node, 1], routes.part[node, 2], routes.part[node, 3] = here[0], here[1], here[2]
        node = routes.after[node]
        here = joined(here, routes.leg[node], stop(rules, rules.place[node]))
        if node >= places:
            break
        load += rules.demand[node]
        routes.part[node, 0] = load
        if rules.kind[node] == 0:
            routes.load[0, route] = max(load, routes.load[0, route])
        else:
            routes.load[1, route] = load - routes.load[0, route]
    there = stop(rules, rules.place[depot])
    while True:
        routes.part[node, 4], routes.part[node, 5], routes.part[node, 6] = there[0], there[1], there[2]
        leg, node = routes.leg[node], routes.before[node]
        if node >= places:
            break
        there = joined(stop(rules, node), leg, there)
    most = max(routes.load[0, route], routes.load[1, route])
    return here[0] <= rules.duration and most <= rules.capacity


@jit
def note_waiting(rules, routes):
    """Note which requests are in no route."""
    out = 0
    for place in range(rules.depots, rules.due.shape[0]):
        if routes.route[place] == NOWHERE and rules.request[place] == place:
            routes.waiting[out] = place
            out += 1
    let_wait(rules, routes, routes.waiting, out)


@jit
def let_wait(rules, routes, requests, number):
    """Let so many requests wait until they have a route."""
    for k in range(number):
        routes.waiting[k] = requests[k]
    routes.work[ABSENT] = number
    routes.sums[LOST] = prizes(rules, routes.waiting, number)


@jit
def prizes(rules, requests, number):
    """Return what is lost without requests."""
    total = 0.0
    for k in range(number):
        if rules.prize[requests[k]] < np.inf:
            total += rules.prize[requests[k]]
    return total


@jit
def hardness(rules, routes, requests, number):
    """Return how often requests that must be served were left out, together."""
    total = 0
    for k in range(number):
        if rules.prize[requests[k]] == np.inf:
            total += routes.hard[requests[k]]
    return total


@jit
def is_whole(rules, routes):
    """Return whether all are served who must be."""
    return hardness(rules, routes, routes.waiting, routes.work[ABSENT]) == 0


@jit
def cost_of(rules, vehicles):
    """Return what so many vehicles cost, with the penalty of those too many."""
    return rules.vehicle_cost * vehicles + rules.penalty * max(vehicles - rules.vehicles, 0)


@jit
def cost(rules, routes):
    """Return the cost of all routes, and of those who wait."""
    return routes.sums[LENGTH] + cost_of(rules, routes.work[USED]) + routes.sums[LOST]


@jit
def keep(routes):
    """Keep the routes."""
    for node in range(routes.after.shape[0]):
        routes.kept[node] = routes.after[node]
    routes.work[ALLOWED] -= routes.after.shape[0] // 4


@jit
def bring_back(rules, routes):
    """Return to the routes that were kept."""
    places = rules.due.shape[0]
    routes.work[USED] = routes.work[LOGGED] = routes.work[CHANGED] = 0
    routes.route[:places] = NOWHERE
    for route in range(routes.size.shape[0]):
        node, routes.size[route] = places + route, 0
        while True:
            after = routes.kept[node]
            routes.after[node], routes.before[after], routes.route[node] = after, node, route
            node = after
            if node >= places:
                break
            routes.size[route] += 1
        routes.work[USED] += routes.size[route] > 0
        note(rules, routes, route)
    note_waiting(rules, routes)
