"""TSPTW in plain Python, its legal moves by the rule as it is written, O(n²) a step."""

from itertools import pairwise

import numpy as np


class NaiveTSPTW:
    """States are (city, time, cost, missed, visited)."""

    def __init__(self, distances, windows, moves="selective", use_bias=True):
        self.d = distances
        self.windows = windows
        self.n = len(distances)
        self.moves = moves
        off = [distances[i][j] for i in range(self.n) for j in range(self.n) if i != j]
        self.low, self.high = min(off), max(off)
        self.use_bias = use_bias

    def initial(self):
        return (0, 0.0, 0.0, 0, frozenset([0]))

    def legal(self, state):
        city, time, _, _, visited = state
        left = [j for j in range(self.n) if j not in visited]
        if self.moves == "all":
            return left
        late = [j for j in left if time + self.d[city][j] > self.windows[j][1]]
        if late:
            return late
        harmless = []
        for j in left:
            start = max(time + self.d[city][j], self.windows[j][0])
            reachable = [k for k in left if k != j and time + self.d[city][k] <= self.windows[k][1]]
            if all(start <= self.windows[k][1] for k in reachable):
                harmless.append(j)
        return harmless or left

    def play(self, state, move):
        city, time, cost, missed, visited = state
        arrival = max(time + self.d[city][move], self.windows[move][0])
        missed += arrival > self.windows[move][1]
        return (move, arrival, cost + self.d[city][move], missed, visited | {move})

    def score(self, state):
        _, _, cost, missed, _ = self.play(state, 0)
        return -(cost + 1e6 * missed)

    def code(self, state, move):
        return (state[0], move)

    def bias(self, state, move):
        if not self.use_bias:
            return 0.0
        return -10 * (self.d[state[0]][move] - self.low) / (self.high - self.low)


def random_instance(cities, seed):
    """Return distances (float[n, n]) and windows (float[n, 2]) that some tour can nearly keep."""
    rng = np.random.default_rng(seed)
    place = rng.uniform(0, 100, (cities, 2))
    distances = np.hypot(*(place[:, None] - place).transpose(2, 0, 1))
    tour = [0, *rng.permutation(np.arange(1, cities))]
    arrival = np.cumsum([distances[a, b] for a, b in pairwise(tour)])
    windows = np.zeros((cities, 2))
    windows[tour[1:], 0] = np.maximum(0, arrival - rng.uniform(0, 60, cities - 1))
    windows[tour[1:], 1] = arrival + rng.uniform(0, 60, cities - 1)
    windows[0] = 0, arrival[-1] + 300
    return distances, windows
