"""Routing by rules of the caller's own as the search plays it: one vehicle after the other, customer by customer.

A move is the next customer, or 0: home, where the next vehicle starts, or on to vehicles of another kind where this one
has not left. Its code is from · n + to. A method that fails stops the search.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.compiling.options import allocating
from nrpa.engine.kernels import kernels
from nrpa.engine.status import EXCEPTION
from nrpa.machine.jit import jit, made
from nrpa.problems.exchanges import seed
from nrpa.problems.ownrules.states import NOW, ONE, OTHER, VERSIONS, OwnRules, copy_row, cost_at, finish, visit
from nrpa.problems.routing.improving import SHORTEST_GAIN, improve_routes
from nrpa.problems.routing.routes import USED, Routes, build, cost, is_whole

NEARNESS, MOST_BIAS = 60.0, 240.0
HERE, LEFT, VEHICLE = 0, 1, 2
_TEXT = """
def guarded({parameters}):
    found = {otherwise}
    if not state.failed[0]:
        try:
            found = call({parameters})
        except Exception:
            state.failed[0], found = True, {otherwise}
    return found
"""


class Instance(NamedTuple):
    """Rules, and how much longer the longest leg is than none."""

    rules: OwnRules
    farthest: float


def _guarded(otherwise):
    """Let a kernel end the search where a method fails, by a decorator."""

    def enter(kernel):
        parameters = ", ".join(kernel.__code__.co_varnames[: kernel.__code__.co_argcount])
        names = {"call": jit(kernel), "np": np}
        guarded = allocating(made(_TEXT.format(parameters=parameters, otherwise=otherwise), "guarded", names))
        text = f"def {kernel.__name__}({parameters}):\n    return guarded({parameters})\n"
        return made(text, kernel.__name__, {"guarded": guarded})

    return enter


def reset(instance, state):
    """Stand at the depot with all customers to serve."""
    customers = state.left.shape[0]
    for k in range(customers):
        state.left[k] = k + 1
        state.place[k + 1] = k
    state.counts[:VERSIONS] = 0
    state.counts[LEFT] = customers
    state.total[0] = 0.0
    state.failed[0] = False
    copy_row(instance.rules.starts, 0, state.cells, state.after.shape[0] + NOW)


@_guarded(EXCEPTION)
def legal_moves(instance, state, moves):
    """Write the customers that can be visited so that the route can end then, and the way home."""
    rules, cells, vehicle = instance.rules, state.cells, state.counts[VEHICLE]
    row, n, here, count = state.after.shape[0], rules.due.shape[0], state.counts[HERE], 0
    if vehicle == rules.starts.shape[0]:
        return 0
    before = cost_at(cells, row + NOW)
    for k in range(state.counts[LEFT]):
        customer = state.left[k]
        if visit(rules, cells, row + NOW, customer, row + ONE) and finish(rules, cells, row + ONE, row + OTHER):
            more = cost_at(cells, row + ONE) - before
            moves.move[count], moves.code[count] = customer, here * n + customer
            moves.exp_bias[count] = bias(instance, more)
            count += 1
    is_other = rules.next_kind[vehicle] < rules.starts.shape[0]
    if here > 0 or (is_other and state.counts[LEFT] > 0):
        moves.move[count], moves.code[count] = 0, here * n
        moves.exp_bias[count] = bias(instance, instance.farthest)
        if here > 0 and finish(rules, cells, row + NOW, row + OTHER):
            moves.exp_bias[count] = bias(instance, cost_at(cells, row + OTHER) - before)
        count += 1
    return count


@jit
def bias(instance, more):
    """Return e^β of what a move costs."""
    return np.exp(-max(min(NEARNESS * more / instance.farthest, MOST_BIAS), -MOST_BIAS))


@_guarded("0")
def play(instance, state, move):
    """Go to a customer, or home, where the next vehicle stands ready."""
    rules, cells, now = instance.rules, state.cells, state.after.shape[0] + NOW
    if move > 0:
        visit(rules, cells, now, move, now)
        state.counts[HERE] = move
        state.counts[LEFT] -= 1
        last = state.left[state.counts[LEFT]]
        state.left[state.place[move]] = last
        state.place[last] = state.place[move]
        return 0
    if state.counts[HERE] > 0:
        finish(rules, cells, now, now)
        state.total[0] += cost_at(cells, now) + rules.vehicle_cost
        state.counts[VEHICLE] += 1
    else:
        state.counts[VEHICLE] = rules.next_kind[state.counts[VEHICLE]]
    state.counts[HERE] = 0
    if state.counts[VEHICLE] < rules.starts.shape[0]:
        copy_row(rules.starts, state.counts[VEHICLE], cells, now)
    return 0


def score(instance, state):
    """Return minus the cost, and minus a penalty for each customer who is not served."""
    if state.failed[0]:
        return np.nan
    return -(state.total[0] + instance.rules.penalty * state.counts[LEFT])


@_guarded(EXCEPTION)
def improve(instance, state, sequence, steps):
    """Make routes better for as long as the allowance lasts; return whether they are."""
    rules, whole = instance.rules, sequence.shape[0]
    if not build(rules, state, sequence, steps):
        return 0
    seed(state.stream, sequence, whole)
    before = cost(rules, state) if is_whole(rules, state) else np.inf
    improve_routes(rules, state, state.stop, steps < whole and sequence[steps] >= 0)
    if not is_whole(rules, state) or before - cost(rules, state) < SHORTEST_GAIN:
        return 0
    write_back(rules, state, sequence)
    return 1


@jit
def write_back(rules, routes, sequence):
    """Write the routes as moves, those of a kind of vehicles one after the other; what follows the last is -1."""
    places, at, route, written = rules.due.shape[0], 0, 0, 0
    while written < routes.work[USED]:
        end, free = rules.next_kind[route], rules.next_kind[route] - route
        for k in range(route, end):
            node = routes.after[places + k]
            if node >= places:
                continue
            while node < places:
                sequence[at] = node
                at += 1
                node = routes.after[node]
            sequence[at] = 0
            at += 1
            written += 1
            free -= 1
        if free > 0 and written < routes.work[USED]:
            sequence[at] = 0
            at += 1
        route = end
    sequence[at:] = -1


class Game(NamedTuple):
    """Who is left, which vehicle is where, and the states of routes."""

    left: NDArray[np.int64]  # [customers], those to serve first
    place: NDArray[np.int64]  # [n], where a customer stands in ``left``
    counts: NDArray[np.int64]  # [4], the place of the vehicle, customers left, the vehicle; the last version
    total: NDArray[np.float64]  # [1], the cost of all routes that have ended
    cells: NDArray[np.int64]  # [nodes + 4, width], states after nodes, now, and of trials; what is asked
    version: NDArray[np.int64]  # [nodes], a number of its own for each state after a node
    follows: NDArray[np.int64]  # [nodes], the version of the state that it was made of
    tried: NDArray[np.int64]  # [nodes], the customer that was tried last after a node, and the last version then
    failed: NDArray[np.bool_]  # [1], whether a method has failed
    stop: NDArray[np.bool_]  # [1], set from outside where the search shall stop


# The game, and the work areas of ``improve``.
State = NamedTuple("State", [*Game.__annotations__.items(), *Routes.__annotations__.items()])  # type: ignore[misc]
kernels(reset, legal_moves, play, score, improve)(State)
