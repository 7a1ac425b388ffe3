"""Snake in the box, compiled: the longest path in a hypercube without a chord.

Kinny, A new approach to the snake-in-the-box problem, ECAI 2012, solved it by nested Monte Carlo search. The longest
snakes have 7, 13, 26, 50 edges in 4, 5, 6, 7 dimensions.
"""

from typing import NamedTuple

import numpy as np

import nrpa
from nrpa import kernels


class Instance(NamedTuple):
    dimensions: int


def reset(instance, state):
    """The snake's head is at vertex 0, whose neighbours it may enter; nothing else is known to be near it."""
    for vertex in range(len(state.near)):
        state.near[vertex] = 0
    state.near[0] = 1
    state.head[0] = 0
    state.head[1] = 0


def legal_moves(instance, state, moves):
    """The dimensions along which the head may go: to vertices of which only the head is a neighbour.

    As all dimensions are alike, a new one may only be the lowest that has not been used.
    """
    count = 0
    for dimension in range(min(instance.dimensions, state.head[1] + 1)):
        target = state.head[0] ^ (1 << dimension)
        if state.near[target] == 0:
            moves.move[count] = dimension
            moves.code[count] = state.head[0] * instance.dimensions + dimension
            count += 1
    return count


def play(instance, state, move):
    """Go there; what was next to the old head is now out of bounds."""
    for dimension in range(instance.dimensions):
        state.near[state.head[0] ^ (1 << dimension)] += 1
    state.head[0] ^= 1 << move
    state.head[1] = max(state.head[1], move + 1)
    state.near[state.head[0]] += 1


def score(instance, state):
    """The number of edges: every step made `dimensions` vertices near, and one more for the head itself."""
    total = 0
    for vertex in range(len(state.near)):
        total += state.near[vertex]
    return (total - 1) / (instance.dimensions + 1)


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """near: int64[2^d], how often a vertex is out of bounds. head: int64[2], its vertex, dimensions used."""

    near: np.ndarray
    head: np.ndarray


class Snake(nrpa.CompiledProblem):
    """The longest induced path in the hypercube of so many dimensions."""

    objective = nrpa.Objective("edges", sign=1)

    def __init__(self, dimensions):
        corners = 2**dimensions
        super().__init__(Instance(dimensions), max_steps=corners, max_moves=dimensions, codes=corners * dimensions)
        self.origin = nrpa.Origin(f"{dimensions} dimensions")

    @classmethod
    def load(cls, name):
        """The instance is a number of dimensions."""
        if not name.isdecimal() or not 2 <= int(name) <= 10:
            raise nrpa.InputError(f"{name}: expected a number of dimensions from 2 to 10")
        return cls(int(name))

    def new_state(self):
        return State(np.zeros(2**self.instance.dimensions, np.int64), np.zeros(2, np.int64))

    def check(self, solution):
        """An induced path: two of its vertices are neighbours only if they follow each other."""
        path = [0]
        for dimension in solution:
            path.append(path[-1] ^ 1 << dimension)
        chords = [
            (a, b)
            for i, a in enumerate(path)
            for j, b in enumerate(path[i + 1 :], start=i + 1)
            if bin(a ^ b).count("1") <= 1 and j > i + 1
        ]
        faults = [f"vertices {a} and {b} are too near each other" for a, b in chords]
        return nrpa.Verdict({"edges": len(solution)}, faults, score=float(len(solution)))

    def draw(self, solution):
        return "".join(map(str, solution))
