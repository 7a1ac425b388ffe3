"""0/1 knapsack in plain Python: take or leave one item after the other."""

import nrpa


class Knapsack(nrpa.Problem):
    """Items of a weight and a value, and a capacity that must not be exceeded."""

    objective = nrpa.Objective("value", sign=1)

    def __init__(self, weights, values, capacity):
        self.weights, self.values, self.capacity = weights, values, capacity

    @classmethod
    def from_source(cls, source):
        """Read the capacity, then a weight and a value a line."""
        numbers = [int(word) for word in source.text.split()]
        return cls(numbers[1::2], numbers[2::2], numbers[0])

    def initial_state(self):
        return (0, 0, 0)  # items decided, weight, value

    def legal_moves(self, state):
        item, weight, _ = state
        if item == len(self.weights):
            return []
        return ["leave", "take"] if weight + self.weights[item] <= self.capacity else ["leave"]

    def play(self, state, move):
        item, weight, value = state
        if move == "take":
            return (item + 1, weight + self.weights[item], value + self.values[item])
        return (item + 1, weight, value)

    def score(self, state):
        return state[2]

    def code(self, state, move):
        return (state[0], move)
