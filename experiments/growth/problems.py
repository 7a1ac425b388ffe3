"""Problems in Python that grow: an order by a cost function, many moves a step, many steps."""

from pathlib import Path

import numpy as np

import nrpa


def drawn_worth(*shape):
    return np.random.default_rng(shape).integers(0, 1000, shape)


def order(instance):
    """Return the problem to find a short way through points in a square."""
    size = int(Path(instance).read_text())
    places = np.random.default_rng(size).uniform(0, 1000, (size, 2))

    def length(order):
        return float(np.hypot(*np.diff(places[order], axis=0).T).sum())

    return nrpa.permutation(size, length, name="order")


class Wide(nrpa.Problem):
    """Twenty steps of n moves each: which of n things is worth most at a step; none may be taken twice."""

    objective = nrpa.Objective("worth", sign=1)
    steps = 20

    def __init__(self, size):
        self.worth = drawn_worth(self.steps, size)

    @classmethod
    def load(cls, instance, **_options):
        return cls(int(Path(instance).read_text()))

    def initial_state(self):
        return (), 0

    def legal_moves(self, state):
        taken, _ = state
        if len(taken) == self.steps:
            return []
        return [move for move in range(self.worth.shape[1]) if move not in taken]

    def play(self, state, move):
        taken, worth = state
        return (*taken, move), worth + int(self.worth[len(taken), move])

    def score(self, state):
        return state[1]


class Long(nrpa.Problem):
    """So many steps of three moves each; a move pays less where the one before was the same."""

    objective = nrpa.Objective("worth", sign=1)

    def __init__(self, size):
        self.max_steps = size
        self.worth = drawn_worth(size, 3).tolist()

    @classmethod
    def load(cls, instance, **_options):
        return cls(int(Path(instance).read_text()))

    def initial_state(self):
        return 0, -1, 0

    def legal_moves(self, state):
        return range(3) if state[0] < len(self.worth) else ()

    def play(self, state, move):
        step, last, worth = state
        return step + 1, move, worth + self.worth[step][move] // (1 + (move == last))

    def score(self, state):
        return state[2]
