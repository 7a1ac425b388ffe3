"""TSPTW as the search plays it: from the depot, one city after the other, and home.

Tcost is the travel cost plus 10^6 for each missed window; the score is -Tcost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.intrinsics import trailing_zeros
from nrpa.engine.jit import jit
from nrpa.engine.kernels import kernels

MISSED_WINDOW = 1e6
BLOCK = 64
HORIZON = 1e300

TIME, COST = 0, 1
CITY, LEFT, MISSED, FIRST_DUE = 0, 1, 2, 3


class Instance(NamedTuple):
    """An instance of n cities, city 0 the depot.

    City j lies in block j // 64 at place j % 64, so that a block's cities make the bits of a word; the last block is
    filled up with cities that are never unvisited.

    distance: float64[n, blocks, 64], the cost of going from i to j.
    shortest: float64[n, blocks, 64], the least cost of going from i to j, through other cities where that is less.
    ready, due: float64[blocks, 64], the windows.
    by_due: int64[n - 1], the cities without the depot by due date.
    cities: n. selective: whether the selective rule restricts the legal moves.
    """

    distance: np.ndarray
    shortest: np.ndarray
    ready: np.ndarray
    due: np.ndarray
    by_due: np.ndarray
    cities: int
    selective: bool


def reset(instance, state):
    """Stand at the depot at time 0."""
    state.figures[TIME] = 0.0
    state.figures[COST] = 0.0
    state.counts[CITY] = 0
    state.counts[LEFT] = instance.cities - 1
    state.counts[MISSED] = 0
    state.counts[FIRST_DUE] = 0
    for block in range(instance.due.shape[0]):
        for place in range(BLOCK):
            state.ready[block, place] = instance.ready[block, place]
            state.due[block, place] = instance.due[block, place]
    state.ready[0, 0] = np.inf
    state.due[0, 0] = np.inf


def legal_moves(instance, state, moves):
    """Write the unvisited cities that may come next.

    The selective rule: the cities that are already too late, if any; else those whose visit makes no other
    unvisited city too late. As nobody is late yet, that is: service starts by the earliest due date of all.
    A city is too late when the shortest way to it is. Where that way leads through visited cities, there can be
    no city to visit by then: the cities that are too late on the direct way come instead.
    """
    if state.counts[LEFT] == 0:
        return 0
    if not instance.selective:
        return write_cities_by(instance, state, moves, HORIZON)
    count = write_late_cities(instance, state, moves, instance.shortest)
    if count == 0:
        count = write_cities_by(instance, state, moves, earliest_due(instance, state))
    if count == 0:
        count = write_late_cities(instance, state, moves, instance.distance)
    return count


@jit
def earliest_due(instance, state):
    """Return the earliest due date of the unvisited cities."""
    position = state.counts[FIRST_DUE]
    while is_visited(state, instance.by_due[position]):
        position += 1
    state.counts[FIRST_DUE] = position
    city = instance.by_due[position]
    return instance.due[city // BLOCK, city % BLOCK]


@jit
def is_visited(state, city):
    """Return whether ``city`` has been visited."""
    return state.due[city // BLOCK, city % BLOCK] == np.inf


@jit
def write_late_cities(instance, state, moves, distance):
    """Write the unvisited cities too late on ways of lengths ``distance``; return their number."""
    time = state.figures[TIME]
    city = state.counts[CITY]
    count = 0
    for block in range(state.due.shape[0]):
        word = np.int64(0)
        for place in range(BLOCK):
            if time + distance[city, block, place] > state.due[block, place]:
                word |= np.int64(1) << np.int64(place)
        count = write_cities(instance, state, moves, count, block, word)
    return count


@jit
def write_cities_by(instance, state, moves, latest):
    """Write the unvisited cities whose service can start by ``latest``; return their number."""
    time = state.figures[TIME]
    city = state.counts[CITY]
    count = 0
    for block in range(state.due.shape[0]):
        word = np.int64(0)
        for place in range(BLOCK):
            arrival = time + instance.distance[city, block, place]
            if (arrival <= latest) & (state.ready[block, place] <= latest):
                word |= np.int64(1) << np.int64(place)
        count = write_cities(instance, state, moves, count, block, word)
    return count


@jit
def write_cities(instance, state, moves, count, block, word):
    """Write the cities of ``block`` whose bits are set; return the number of moves written so far."""
    base = state.counts[CITY] * instance.cities
    left = np.uint64(word)
    while left != np.uint64(0):
        city = block * BLOCK + trailing_zeros(left)
        moves.move[count] = city
        moves.code[count] = base + city
        count += 1
        left &= left - np.uint64(1)
    return count


def play(instance, state, move):
    """Travel to the city ``move``; wait until its window opens."""
    block = move // BLOCK
    place = move % BLOCK
    leg = instance.distance[state.counts[CITY], block, place]
    time = max(state.figures[TIME] + leg, instance.ready[block, place])
    state.figures[TIME] = time
    state.figures[COST] += leg
    state.counts[MISSED] += time > instance.due[block, place]
    state.counts[LEFT] -= 1
    state.counts[CITY] = move
    state.ready[block, place] = np.inf
    state.due[block, place] = np.inf


def score(instance, state):
    """Return -Tcost of the tour closed at the depot."""
    leg = instance.distance[state.counts[CITY], 0, 0]
    late = max(state.figures[TIME] + leg, instance.ready[0, 0]) > instance.due[0, 0]
    return -(state.figures[COST] + leg + MISSED_WINDOW * (state.counts[MISSED] + late))


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """A partial tour.

    figures: float64[2], time and travel cost so far.
    counts: int64[4], the current city, cities left, windows missed, and where the unvisited begin in ``by_due``.
    ready, due: float64[blocks, 64], the windows of the unvisited cities, infinite for all else.
    """

    figures: np.ndarray
    counts: np.ndarray
    ready: np.ndarray
    due: np.ndarray


def new_state(blocks: int) -> State:
    """Return the arrays of a state of ``blocks`` blocks of cities."""
    return State(np.zeros(2), np.zeros(4, np.int64), np.zeros((blocks, BLOCK)), np.zeros((blocks, BLOCK)))
