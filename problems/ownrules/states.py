"""Routes by rules of the caller's own: a row of cells holds the state after each stop, and insertions play on from it.

What ruin and recreate ask of windows and loads elsewhere (``nrpa.problems.routing``) is asked of states here. A place
is tried as far as its additional cost stays below that of the best position so far, or until the state is the old one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.random import uniform
from nrpa.machine.callback import call_int64
from nrpa.machine.jit import as_float64, jit
from nrpa.problems.routing.insertion import BLINK, cheaper_by_states, drawn_kind, key_of
from nrpa.problems.routing.routes import (
    ALLOWED,
    LENGTH,
    NOWHERE,
    has_states,
    is_plain,
    next_route,
    note_states,
    place_of,
)
from nrpa.problems.routing.ruin import below
from nrpa.problems.routing.rules import Rules

# Rows of cells behind those of the nodes.
NOW, ONE, OTHER, ROWS = 0, 1, 2, 4
AT_RANDOM, VERSIONS = 4, 3


_OWN = {
    "visit": int,  # the address of the method
    "finish": int,
    "record": int,  # that of what both read
    "number": NDArray[np.int64],  # [n], by which the methods know customers
    "starts": NDArray[np.int64],  # [vehicles, cells], the state in which each leaves
    "next_kind": NDArray[np.int64],  # [vehicles], the first vehicle of the next kind
    "keys": NDArray[np.float64],  # [k, n], what customers may be sorted by
}
# Those of all routing, and what is asked of the caller's.
OwnRules = NamedTuple("OwnRules", [*Rules.__annotations__.items(), *_OWN.items()])  # type: ignore[misc]


@jit
def visit(rules, cells, row, customer, to):
    """Write the state after a visit to another row; return whether it is possible."""
    last = cells.shape[0] - 1
    cells[last, 0], cells[last, 1], cells[last, 2] = rules.number[customer], row - last, to - last
    found = call_int64(rules.visit, rules.record, cells[last].ctypes.data)
    if found < 0:
        raise ValueError
    return found > 0


@jit
def finish(rules, cells, row, to):
    """Write the state at the end of a route to another row; return whether it is possible."""
    last = cells.shape[0] - 1
    cells[last, 1], cells[last, 2] = row - last, to - last
    found = call_int64(rules.finish, rules.record, cells[last].ctypes.data)
    if found < 0:
        raise ValueError
    return found > 0


@jit
def cost_at(cells, row):
    """Return the cost of a state."""
    return as_float64(cells[row, cells.shape[1] - 1])


@is_plain.case(OwnRules)
@has_states.case(OwnRules)
def _(rules):
    return True


@drawn_kind.case(OwnRules)
def _(rules, routes):
    return max(below(routes, rules.keys.shape[0] + AT_RANDOM) - AT_RANDOM + 1, 0)


@key_of.case(OwnRules)
def _(rules, routes, request, kind):
    return uniform(routes.stream) if kind == 0 else rules.keys[kind - 1, request]


@jit
def copy_row(source, row, cells, to):
    """Copy a row of cells."""
    for k in range(cells.shape[1]):
        cells[to, k] = source[row, k]


@jit
def is_same(cells, row, other):
    """Return whether two rows hold the same."""
    same = True
    for k in range(cells.shape[1]):
        same &= cells[row, k] == cells[other, k]
    return same


@next_route.case(OwnRules)
def _(rules, routes, depot, node):
    """Return the next vehicle's; the first of the next kind where the one before stays."""
    route = node - rules.due.shape[0]
    return rules.due.shape[0] + (route + 1 if routes.size[route] > 0 else rules.next_kind[route])


@note_states.case(OwnRules)
def _(rules, routes, route):
    """Note states, their costs and the cost of a route; return whether it keeps all rules."""
    places = rules.due.shape[0]
    depot, cells = places + route, routes.cells
    routes.counts[VERSIONS] += 1
    last, sound, cost = depot, True, 0.0
    copy_row(rules.starts, route, cells, depot)
    node = routes.after[depot]
    while node < places and sound:
        if routes.follows[node] != routes.version[last]:
            sound = visit(rules, cells, last, node, node)
            routes.leg[node] = cost_at(cells, node)
            routes.counts[VERSIONS] += 1
            routes.version[node], routes.follows[node] = routes.counts[VERSIONS], routes.version[last] if sound else 0
        if sound:
            last, node = node, routes.after[node]
    if routes.size[route] > 0 and sound:
        end = routes.after.shape[0] + ONE
        sound = finish(rules, cells, last, end)
        if sound:
            cost = cost_at(cells, end)
    routes.sums[LENGTH] += cost - routes.long[route]
    routes.long[route] = cost
    routes.sound[route] = sound
    routes.work[ALLOWED] -= 2 * routes.size[route] + 2
    return sound


@cheaper_by_states.case(OwnRules)
def _(rules, routes, request, before, found):
    """Return the cost of a request after a node, and the node, if that is less than what was found."""
    here, there = place_of(rules, before), place_of(rules, routes.after[before])
    legs = rules.distance[here, request] + rules.distance[request, there] - rules.distance[here, there]
    if legs >= found[0] or routes.sound[routes.route[before]] == 0 or uniform(routes.stream) < BLINK:
        return found
    trial = 1 + request + rules.due.shape[0] * routes.counts[VERSIONS]
    if routes.tried[before] == trial:
        return found
    routes.tried[before] = trial
    more = cost_after(rules, routes, request, before, found[0])
    return (more, before, NOWHERE) if more < found[0] else found


@jit
def cost_after(rules, routes, request, before, limit):
    """Return what a request after a node adds to the cost of a route; infinity if it cannot, or from the limit on."""
    places, cells, node = rules.due.shape[0], routes.cells, routes.after[before]
    row, other = routes.after.shape[0] + ONE, routes.after.shape[0] + OTHER
    routes.work[ALLOWED] -= 1
    if not visit(rules, cells, before, request, row):
        return np.inf
    while node < places:
        routes.work[ALLOWED] -= 1
        if not visit(rules, cells, row, node, other) or cost_at(cells, other) - routes.leg[node] >= limit:
            return np.inf
        row, other = other, row
        if is_same(cells, row, node):
            return 0.0
        node = routes.after[node]
    return cost_at(cells, other) - routes.long[routes.route[before]] if finish(rules, cells, row, other) else np.inf
