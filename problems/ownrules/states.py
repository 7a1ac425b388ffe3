"""Routes by rules of the caller's own: a row of cells holds the state after each stop, and insertions play on from it.

What ruin and recreate ask of windows and loads elsewhere (``nrpa.problems.routing``) is asked of states here. A place is
tried as far as its additional cost stays below that of the best position so far, or until the state is the old one.
"""

from nrpa.engine.random import uniform
from nrpa.machine.jit import jit
from nrpa.problems.ownrules.compiled_rules import cost_at, finish, visit
from nrpa.problems.routing.insertion import BLINK, cheaper, drawn_kind, key_of
from nrpa.problems.routing.routes import ALLOWED, LENGTH, NOWHERE, is_plain, note
from nrpa.problems.routing.ruin import below

# Rows of cells behind those of the nodes.
NOW, ONE, OTHER, ROWS = 0, 1, 2, 3
AT_RANDOM = 4


def enter(record):
    """Let routes by a class of rules be noted, tried and sorted so."""
    own = (is_plain, _is_plain), (note, _note), (cheaper, _cheaper), (drawn_kind, _drawn_kind), (key_of, _key_of)
    for function, case in own:
        function.case(record)(case)


def _is_plain(rules):
    return True


def _drawn_kind(rules, routes):
    return max(below(routes, rules.keys.shape[0] + AT_RANDOM) - AT_RANDOM + 1, 0)


def _key_of(rules, routes, request, kind):
    return uniform(routes.stream) if kind == 0 else rules.keys[kind - 1, request]


@jit
def copy_row(source, row, cells, to):
    """Copy a row of cells."""
    for k in range(cells.shape[1]):
        cells[to, k] = source[row, k]


@jit
def is_same(cells, row, other):
    """Return whether two rows hold the same."""
    for k in range(cells.shape[1]):
        if cells[row, k] != cells[other, k]:
            return False
    return True


def _note(rules, routes, route):
    """Note states, their costs and the cost of a route; return whether it keeps all rules."""
    places = rules.due.shape[0]
    depot, cells = places + route, routes.cells
    last, sound, cost = depot, True, 0.0
    copy_row(rules.starts, route, cells, depot)
    node = routes.after[depot]
    while node < places and sound:
        sound = visit(rules, cells, last, node, node)
        if sound:
            routes.leg[node] = cost_at(rules, cells, node)
            last, node = node, routes.after[node]
    if routes.size[route] > 0 and sound:
        end = routes.after.shape[0] + ONE
        sound = finish(rules, cells, last, end)
        if sound:
            cost = cost_at(rules, cells, end)
    routes.sums[LENGTH] += cost - routes.long[route]
    routes.long[route] = cost
    routes.sound[route] = sound
    routes.work[ALLOWED] -= 2 * routes.size[route] + 2
    return sound


def _cheaper(rules, routes, request, before, found):
    """Return the cost of a request after a node, and the node, if that is less than what was found."""
    places, cells, route = rules.due.shape[0], routes.cells, routes.route[before]
    row, other, node = routes.after.shape[0] + ONE, routes.after.shape[0] + OTHER, routes.after[before]
    if routes.sound[route] == 0 or uniform(routes.stream) < BLINK:
        return found
    routes.work[ALLOWED] -= 1
    if not visit(rules, cells, before, request, row):
        return found
    while node < places:
        routes.work[ALLOWED] -= 1
        if not visit(rules, cells, row, node, other):
            return found
        row, other = other, row
        if cost_at(rules, cells, row) - routes.leg[node] >= found[0]:
            return found
        if is_same(cells, row, node):
            return min(found[0], 0.0), before, NOWHERE
        node = routes.after[node]
    if not finish(rules, cells, row, other):
        return found
    longer = cost_at(rules, cells, other) - routes.long[route]
    return found if longer >= found[0] else (longer, before, NOWHERE)
