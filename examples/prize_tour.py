"""A problem of your own: a tour for prizes, until your rules stand in its place.

A solution is built move by move. A search plays many such games, and keeps the one of the largest score. The class is
plain Python, and compiles as it stands (--compile): states and moves are numbers, and tuples and arrays of them.
"""

import math

import numpy as np

import nrpa


class PrizeTour(nrpa.Problem):
    """Collect the largest prizes on a round trip that is not too long."""

    # The figure that you think in. For a cost, sign=-1 means that less is better; score then returns the negative cost.
    objective = nrpa.Objective("prize", sign=1)

    def __init__(self, distances, prizes, limit):
        self.distances, self.prizes, self.limit = distances, prizes, limit

    @classmethod
    def from_source(cls, source):
        """Read an instance: here the limit, then x, y and prize a line. A problem of one instance has none."""
        limit, *lines = source.text.splitlines()
        places = [[int(word) for word in line.split()] for line in lines]
        distances = [[math.dist(one[:2], other[:2]) for other in places] for one in places]
        return cls(distances, [prize for _, _, prize in places], int(limit))

    def initial_state(self):
        """Return where a game begins: a state holds all that later moves and the score depend on."""
        visited = np.zeros(len(self.prizes), np.bool_)
        visited[0] = True
        return visited, 0, 0.0, 0  # places visited, where the tour is, its length, its prizes

    def legal_moves(self, state):
        """Return the list of what can be done; an empty one ends the game. A move says what it is about: a place."""
        return [place for place in range(len(self.prizes)) if self.is_legal(state, place)]

    def play(self, state, move):
        """Return the next state. The given one must stay as it is."""
        visited, here, length, prize = state
        visited = visited.copy()
        visited[move] = True
        return visited, move, length + self.distances[here][move], prize + self.prizes[move]

    def score(self, state):
        """Return what the state after the last move is worth: more is better; something low where it is not allowed."""
        return state[3]

    # Two methods that may be left out, and make most searches better.

    def code(self, state, move):
        """Return the key under which the policy keeps the weight of a move; without this method, the move alone."""
        return state[1], move

    def is_legal(self, state, move):
        """Return whether a move of the game can be made now, so that a search need not list all."""
        visited, here, length, _ = state
        there_and_back = self.distances[here][move] + self.distances[move][0]
        return not visited[move] and length + there_and_back <= self.limit
