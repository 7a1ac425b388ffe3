"""A problem of your own: a small knapsack, until your rules stand in its place.

A solution is built move by move. A search plays many such games, and keeps the one of the largest score.
"""

import nrpa


class Knapsack(nrpa.Problem):
    """Choose items of the largest value that together are not too heavy."""

    # The figure that you think in. For a cost, sign=-1 means that less is better; score then returns the negative cost.
    objective = nrpa.Objective("value", sign=1)

    def __init__(self, weights, values, capacity):
        self.weights, self.values, self.capacity = weights, values, capacity

    @classmethod
    def from_source(cls, source):
        """Read an instance: here the capacity, then a weight and a value a line. A problem of one instance has none."""
        numbers = [int(word) for word in source.text.split()]
        return cls(numbers[1::2], numbers[2::2], numbers[0])

    def initial_state(self):
        """Return where a game begins: a state holds all that later moves and the score depend on."""
        return (0, 0, 0)  # items decided, weight, value

    def legal_moves(self, state):
        """Return what can be done, a list of anything hashable. An empty list ends the game."""
        item, weight, _ = state
        if item == len(self.weights):
            return []
        return ["leave", "take"] if weight + self.weights[item] <= self.capacity else ["leave"]

    def play(self, state, move):
        """Return the next state. The given one must stay as it is."""
        item, weight, value = state
        if move == "take":
            return (item + 1, weight + self.weights[item], value + self.values[item])
        return (item + 1, weight, value)

    def score(self, state):
        """Return what the state after the last move is worth: more is better; something low where it is not allowed."""
        return state[2]

    def code(self, state, move):
        """Return the key under which the policy keeps the weight of a move: here, the item and the move."""
        return (state[0], move)
