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
WORD = 64

TIME, COST = 0, 1
CITY, LEFT, MISSED, FIRST_DUE = 0, 1, 2, 3


class Instance(NamedTuple):
    """The instance of n cities, city 0 the depot; ``width`` is n rounded up to a multiple of 8.

    distance: float64[n, width], the cost of going from i to j (0 beyond n).
    ready, due: float64[width], the windows (infinite beyond n).
    by_due: int64[n - 1], the cities without the depot by due date.
    cities: n. selective: whether the selective rule restricts the legal moves.
    """

    distance: np.ndarray
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
    for city in range(instance.due.shape[0]):
        state.ready[city] = instance.ready[city]
        state.due[city] = instance.due[city]
    state.ready[0] = np.inf
    state.due[0] = np.inf


def legal_moves(instance, state, moves):
    """Write the unvisited cities that may come next.

    The selective rule: the cities that are already too late, if any; else those whose visit makes no other
    unvisited city too late. As nobody is late yet, that is: service starts by the earliest due date of all.
    """
    if state.counts[LEFT] == 0:
        return 0
    count = 0
    latest = np.inf
    late = False
    if instance.selective:
        late = any_late(instance, state)
        if not late:
            latest = earliest_due(instance, state)
    for first in range(0, state.due.shape[0], WORD):
        if late:
            word = late_cities(instance, state, first)
        else:
            word = cities_by(instance, state, first, latest)
        count = write_cities(instance, state, moves, count, first, word)
    return count


@jit
def any_late(instance, state):
    """Return whether some unvisited city cannot be reached in time."""
    time = state.figures[TIME]
    city = state.counts[CITY]
    late = False
    for j in range(state.due.shape[0]):
        late |= time + instance.distance[city, j] > state.due[j]
    return late


@jit
def earliest_due(instance, state):
    """Return the earliest due date of the unvisited cities."""
    position = state.counts[FIRST_DUE]
    while state.due[instance.by_due[position]] == np.inf:
        position += 1
    state.counts[FIRST_DUE] = position
    return state.due[instance.by_due[position]]


@jit
def late_cities(instance, state, first):
    """Return a bit for each of the cities first to first + 63 that cannot be reached in time."""
    time = state.figures[TIME]
    city = state.counts[CITY]
    word = np.int64(0)
    for bit in range(min(WORD, state.due.shape[0] - first)):
        j = first + bit
        late = time + instance.distance[city, j] > state.due[j]
        word |= np.int64(late) << np.int64(bit)
    return word


@jit
def cities_by(instance, state, first, latest):
    """Return a bit for each of the cities first to first + 63 whose service can start by ``latest``."""
    time = state.figures[TIME]
    city = state.counts[CITY]
    word = np.int64(0)
    for bit in range(min(WORD, state.due.shape[0] - first)):
        j = first + bit
        early = (time + instance.distance[city, j] <= latest) & (state.ready[j] <= min(latest, 1e300))
        word |= np.int64(early) << np.int64(bit)
    return word


@jit
def write_cities(instance, state, moves, count, first, word):
    """Write the cities whose bits are set; return the number of moves written so far."""
    base = state.counts[CITY] * instance.cities
    left = np.uint64(word)
    while left != np.uint64(0):
        city = first + trailing_zeros(left)
        moves.move[count] = city
        moves.code[count] = base + city
        count += 1
        left &= left - np.uint64(1)
    return count


def play(instance, state, move):
    """Travel to the city ``move``; wait until its window opens."""
    leg = instance.distance[state.counts[CITY], move]
    time = max(state.figures[TIME] + leg, instance.ready[move])
    state.figures[TIME] = time
    state.figures[COST] += leg
    state.counts[MISSED] += time > instance.due[move]
    state.counts[LEFT] -= 1
    state.counts[CITY] = move
    state.ready[move] = np.inf
    state.due[move] = np.inf


def score(instance, state):
    """Return -Tcost of the tour closed at the depot."""
    leg = instance.distance[state.counts[CITY], 0]
    late = max(state.figures[TIME] + leg, instance.ready[0]) > instance.due[0]
    return -(state.figures[COST] + leg + MISSED_WINDOW * (state.counts[MISSED] + late))


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """A partial tour.

    figures: float64[2], time and travel cost so far.
    counts: int64[4], the current city, cities left, windows missed, and where the unvisited begin in ``by_due``.
    ready, due: float64[width], the windows of the unvisited cities, infinite for all else.
    """

    figures: np.ndarray
    counts: np.ndarray
    ready: np.ndarray
    due: np.ndarray


def new_state(width: int) -> State:
    """Return the arrays of a state of ``width`` padded cities."""
    return State(np.zeros(2), np.zeros(4, np.int64), np.zeros(width), np.zeros(width))
