"""Vehicle routing with time windows as the search plays it: one vehicle after the other, customer by customer.

A move is the next place, 0 for the depot; its code is from · n + to.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.engine.status import TOO_MANY_STEPS
from nrpa.machine.jit import jit
from nrpa.problems.exchanges import seed
from nrpa.problems.routing.improving import SHORTEST_GAIN, improve_routes
from nrpa.problems.routing.routes import Routes, build, cost
from nrpa.problems.routing.rules import NEIGHBOURS, Rules

FIRST_LISTED = 100
MOST_SLACK = 240.0
HERE, LEFT, VEHICLES, FAULTS = 0, 1, 2, 3
TIME, LOAD, DISTANCE, LENGTH = 0, 1, 2, 3


class Instance(NamedTuple):
    """An instance of n places, place 0 the depot."""

    rules: Rules
    free: bool  # whether a vehicle may go home while it can still serve somebody
    near: np.ndarray  # float64[n, n], e^β for the distance alone
    urgency: float  # the weight of slack in β, per unit of time
    waiting: float  # that of waiting
    home: np.ndarray  # float64[n], the least time from a place to the depot, through customers where that is less
    way: np.ndarray  # float64[n], the least distance from a place to the depot, likewise
    many: bool  # whether only those that may well be next are listed
    order: np.ndarray  # int64[n - 1], the customers, first those who may well be the first of a route


def reset(instance, state):
    """Stand at the depot with all customers to serve."""
    customers = state.left.shape[0]
    for k in range(customers):
        state.left[k] = k + 1
        state.place[k + 1] = k
    state.counts[:] = 0
    state.counts[LEFT] = customers
    state.figures[:] = 0.0
    state.figures[TIME] = instance.rules.ready[0]


def legal_moves(instance, state, moves):
    """Write the customers that the vehicle can serve and then be home in time and not too far, and the way home.

    Where there are many customers, those that may well be next, as far as there are any; all otherwise. Where only a
    way home through other customers is short enough, these may have been served before: then the vehicle is home late,
    or goes too far. Customers whom no vehicle can serve in time any more are served late.
    """
    count = keep_near(instance, state, moves, list_few(instance, state, moves)) if instance.many else 0
    if count == 0:
        count = keep_near(instance, state, moves, list_all(instance, state, moves))
    return end_list(instance, state, moves, count)


def all_moves(instance, state, moves):
    """Write all customers that the vehicle can serve, and the way home."""
    return end_list(instance, state, moves, keep_near(instance, state, moves, list_all(instance, state, moves)))


@jit
def list_all(instance, state, moves):
    """Write the customers that fit into the vehicle and can be served in time; return their number."""
    count = 0
    for k in range(state.counts[LEFT]):
        count = list_customer(instance, state, moves, state.left[k], count)
    return count


@jit
def list_few(instance, state, moves):
    """Write those that may well be next; of the first ones of a route, the first of their order."""
    here, count = state.counts[HERE], 0
    if here > 0:
        for k in range(min(NEIGHBOURS, instance.rules.followers.shape[1])):
            if is_left(state, instance.rules.followers[here, k]):
                count = list_customer(instance, state, moves, instance.rules.followers[here, k], count)
        return count
    for k in range(instance.order.shape[0]):
        if is_left(state, instance.order[k]):
            count = list_customer(instance, state, moves, instance.order[k], count)
            if count == FIRST_LISTED:
                break
    return count


@jit
def is_left(state, customer):
    """Return whether a customer is to serve."""
    return state.place[customer] < state.counts[LEFT] and state.left[state.place[customer]] == customer


@jit
def list_customer(instance, state, moves, customer, count):
    """Write a customer as number ``count`` where the vehicle can serve it; return the number after."""
    here = state.counts[HERE]
    arrival = state.figures[TIME] + instance.rules.service[here] + instance.rules.distance[here, customer]
    if not can_serve(instance, customer, arrival, state.figures[LOAD]):
        return count
    start = max(arrival, instance.rules.ready[customer])
    slack = instance.urgency * (instance.rules.due[customer] - start) + instance.waiting * (start - arrival)
    moves.move[count] = customer
    moves.code[count] = here * instance.rules.due.shape[0] + customer
    moves.exp_bias[count] = instance.near[here, customer] * np.exp(-min(slack, MOST_SLACK))
    return count + 1


@jit
def end_list(instance, state, moves, count):
    """Write the way home after ``count`` customers, if it is legal, or customers who are late; return the number."""
    here = state.counts[HERE]
    if here == 0:
        return count if count > 0 else write_late_customers(instance, state, moves)
    leaves = state.figures[TIME] + instance.rules.service[here]
    if count == 0 or (instance.free and can_go_home(instance, state, leaves)):
        moves.move[count] = 0
        moves.code[count] = here * instance.rules.due.shape[0]
        moves.exp_bias[count] = instance.near[here, 0]
        count += 1
    return count


@jit
def can_serve(instance, customer, arrival, load):
    """Return whether a customer fits into the vehicle, is reached in time and leaves time to go home."""
    fits = load + instance.rules.demand[customer] <= instance.rules.capacity
    done = max(arrival, instance.rules.ready[customer]) + instance.rules.service[customer]
    return fits and arrival <= instance.rules.due[customer] and done + instance.home[customer] <= instance.rules.due[0]


@jit
def keep_near(instance, state, moves, count):
    """Keep the customers from whom the vehicle can go home without going too far; return their number."""
    here, kept = state.counts[HERE], 0
    if instance.rules.longest == np.inf:
        return count
    for k in range(count):
        customer = moves.move[k]
        leg = instance.rules.distance[here, customer]
        if state.figures[LENGTH] + leg + instance.way[customer] <= instance.rules.longest:
            moves.move[kept], moves.code[kept] = customer, moves.code[k]
            moves.exp_bias[kept] = moves.exp_bias[k]
            kept += 1
    return kept


@jit
def can_go_home(instance, state, leaves):
    """Return whether the direct way home is short enough."""
    leg = instance.rules.distance[state.counts[HERE], 0]
    return leaves + leg <= instance.rules.due[0] and state.figures[LENGTH] + leg <= instance.rules.longest


@jit
def write_late_customers(instance, state, moves):
    """Write all customers that are left, by their distance from the depot; return their number."""
    for k in range(state.counts[LEFT]):
        moves.move[k] = moves.code[k] = state.left[k]
        moves.exp_bias[k] = instance.near[0, state.left[k]]
    return state.counts[LEFT]


def play(instance, state, move):
    """Go to a customer, or home, where the next vehicle stands ready."""
    here = state.counts[HERE]
    leg = instance.rules.distance[here, move]
    state.figures[DISTANCE] += leg
    state.figures[LENGTH] += leg
    state.counts[HERE] = move
    time = max(state.figures[TIME] + instance.rules.service[here] + leg, instance.rules.ready[move])
    state.counts[FAULTS] += time > instance.rules.due[move]
    if move == 0:
        state.counts[FAULTS] += state.figures[LENGTH] > instance.rules.longest
        state.figures[TIME] = instance.rules.ready[0]
        state.figures[LOAD] = 0.0
        state.figures[LENGTH] = 0.0
        return
    if here == 0:
        state.counts[VEHICLES] += 1
        state.counts[FAULTS] += state.counts[VEHICLES] > instance.rules.vehicles
    state.figures[TIME] = time
    state.figures[LOAD] += instance.rules.demand[move]
    state.counts[LEFT] -= 1
    last = state.left[state.counts[LEFT]]
    state.left[state.place[move]] = last
    state.place[last] = state.place[move]


def score(instance, state):
    """Return minus the cost, and minus a penalty for each window missed, route too long and vehicle too many."""
    cost = state.figures[DISTANCE] + instance.rules.vehicle_cost * state.counts[VEHICLES]
    return -(cost + instance.rules.penalty * state.counts[FAULTS])


def goal(instance, state, place):
    """Return minus the number of vehicles, or minus the distance and all penalties."""
    if place == 0:
        return -float(state.counts[VEHICLES])
    return -(state.figures[DISTANCE] + instance.rules.penalty * state.counts[FAULTS])


def improve(instance, state, sequence, steps):
    """Make routes better for as long as the allowance lasts, if vehicles are free to go home; return if they are."""
    rules, whole = instance.rules, sequence.shape[0]
    if whole < 2 * instance.order.shape[0]:
        return TOO_MANY_STEPS
    if not (instance.free and build(rules, state, sequence, steps)):
        return 0
    seed(state.stream, sequence, whole)
    before = cost(rules, state)
    improve_routes(rules, state, state.stop, steps < whole and sequence[steps] >= 0)
    if before - cost(rules, state) < SHORTEST_GAIN:
        return 0
    write_back(instance, state, sequence)
    return 1


@jit
def write_back(instance, state, sequence):
    """Write the routes as a sequence, in the order of their first customers; what follows the last route is -1."""
    places = instance.rules.due.shape[0]
    at = 0
    for k in range(instance.order.shape[0]):
        node = instance.order[k]
        if state.before[node] < places:
            continue
        while node < places:
            sequence[at] = node
            at += 1
            node = state.after[node]
        sequence[at] = 0
        at += 1
    sequence[at:] = -1


class Game(NamedTuple):
    """Where the vehicle is, and who is left."""

    left: NDArray[np.int64]  # [customers], those to serve first
    place: NDArray[np.int64]  # [n], where a customer stands in ``left``
    counts: NDArray[np.int64]  # [4], the place of the vehicle, customers left, vehicles, penalties
    figures: NDArray[np.float64]  # [4], when service began here, the load, all distances, that of the vehicle
    stop: NDArray[np.bool_]  # [1], set from outside where the search shall stop


# The game, and the work areas of ``improve``.
State = NamedTuple("State", [*Game.__annotations__.items(), *Routes.__annotations__.items()])  # type: ignore[misc]
kernels(reset, legal_moves, all_moves, play, score, goal, improve)(State)
