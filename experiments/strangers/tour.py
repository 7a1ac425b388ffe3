"""The travelling salesman, compiled: points drawn uniformly from a square, distances rounded as in TSPLIB.

The best length is proven: integer programming (HiGHS), subtours cut off as they appeared.
"""

from functools import partial
from typing import NamedTuple

import numba
import numpy as np
from annealing import annealed_in_place

import nrpa
from nrpa import kernels

BEST = {"60": 5943}


class Instance(NamedTuple):
    distances: np.ndarray


def reset(instance, state):
    state.visited[:] = False
    state.visited[0] = True
    state.counts[:] = 0  # the city, how many moves were made, the length


def legal_moves(instance, state, moves):
    count, cities = 0, len(state.visited)
    for city in range(cities):
        if not state.visited[city]:
            moves.move[count] = city
            moves.code[count] = state.counts[0] * cities + city
            count += 1
    return count


def play(instance, state, move):
    state.visited[move] = True
    state.counts[2] += instance.distances[state.counts[0], move]
    state.counts[1] += 1
    state.counts[0] = move


def score(instance, state):
    return -(state.counts[2] + instance.distances[state.counts[0], 0])


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    visited: np.ndarray
    counts: np.ndarray


class Tour(nrpa.CompiledProblem):
    """The shortest tour from city 0 through all others and back."""

    objective = nrpa.Objective("length", sign=-1)

    def __init__(self, cities):
        points = np.random.default_rng(1).uniform(0, 1000, (cities, 2))
        apart = points[:, None] - points
        distances = np.rint(np.hypot(apart[..., 0], apart[..., 1])).astype(np.int64)
        super().__init__(Instance(distances), max_steps=cities - 1, max_moves=cities, codes=cities**2)

    def new_state(self):
        return State(np.zeros(len(self.instance.distances), bool), np.zeros(3, np.int64))

    def check(self, solution):
        cities = len(self.instance.distances)
        if sorted(solution) != list(range(1, cities)):
            return nrpa.Verdict({}, ["expected each city but the first once"])
        length = sum(int(self.instance.distances[a, b]) for a, b in zip([0, *solution], [*solution, 0], strict=True))
        return nrpa.Verdict({"length": length}, score=-length)


def function(problem, data):
    """The length of a tour through cities 1, 2, …, which are 0, 1, … in the order."""
    distances = data(problem.instance.distances)

    def cost(order):
        here = length = 0
        for city in order:
            length += distances[here][city + 1]
            here = city + 1
        return length + distances[here][0]

    return nrpa.permutation, len(distances) - 1, cost


@numba.njit(cache=True)
def anneal(distances, tour, temperature, tries):
    """Reverse random parts of the tour, and return its length."""
    n = len(tour)
    for _ in range(tries):
        i, j = np.random.randint(0, n), np.random.randint(0, n)
        if i > j:
            i, j = j, i
        a, b, c, d = tour[i - 1], tour[i], tour[j], tour[(j + 1) % n]
        if a == c:
            continue
        longer = distances[a, c] + distances[b, d] - distances[a, b] - distances[c, d]
        if longer <= 0 or np.random.random() < np.exp(-longer / temperature):
            tour[i : j + 1] = tour[i : j + 1][::-1].copy()
    length = 0
    for i in range(n):
        length += distances[tour[i - 1], tour[i]]
    return length


def baseline(problem, seconds, seed):
    """Simulated annealing with 2-opt moves: the length, and the cities."""
    distances = problem.instance.distances
    tour = np.random.default_rng(seed).permutation(len(distances))
    length, best = annealed_in_place(partial(anneal, distances), tour, seconds, seed, 100, 0.005, -1)
    return length, np.roll(best, -best.index(0))[1:].tolist()
