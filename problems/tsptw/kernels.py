"""TSPTW as the search plays it: from the depot, one city after the other, and home.

Tcost is the travel cost, or the makespan, or the duration, plus a penalty for each missed window; the score is -Tcost.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import jit, popcount, trailing_zeros
from nrpa.problems.tsptw.improving import BLOCK, DURATION, improve, minimized_of

HORIZON = 1e300

TIME, COST, LEAVES = 0, 1, 2
CITY, LEFT, MISSED, FIRST_DUE, GIVEN_UP = 0, 1, 2, 3, 4
ALL, SELECTIVE, LOOKAHEAD = 0, 1, 2
NOBODY = -1
ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))


class Instance(NamedTuple):
    """An instance of n cities, city 0 the depot.

    City j lies in block j // 64 at place j % 64, so that a block's cities make the bits of a word; the last block is
    filled up with cities that are never unvisited.
    """

    distance: np.ndarray  # float64[n, blocks, 64], the cost of going from i to j
    # float64[n, blocks, 64], the least cost of going from i to j, through other cities where that is less
    shortest: np.ndarray
    ready: np.ndarray  # float64[blocks, 64], when the windows open
    due: np.ndarray  # float64[blocks, 64], until when service may start
    # float64[blocks, 64], the latest starts of service that the rule reckons with: due, or what is left of it
    deadline: np.ndarray
    by_due: np.ndarray  # int64[n - 1], the cities without the depot by deadline
    # int64[n, n - 2], for LOOKAHEAD: the other cities by the latest time to leave a city for them; else empty
    other: np.ndarray
    latest: np.ndarray  # float64[n, n - 2], these times
    cities: int
    rule: int  # which moves are legal, ALL, SELECTIVE or LOOKAHEAD
    penalty: float  # what a missed window counts in Tcost
    minimized: int  # the rest of Tcost: TRAVEL, MAKESPAN or DURATION


def reset(instance, state):
    """Stand at the depot when it opens."""
    state.figures[:] = 0.0
    state.figures[TIME], state.figures[LEAVES] = instance.ready[0, 0], instance.due[0, 0]
    state.counts[:] = 0
    state.counts[LEFT] = instance.cities - 1
    for block in range(instance.due.shape[0]):
        for place in range(BLOCK):
            state.ready[block, place] = instance.ready[block, place]
            state.due[block, place] = instance.deadline[block, place]
    state.ready[0, 0] = np.inf
    state.due[0, 0] = np.inf
    if instance.rule == LOOKAHEAD:
        state.limit[:] = -np.inf
        state.tightest[:] = NOBODY
        state.rank[:] = 0
        for city in range(1, instance.cities):
            set_limit(instance, state, city)


def legal_moves(instance, state, moves):
    """Write the unvisited cities that may come next.

    The selective rule: the cities that are already too late, if any; else those whose visit makes no other unvisited
    city too late. As none is late yet, these are the cities whose service can start by the earliest due date. Too late
    means by the shortest way, which may lead through visited cities. So there may be no city to visit by that date;
    then the cities that are too late on the direct way come. The look-ahead rule: see ``write_looking_ahead``.
    """
    if state.counts[LEFT] == 0:
        return 0
    if instance.rule == ALL:
        return write_cities_where(starts_by, instance, state, moves, 0, HORIZON)
    if instance.rule == LOOKAHEAD:
        return write_looking_ahead(instance, state, moves)
    count = write_cities_where(is_late_by_any_way, instance, state, moves, 0, HORIZON)
    if count == 0:
        count = write_cities_where(starts_by, instance, state, moves, 0, earliest_due(instance, state))
    if count == 0:
        count = write_cities_where(is_late, instance, state, moves, 0, HORIZON)
    return count


@jit
def earliest_due(instance, state):
    """Return the earliest deadline of the unvisited cities that are not given up."""
    city = first_due(instance, state)
    return instance.deadline[city // BLOCK, city % BLOCK]


@jit
def first_due(instance, state):
    """Return the city with the earliest deadline among the unvisited ones that are not given up."""
    position = state.counts[FIRST_DUE]
    while is_done_with(state, instance.by_due[position]):
        position += 1
    state.counts[FIRST_DUE] = position
    return instance.by_due[position]


@jit
def is_done_with(state, city):
    """Return whether ``city`` has been visited or given up."""
    return state.due[city // BLOCK, city % BLOCK] == np.inf


@jit
def set_limit(instance, state, city):
    """Set the latest start of service in ``city`` after which each other city can be reached in time.

    The others that have been visited or given up are passed over, once and for all. Its own deadline counts as well,
    unless it is given up.
    """
    rank = state.rank[city]
    limit = state.due[city // BLOCK, city % BLOCK]
    tightest = NOBODY
    while rank < instance.other.shape[1] and is_done_with(state, instance.other[city, rank]):
        rank += 1
    if rank < instance.other.shape[1]:
        tightest = instance.other[city, rank]
        limit = min(limit, instance.latest[city, rank])
    state.rank[city] = rank
    state.limit[city // BLOCK, city % BLOCK] = limit
    state.tightest[city // BLOCK, city % BLOCK] = tightest


@jit
def be_done_with(instance, state, city):
    """Take ``city`` out of the look-ahead: no other city has to leave time for it any more."""
    state.due[city // BLOCK, city % BLOCK] = np.inf
    state.limit[city // BLOCK, city % BLOCK] = -np.inf
    state.tightest[city // BLOCK, city % BLOCK] = NOBODY
    for block in range(state.tightest.shape[0]):
        word = np.int64(0)
        for place in range(places_of(instance, block)):
            if state.tightest[block, place] == city:
                word |= np.int64(1) << np.int64(place)
        left = np.uint64(word)
        while left != np.uint64(0):
            set_limit(instance, state, block * BLOCK + trailing_zeros(left))
            left &= left - np.uint64(1)


@jit
def write_looking_ahead(instance, state, moves):
    """Write the legal moves of the look-ahead rule.

    They are the cities that can be reached in time, and after which each other unvisited city still can be. Where there
    is none, the cities that cannot be reached in time any more are given up; where there is none to give up, they are
    the cities whose service can start by the earliest deadline. A city that is given up may come as soon as it makes no
    other one late, so that a tour that serves it a little earlier, in time, is near. When all are given up, all come.
    """
    while state.counts[GIVEN_UP] < state.counts[LEFT]:
        count = write_cities_where(starts_in_limit, instance, state, moves, 0, HORIZON)
        if count == 0 and not give_up_late_cities(instance, state):
            count = write_cities_where(is_hopeful, instance, state, moves, 0, earliest_due(instance, state))
            if count == 0:
                give_up_city(instance, state, first_due(instance, state))
        if count > 0 and state.counts[GIVEN_UP] > 0:
            return write_cities_where(is_harmless, instance, state, moves, count, HORIZON)
        if count > 0:
            return count
    return write_cities_where(starts_by, instance, state, moves, 0, HORIZON)


@jit
def give_up_city(instance, state, city):
    """Let ``city`` be late: it comes where it makes no other one late."""
    state.counts[GIVEN_UP] += 1
    be_done_with(instance, state, city)
    set_limit(instance, state, city)


@jit
def give_up_late_cities(instance, state):
    """Give up the cities that cannot be reached in time any more; return whether there are any."""
    time = state.figures[TIME]
    here = state.counts[CITY]
    found = False
    for block in range(state.due.shape[0]):
        for place in range(BLOCK):
            if time + instance.shortest[here, block, place] > state.due[block, place]:
                give_up_city(instance, state, block * BLOCK + place)
                found = True
    return found


@jit
def starts_in_limit(instance, state, block, place, latest):
    """Return whether a city that is not given up can be served by its limit."""
    start = max(arrival(instance, state, block, place), state.ready[block, place])
    return (start <= state.limit[block, place]) & (state.due[block, place] < np.inf)


@jit
def is_harmless(instance, state, block, place, latest):
    """Return whether a city that is given up can be served by its limit without making another city late."""
    start = max(arrival(instance, state, block, place), state.ready[block, place])
    given_up = (state.due[block, place] == np.inf) & (state.ready[block, place] < np.inf)
    return given_up & (start <= state.limit[block, place])


@jit
def is_hopeful(instance, state, block, place, latest):
    """Return whether a city that is not given up can be served by ``latest``."""
    start = max(arrival(instance, state, block, place), state.ready[block, place])
    return (start <= latest) & (state.due[block, place] < np.inf)


@jit
def is_late_by_any_way(instance, state, block, place, latest):
    """Return whether an unvisited city is too late even on the shortest way to it."""
    return state.figures[TIME] + instance.shortest[state.counts[CITY], block, place] > state.due[block, place]


@jit
def is_late(instance, state, block, place, latest):
    """Return whether an unvisited city is too late on the direct way to it."""
    return arrival(instance, state, block, place) > state.due[block, place]


@jit
def starts_by(instance, state, block, place, latest):
    """Return whether an unvisited city can be served by ``latest``."""
    return (arrival(instance, state, block, place) <= latest) & (state.ready[block, place] <= latest)


@jit
def arrival(instance, state, block, place):
    """Return the time of arrival in a city on the direct way to it."""
    return state.figures[TIME] + instance.distance[state.counts[CITY], block, place]


@jit
def write_cities_where(test, instance, state, moves, count, latest):
    """Write the cities for which ``test`` is true; return the number of moves written so far."""
    for block in range(state.due.shape[0]):
        word = np.int64(0)
        for place in range(places_of(instance, block)):
            if test(instance, state, block, place, latest):
                word |= np.int64(1) << np.int64(place)
        count = write_cities(instance, state, moves, count, block, word)
    return count


@jit
def places_of(instance, block):
    """Return how many places of ``block`` are looked at: those of its cities, and on to a multiple of 16.

    A loop over so many compares vectors of them; one over a fixed number is unrolled, and lacks registers.
    """
    return np.uint64(min(BLOCK, instance.cities - block * BLOCK) + 15) & np.uint64(112)


@jit
def write_cities(instance, state, moves, count, block, word):
    """Write the cities of ``block`` whose bits are set; return the number of moves written so far.

    Four at a time, and the last one to three together, without a jump that depends on their number and that the
    processor cannot predict: where there are fewer than three, the last is written again in its own place.
    """
    left = np.uint64(word)
    code = state.counts[CITY] * instance.cities
    at = np.uint64(count)
    end = at + np.uint64(popcount(left))
    while at + THREE < end:
        for k in range(FOUR):
            write_lowest(moves, at + k, block, left, code)
            left &= left - ONE
        at += FOUR
    if at < end:
        last = end - ONE
        write_lowest(moves, at, block, left, code)
        left = without_lowest(left)
        write_lowest(moves, min(at + ONE, last), block, left, code)
        left = without_lowest(left)
        write_lowest(moves, min(at + TWO, last), block, left, code)
    return np.int64(end)


@jit
def write_lowest(moves, at, block, left, code):
    """Write the city of the lowest bit in ``left`` as move number ``at``; ``code`` is the code of city 0."""
    city = block * BLOCK + trailing_zeros(left)
    moves.move[at] = city
    moves.code[at] = code + city


@jit
def without_lowest(left):
    """Return ``left`` without its lowest bit, unless it has no other."""
    others = left & (left - ONE)
    return others if others != ZERO else left


def play(instance, state, move):
    """Travel to the city ``move``; wait until its window opens."""
    block = move // BLOCK
    place = move % BLOCK
    leg = instance.distance[state.counts[CITY], block, place]
    time = max(state.figures[TIME] + leg, instance.ready[block, place])
    state.figures[TIME] = time
    state.figures[COST] += leg
    if instance.minimized == DURATION:
        state.figures[LEAVES] = min(state.figures[LEAVES], instance.due[block, place] - state.figures[COST])
    state.counts[MISSED] += time > instance.due[block, place]
    state.counts[LEFT] -= 1
    state.counts[CITY] = move
    state.ready[block, place] = np.inf
    if instance.rule != LOOKAHEAD:
        state.due[block, place] = np.inf
    elif is_done_with(state, move):
        state.counts[GIVEN_UP] -= 1
        state.limit[block, place] = -np.inf
        state.tightest[block, place] = NOBODY
    else:
        be_done_with(instance, state, move)


@jit
def cost(instance, state):
    """Return what is minimised of the tour closed at the depot."""
    travel = state.figures[COST] + instance.distance[state.counts[CITY], 0, 0]
    leaves, is_late = min(state.figures[LEAVES], instance.due[0, 0] - travel), missed(instance, state) > 0
    home, opens = makespan(instance, state), instance.ready[0, 0]
    return minimized_of(instance.minimized, travel, home, opens, leaves, is_late)


@jit
def makespan(instance, state):
    """Return when the tour is home."""
    return max(state.figures[TIME] + instance.distance[state.counts[CITY], 0, 0], instance.ready[0, 0])


@jit
def missed(instance, state):
    """Return how many windows the tour closed at the depot misses."""
    return state.counts[MISSED] + (makespan(instance, state) > instance.due[0, 0])


def score(instance, state):
    """Return -Tcost of the tour closed at the depot."""
    return -(cost(instance, state) + instance.penalty * missed(instance, state))


def goal(instance, state, place):
    """Return minus the cost, or minus the number of windows missed."""
    return -cost(instance, state) if place == 0 else -float(missed(instance, state))


@kernels(reset, legal_moves, play, score, goal, improve)
class State(NamedTuple):
    """A partial tour."""

    # [3], time and travel cost so far, and for DURATION until when to leave the depot, so that no city is late
    figures: NDArray[np.float64]
    # [6], the city, cities left, windows missed, where the unvisited begin in ``by_due``, how many are given up, and
    # the work left of ``improve``
    counts: NDArray[np.int64]
    # [blocks, 64], the windows of the unvisited cities, infinite for all else; due also for those given up
    ready: NDArray[np.float64]
    due: NDArray[np.float64]
    # [blocks, 64], for LOOKAHEAD: the latest start of service after which each other city that is not given up
    # can be reached in time; of those not given up, also their own deadline; -inf for visited cities; empty for the
    # other rules, like the next two
    limit: NDArray[np.float64]
    # [blocks, 64], which other city it is that sets the limit or would be the first to do so, or NOBODY
    tightest: NDArray[np.int64]
    rank: NDArray[np.int64]  # [n], the place of that city in ``other``
    # Work areas of ``improve``: of the 0th stop, the depot, to the n-th, to be home again.
    start: NDArray[np.float64]  # [n + 1], when service starts
    missed: NDArray[np.int64]  # [n + 1], how many windows are missed up to it
