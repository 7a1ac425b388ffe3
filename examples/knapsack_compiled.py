"""A compiled problem of your own: a small knapsack, until your rules stand in its place.

Kernels are plain functions, in the part of Python that numba compiles. They change arrays and make no new ones; a
function that they call has the decorator nrpa.jit.
"""

from typing import NamedTuple

import numpy as np

import nrpa


class Instance(NamedTuple):
    """What the kernels know of the instance, and never change: arrays and numbers."""

    weights: np.ndarray
    values: np.ndarray
    capacity: int


def reset(instance, state):
    """Make the state the one in which a game begins, whatever was in it."""
    state.decided[0] = 0
    state.weight[0] = 0
    state.value[0] = 0


def legal_moves(instance, state, moves):
    """Write the moves and their codes, and return how many there are; 0 ends the game."""
    item = state.decided[0]
    if item == len(instance.weights):
        return 0
    # A move is a whole number: 0 leaves the item, 1 takes it. Its code, under which the search learns it, says which.
    moves.move[0] = 0
    moves.code[0] = 2 * item
    if state.weight[0] + instance.weights[item] > instance.capacity:
        return 1
    moves.move[1] = 1
    moves.code[1] = 2 * item + 1
    return 2


def play(instance, state, move):
    """Make a move: change the state."""
    item = state.decided[0]
    state.weight[0] += move * instance.weights[item]
    state.value[0] += move * instance.values[item]
    state.decided[0] += 1


def score(instance, state):
    """Return what the state after the last move is worth: more is better; something low where it is not allowed."""
    return state.value[0]


@nrpa.kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """Arrays alone; a number is an array of length 1."""

    decided: np.ndarray
    weight: np.ndarray
    value: np.ndarray


class CompiledKnapsack(nrpa.CompiledProblem):
    """Choose items of the largest value that together are not too heavy."""

    # The figure that you think in. For a cost, sign=-1 means that less is better; score then returns the negative cost.
    objective = nrpa.Objective("value", sign=1)

    def __init__(self, weights, values, capacity):
        count = len(weights)
        instance = Instance(np.array(weights), np.array(values), capacity)
        # The most moves of a game, the most legal moves of a state, and how many codes there are, from 0.
        super().__init__(instance, max_steps=count, max_moves=2, codes=2 * count)

    @classmethod
    def from_source(cls, source):
        """Read an instance: here the capacity, then a weight and a value a line. A problem of one instance has none."""
        numbers = [int(word) for word in source.text.split()]
        return cls(numbers[1::2], numbers[2::2], numbers[0])

    def new_state(self):
        """Return a state with arrays of its own; reset fills them."""
        return State(*(np.zeros(1, np.int64) for _ in State._fields))

    def check(self, solution):
        """Check a solution, the list of the moves, by code that shares nothing with the kernels."""
        weights, values, capacity = self.instance
        if (
            not isinstance(solution, list)
            or len(solution) != len(weights)
            or not all(move in (0, 1) for move in solution)
        ):
            return nrpa.Verdict({}, [f"expected {len(weights)} times 0 or 1, for each item whether it is taken"])
        taken = [item for item, move in enumerate(solution) if move == 1]
        weight, value = (int(sum(figures[item] for item in taken)) for figures in (weights, values))
        faults = [f"weight {weight} exceeds the capacity {capacity}"] if weight > capacity else []
        return nrpa.Verdict({"value": value}, faults, score=float(value))
