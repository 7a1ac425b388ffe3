"""The knapsack of knapsack.py, compiled: same moves in the same order, so the same scores for the same seed."""

from typing import NamedTuple

import numpy as np

import nrpa
from nrpa import kernels


class Instance(NamedTuple):
    weights: np.ndarray
    values: np.ndarray
    capacity: int


def reset(instance, state):
    """Nothing is decided."""
    state.sums[0] = 0  # items decided
    state.sums[1] = 0  # weight
    state.sums[2] = 0  # value


def legal_moves(instance, state, moves):
    """Leave the next item (0), or take it (1) if it fits."""
    item = state.sums[0]
    if item == len(instance.weights):
        return 0
    moves.move[0] = 0
    moves.code[0] = 2 * item
    if state.sums[1] + instance.weights[item] > instance.capacity:
        return 1
    moves.move[1] = 1
    moves.code[1] = 2 * item + 1
    return 2


def play(instance, state, move):
    """Leave or take the next item."""
    state.sums[1] += move * instance.weights[state.sums[0]]
    state.sums[2] += move * instance.values[state.sums[0]]
    state.sums[0] += 1


def score(instance, state):
    """The value of what was taken."""
    return state.sums[2]


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """sums: int64[3]."""

    sums: np.ndarray


class CompiledKnapsack(nrpa.CompiledProblem):
    """Items of a weight and a value, and a capacity that must not be exceeded."""

    objective = nrpa.Objective("value", sign=1)

    def __init__(self, weights, values, capacity):
        count = len(weights)
        instance = Instance(np.array(weights), np.array(values), capacity)
        super().__init__(instance, max_steps=count, max_moves=2, codes=2 * count)

    @classmethod
    def from_source(cls, source):
        """Read the capacity, then a weight and a value a line."""
        numbers = [int(word) for word in source.text.split()]
        return cls(numbers[1::2], numbers[2::2], numbers[0])

    def new_state(self):
        return State(np.zeros(3, np.int64))

    def check(self, solution):
        """Add up what was taken."""
        count = len(self.instance.weights)
        if not isinstance(solution, list) or len(solution) != count or not all(taken in (0, 1) for taken in solution):
            return nrpa.Verdict({}, [f"expected {count} times 0 or 1, for each item whether it is taken"])
        weight = sum(w for w, taken in zip(self.instance.weights.tolist(), solution, strict=True) if taken)
        value = sum(v for v, taken in zip(self.instance.values.tolist(), solution, strict=True) if taken)
        faults = [f"weight {weight} exceeds the capacity"] if weight > self.instance.capacity else []
        return nrpa.Verdict({"value": value}, faults, score=float(value))
