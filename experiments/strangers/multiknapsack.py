"""The multidimensional knapsack, compiled: the first instance of mknapcb1 from OR-Library, 100 items, 5 capacities.

Chu and Beasley, *A genetic algorithm for the multidimensional knapsack problem*, 1998. The best value is
OR-Library's; integer programming (HiGHS) found it, too, with a bound of 24,383.
"""

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
from annealing import annealed_in_place

import nrpa
from nrpa import kernels

BEST = {"mknapcb1-1": 24381}


class Instance(NamedTuple):
    values: np.ndarray
    needs: np.ndarray  # of each item of each capacity
    capacity: np.ndarray


def reset(instance, state):
    for k in range(len(state.left)):
        state.left[k] = instance.capacity[k]
    state.counts[:] = 0  # items decided, value


def legal_moves(instance, state, moves):
    item = state.counts[0]
    if item == len(instance.values):
        return 0
    moves.move[0] = 0
    moves.code[0] = 2 * item
    for k in range(len(state.left)):
        if instance.needs[item, k] > state.left[k]:
            return 1
    moves.move[1] = 1
    moves.code[1] = 2 * item + 1
    return 2


def play(instance, state, move):
    item = state.counts[0]
    for k in range(len(state.left)):
        state.left[k] -= move * instance.needs[item, k]
    state.counts[1] += move * instance.values[item]
    state.counts[0] += 1


def score(instance, state):
    return state.counts[1]


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    left: np.ndarray
    counts: np.ndarray


class MultiKnapsack(nrpa.CompiledProblem):
    """Some of the items, which are worth most and exceed no capacity."""

    objective = nrpa.Objective("value", sign=1)

    def __init__(self, values, needs, capacity):
        super().__init__(Instance(values, needs, capacity), max_steps=len(values), max_moves=2, codes=2 * len(values))

    @classmethod
    def load(cls, name):
        words = (Path(__file__).parent / "instances" / f"{name}.txt").read_text().split()
        numbers = np.array(words, np.int64)
        return cls(numbers[5:105], numbers[105:].reshape(5, 100).T.copy(), numbers[:5])

    def new_state(self):
        return State(np.zeros(len(self.instance.capacity), np.int64), np.zeros(2, np.int64))

    def check(self, solution):
        if len(solution) != len(self.instance.values) or not set(solution) <= {0, 1}:
            return nrpa.Verdict({}, ["expected 0 or 1 for each item"])
        taken = np.array(solution, bool)
        over = (self.instance.needs[taken].sum(axis=0) > self.instance.capacity).any()
        value = int(self.instance.values[taken].sum())
        return nrpa.Verdict({"value": value}, ["a capacity is exceeded"] if over else [], score=value)


def function(problem, data):
    """The value of a subset; where it exceeds capacities, by how much, negative."""
    values, needs, capacity = map(data, problem.instance)

    def cost(taken):
        value, left = 0, capacity.copy()
        for item in range(len(values)):
            if taken[item]:
                value += values[item]
                for k in range(len(left)):
                    left[k] -= needs[item][k]
        over = 0
        for each in left:
            over += min(each, 0)
        return over if over < 0 else value

    return nrpa.subset, len(values), cost


@numba.njit(cache=True)
def anneal(values, needs, capacity, taken, temperature, tries):
    """Take random items, leave random ones until the rest fits, and fill up; return the value."""
    value = (values * taken).sum()
    for _ in range(tries):
        changed = taken.copy()
        changed[np.random.randint(0, len(taken))] ^= 1
        left = capacity - (needs.T * changed).sum(axis=1)
        while (left < 0).any():
            item = np.random.choice(np.flatnonzero(changed))
            changed[item] = 0
            left += needs[item]
        for item in np.random.permutation(len(taken)):
            if not changed[item] and (needs[item] <= left).all():
                changed[item] = 1
                left -= needs[item]
        gain = (values * changed).sum() - value
        if gain >= 0 or np.random.random() < np.exp(gain / temperature):
            taken[:] = changed
            value += gain
    return value


def baseline(problem, seconds, seed):
    """Simulated annealing, an item in and others out: the value, and 0 or 1 for each item."""
    taken = np.zeros(len(problem.instance.values), np.int64)
    return annealed_in_place(partial(anneal, *problem.instance), taken, seconds, seed, 200, 0.1, 1, tries=100)
