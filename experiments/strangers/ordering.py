"""Linear ordering, compiled: a matrix of 50 × 50 numbers drawn from 0 to 100, as Reinelt and Martí draw their RandA1.

Martí and Reinelt, *The linear ordering problem*, 2011. The best sum is that of the annealing below with 10 seconds.
"""

from functools import partial
from typing import NamedTuple

import numba
import numpy as np
from annealing import annealed_in_place

import nrpa
from nrpa import kernels

BEST = {"50": 70735}


class Instance(NamedTuple):
    matrix: np.ndarray


def reset(instance, state):
    state.used[:] = False
    state.counts[:] = 0  # items placed, sum


def legal_moves(instance, state, moves):
    count, items = 0, len(state.used)
    for item in range(items):
        if not state.used[item]:
            moves.move[count] = item
            moves.code[count] = state.counts[0] * items + item
            count += 1
    return count


def play(instance, state, move):
    state.used[move] = True
    state.counts[0] += 1
    for other in range(len(state.used)):
        if not state.used[other]:
            state.counts[1] += instance.matrix[move, other]


def score(instance, state):
    return state.counts[1]


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    used: np.ndarray
    counts: np.ndarray


class Ordering(nrpa.CompiledProblem):
    """The order of rows and columns with the largest sum above the diagonal."""

    objective = nrpa.Objective("sum", sign=1)

    def __init__(self, items):
        matrix = np.random.default_rng(1).integers(0, 101, (items, items))
        super().__init__(Instance(matrix), max_steps=items, max_moves=items, codes=items**2)

    def new_state(self):
        return State(np.zeros(len(self.instance.matrix), bool), np.zeros(2, np.int64))

    def check(self, solution):
        if sorted(solution) != list(range(len(self.instance.matrix))):
            return nrpa.Verdict({}, ["expected each item once"])
        above = int(np.triu(self.instance.matrix[np.ix_(solution, solution)], 1).sum())
        return nrpa.Verdict({"sum": above}, score=above)


def function(problem, data):
    """The sum above the diagonal of an order."""
    matrix = data(problem.instance.matrix)

    def cost(order):
        total = 0
        for place, item in enumerate(order):
            for other in order[place + 1 :]:
                total += matrix[item][other]
        return total

    return nrpa.permutation, len(matrix), cost


@numba.njit(cache=True)
def anneal(matrix, order, temperature, tries):
    """Move random items to other places, and return the sum."""
    n = len(order)
    for _ in range(tries):
        i, j = np.random.randint(0, n), np.random.randint(0, n)
        item, step, gain = order[i], 1 if j > i else -1, 0
        for k in range(i + step, j + step, step):
            gain += step * (matrix[order[k], item] - matrix[item, order[k]])
        if i != j and (gain >= 0 or np.random.random() < np.exp(gain / temperature)):
            for k in range(i, j, step):
                order[k] = order[k + step]
            order[j] = item
    total = 0
    for i in range(n):
        for j in range(i + 1, n):
            total += matrix[order[i], order[j]]
    return total


def baseline(problem, seconds, seed):
    """Simulated annealing by insertions: the sum, and the items."""
    matrix = problem.instance.matrix
    order = np.random.default_rng(seed).permutation(len(matrix))
    return annealed_in_place(partial(anneal, matrix), order, seconds, seed, 300, 0.03, 1)
