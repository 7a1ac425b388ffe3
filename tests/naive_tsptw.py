"""TSPTW in plain Python, its legal moves by the rule as it is written, O(n²) a step."""

import math
from itertools import pairwise, permutations, product

import numpy as np


class NaiveTSPTW:
    """States are (city, time, cost, missed, visited)."""

    def __init__(self, distances, windows, moves="selective", use_bias=True):
        self.d = distances
        self.windows = windows
        self.n = len(distances)
        self.moves = moves
        self.shortest = shortest_ways(distances)
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
        late = [j for j in left if time + self.shortest[city][j] > self.windows[j][1]]
        if late:
            return late
        harmless = []
        for j in left:
            start = max(time + self.d[city][j], self.windows[j][0])
            if all(start <= self.windows[k][1] for k in left):
                harmless.append(j)
        return harmless or [j for j in left if time + self.d[city][j] > self.windows[j][1]]

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


def shortest_ways(distances):
    """Return the lengths of the shortest ways through any cities but the depot, relaxed until nothing changes."""
    n = len(distances)
    shortest = [list(row) for row in distances]
    changed = True
    while changed:
        changed = False
        for i, j, k in product(range(n), range(n), range(1, n)):
            if shortest[i][k] + shortest[k][j] < shortest[i][j] - 1e-6:
                shortest[i][j] = shortest[i][k] + shortest[k][j]
                changed = True
    return shortest


def best_tour(distances, windows):
    """Return the cheapest tour that keeps all windows, by trying all orders; None where there is none."""
    best = (math.inf, None)
    for tour in permutations(range(1, len(distances))):
        cost = time = here = 0
        for city in (*tour, 0):
            cost += distances[here][city]
            time = max(time + distances[here][city], windows[city][0])
            here = city
            if time > windows[city][1]:
                break
        else:
            best = min(best, (cost, tour))
    return best[1]


def random_matrix(cities, seed):
    """Return whole distances that break the triangle inequality, and windows that some tour may keep."""
    rng = np.random.default_rng(seed)
    distances = rng.integers(1, 21, (cities, cities)).astype(float)
    np.fill_diagonal(distances, 0)
    opens = rng.integers(0, 40, cities).astype(float)
    windows = np.stack([opens, opens + rng.integers(1, 40, cities)], axis=1)
    windows[0] = 0, rng.integers(30, 120)
    return distances, windows


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
