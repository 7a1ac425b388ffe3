"""TSPTW of many cities as the search plays it: to a near city that is left, or to any where none of these is legal.

The rules are those of ``nrpa.problems.tsptw.kernels``; but late cities are never given up.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import jit
from nrpa.problems.tsptw.improving import DURATION, minimized_of
from nrpa.problems.tsptw.kernels import ALL, CITY, COST, LEAVES, LEFT, LOOKAHEAD, MISSED, TIME
from nrpa.problems.tsptw.local_search import IMPROVED, JUST, improve

VISITED, FOLLOWS = -1, 3


class Instance(NamedTuple):
    """An instance of n cities, city 0 the depot, of which each has k neighbours."""

    distance: np.ndarray  # float64[n, n], the cost of going from i to j
    shortest: np.ndarray  # float64[n, n], the least that is known, through other cities
    longest: np.ndarray  # float64[n], the greatest of these from each city
    ready: np.ndarray  # float64[n], when the windows open
    due: np.ndarray  # float64[n], until when service may start
    deadline: np.ndarray  # float64[n], the latest starts of service that the rule reckons with
    by_due: np.ndarray  # int64[n - 1], the cities without the depot by deadline
    neighbours: np.ndarray  # int64[n, k], the cities that may best come next; 0 where there are no more
    ways: np.ndarray  # float64[n, k], the costs of going there
    rule: int  # which moves are legal, ALL, SELECTIVE or LOOKAHEAD
    penalty: float  # what a missed window counts in Tcost
    minimized: int  # the rest of Tcost: TRAVEL, MAKESPAN or DURATION
    symmetric: bool  # whether a way back costs as much
    work: int  # the most steps of ``improve``
    heat: float  # how much longer its random changes may make a tour at first, in ways of mean cost


def reset(instance, state):
    """Stand at the depot when it opens."""
    state.figures[:] = 0.0
    state.figures[TIME], state.figures[LEAVES] = instance.ready[0], instance.due[0]
    state.counts[:] = 0
    state.counts[FOLLOWS] = state.search[IMPROVED] == JUST
    state.search[IMPROVED] = 0
    cities = instance.by_due.shape[0]
    state.counts[LEFT] = cities
    before = 0
    for k in range(cities):
        city = instance.by_due[k]
        state.after[before], state.before[city] = city, before
        before = city
    state.after[before], state.before[0] = 0, before


def legal_moves(instance, state, moves):
    """Write the neighbours of the city that may come next by the rule; where there are none, any cities.

    Of those, as many come as a city has neighbours: where service can start first. In the game after ``improve``, the
    next city of its tour comes, too.
    """
    if state.counts[LEFT] == 0:
        return 0
    count = write_by_rule(instance, state, moves)
    return add_next(instance, state, moves, count) if state.counts[FOLLOWS] else count


@jit
def add_next(instance, state, moves, count):
    """Write the next city of the improved tour, too, unless it is visited; return how many moves there are."""
    here = state.counts[CITY]
    city = state.tour[1 if here == 0 else state.place[here] + 1]
    for m in range(count):
        if moves.move[m] == city:
            return count
    if city == 0 or state.before[city] == VISITED:
        return count
    moves.move[count], moves.code[count] = city, instance.neighbours.size + city
    return count + 1


@jit
def write_by_rule(instance, state, moves):
    """Write the cities that may come next by the rule; return how many."""
    if instance.rule == ALL:
        return write_where(is_any, instance, state, moves)
    if instance.rule == LOOKAHEAD:
        count = write_where(is_harmless, instance, state, moves)
        if count == 0:
            count = write_where(is_urgent, instance, state, moves)
        return count if count > 0 else write_where(is_any, instance, state, moves)
    if is_any_late(instance, state):
        return write_where(is_late, instance, state, moves)
    count = write_where(starts_by_first_due, instance, state, moves)
    return count if count > 0 else write_where(is_late_directly, instance, state, moves)


@jit
def write_where(test, instance, state, moves):
    """Write the neighbours that are left for which ``test`` is true, or else any cities; return how many."""
    here, most = state.counts[CITY], instance.neighbours.shape[1]
    count = 0
    for k in range(most):
        city = instance.neighbours[here, k]
        if city != 0 and state.before[city] != VISITED and test(instance, state, city):
            moves.move[count], moves.code[count] = city, here * most + k
            count += 1
    if count > 0:
        return count
    city = state.after[0]
    while city != 0:
        if test(instance, state, city):
            count = write_in_order(instance, state, moves, count, city)
        city = state.after[city]
    for m in range(count):
        moves.code[m] = instance.neighbours.size + moves.move[m]
    return count


@jit
def write_in_order(instance, state, moves, count, city):
    """Write a city among those whose service starts earlier, of which the last is dropped where there are too many."""
    start, place = service_start(instance, state, city), count
    while place > 0 and start < service_start(instance, state, moves.move[place - 1]):
        place -= 1
    if place == instance.neighbours.shape[1]:
        return count
    count = min(count + 1, instance.neighbours.shape[1])
    for m in range(count - 1, place, -1):
        moves.move[m] = moves.move[m - 1]
    moves.move[place] = city
    return count


@jit
def service_start(instance, state, city):
    """Return when service can start in a city."""
    return max(arrival(instance, state, city), instance.ready[city])


@jit
def arrival(instance, state, city):
    """Return the time of arrival in a city on the direct way to it."""
    return state.figures[TIME] + instance.distance[state.counts[CITY], city]


@jit
def is_any(instance, state, city):
    """Return True."""
    return True


@jit
def is_late(instance, state, city):
    """Return whether a city is too late even on the shortest way to it."""
    return state.figures[TIME] + instance.shortest[state.counts[CITY], city] > instance.deadline[city]


@jit
def is_late_directly(instance, state, city):
    """Return whether a city is too late on the direct way to it."""
    return arrival(instance, state, city) > instance.deadline[city]


@jit
def is_any_late(instance, state):
    """Return whether any city is too late."""
    city, last = state.after[0], state.figures[TIME] + instance.longest[state.counts[CITY]]
    while city != 0 and instance.deadline[city] < last:
        if is_late(instance, state, city):
            return True
        city = state.after[city]
    return False


@jit
def starts_by_first_due(instance, state, city):
    """Return whether a city can be served by the earliest deadline."""
    return service_start(instance, state, city) <= instance.deadline[state.after[0]]


@jit
def is_harmless(instance, state, city):
    """Return whether a city, if it is not late already, and every other city after it can be served in time."""
    start = service_start(instance, state, city)
    if start > instance.deadline[city] and not is_late(instance, state, city):
        return False
    last = start + instance.longest[city]
    other = state.after[0]
    while other != 0 and instance.deadline[other] < last:
        is_missed = start + instance.shortest[city, other] > instance.deadline[other]
        if is_missed and other != city and not is_late(instance, state, other):
            return False
        other = state.after[other]
    return True


@jit
def is_urgent(instance, state, city):
    """Return whether a city is that with the earliest deadline among those that are not too late."""
    other = state.after[0]
    while other != 0 and is_late(instance, state, other):
        other = state.after[other]
    return city == other


def play(instance, state, move):
    """Travel to the city ``move``; wait until its window opens."""
    time = service_start(instance, state, move)
    state.figures[COST] += instance.distance[state.counts[CITY], move]
    state.figures[TIME] = time
    if instance.minimized == DURATION:
        state.figures[LEAVES] = min(state.figures[LEAVES], instance.due[move] - state.figures[COST])
    state.counts[MISSED] += time > instance.due[move]
    state.counts[LEFT] -= 1
    state.counts[CITY] = move
    before, after = state.before[move], state.after[move]
    state.after[before], state.before[after] = after, before
    state.before[move] = VISITED


@jit
def cost(instance, state):
    """Return what is minimised of the tour closed at the depot."""
    travel = state.figures[COST] + instance.distance[state.counts[CITY], 0]
    leaves, is_late = min(state.figures[LEAVES], instance.due[0] - travel), missed(instance, state) > 0
    home, opens = makespan(instance, state), instance.ready[0]
    return minimized_of(instance.minimized, travel, home, opens, leaves, is_late)


@jit
def makespan(instance, state):
    """Return when the tour is home."""
    return service_start(instance, state, 0)


@jit
def missed(instance, state):
    """Return how many windows the tour closed at the depot misses."""
    return state.counts[MISSED] + (makespan(instance, state) > instance.due[0])


def score(instance, state):
    """Return -Tcost of the tour closed at the depot."""
    return -(cost(instance, state) + instance.penalty * missed(instance, state))


def goal(instance, state, place):
    """Return minus the cost, or minus the number of windows missed."""
    return -cost(instance, state) if place == 0 else -float(missed(instance, state))


@kernels(reset, legal_moves, play, score, goal, improve)
class State(NamedTuple):
    """A partial tour, and the work areas of ``improve``, which are about the places 0 to n of a tour."""

    # [3], time and travel cost so far, and for DURATION until when to leave the depot, so that no city is late
    figures: NDArray[np.float64]
    counts: NDArray[np.int64]  # [4], the city, cities left, windows missed, whether the game is that after ``improve``
    # [n], which city is left after and before each one by deadline, a ring with the depot; VISITED before visited ones
    after: NDArray[np.int64]
    before: NDArray[np.int64]
    # [8], [n + 1, 5]: counters of the search, and what is known of each place (``nrpa.problems.tsptw.local_search``)
    search: NDArray[np.int64]
    stops: NDArray[np.float64]
    tour: NDArray[np.int64]  # [n + 1], the tour from depot to depot
    kept: NDArray[np.int64]  # [n + 1], the tour to go back to
    place: NDArray[np.int64]  # [n], where each city is
    closes: NDArray[np.float64]  # [n], when each window closes; infinite where it was missed at first
    queue: NDArray[np.int64]  # [n], the cities that wait to be looked at
    waits: NDArray[np.bool_]  # [n], whether each does
    length: NDArray[np.float64]  # [2], by how much the tour is longer than at first, and the heat
    random: NDArray[np.uint64]  # [2]
    # The dynamic program of ``nrpa.problems.tsptw.reordering``: labels, and the states of two layers.
    ways: NDArray[np.float64]  # [MOST_LABELS, 2], cost and time
    links: NDArray[np.int32]  # [MOST_LABELS, 2], the label before, the place of the last city
    reached: NDArray[np.int32]  # [2, STATES + 1], the states that there are; the last number is how many
    labels: NDArray[np.int32]  # [2, STATES, OF_A_STATE], those of each state
    labelled: NDArray[np.int32]  # [2, STATES], how many it has
