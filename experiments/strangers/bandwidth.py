"""The bandwidth of a graph in plain Python: the hypercube of 64 vertices.

L. H. Harper, *Optimal numberings and isoperimetric problems on graphs*, 1966: its bandwidth is the sum of the central
binomial coefficients of 0 to 5, 1 + 1 + 2 + 3 + 6 + 10.
"""

import random

from annealing import annealed, two_exchanged

import nrpa

BEST = {"6": 23}


class Bandwidth(nrpa.Problem):
    """A move is the vertex with the next number; the bandwidth is the largest difference along an edge."""

    objective = nrpa.Objective("bandwidth", sign=-1)

    def __init__(self, dimensions):
        self.vertices = 2**dimensions
        self.edges = [(v, v | 1 << k) for v in range(self.vertices) for k in range(dimensions) if not v >> k & 1]

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [vertex for vertex in range(self.vertices) if vertex not in state]

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        number = {vertex: place for place, vertex in enumerate(state)}
        return -max(abs(number[a] - number[b]) for a, b in self.edges)


def function(problem, data):
    """The bandwidth where vertex v has the number ``number[v]``."""
    edges = data(problem.edges)

    def cost(number):
        most = 0
        for a, b in edges:
            most = max(most, abs(number[a] - number[b]))
        return most

    return nrpa.permutation, problem.vertices, cost


def baseline(problem, seconds, seed):
    """Simulated annealing by exchanges, edges of the largest difference counted: the bandwidth, and the vertices."""

    def cost(number):
        apart = [abs(number[a] - number[b]) for a, b in problem.edges]
        return max(apart) + apart.count(max(apart)) / len(apart)

    draw, count = random.Random(seed), problem.vertices
    first = draw.sample(range(count), count)
    _, number = annealed(cost, two_exchanged(draw), first, seconds, draw, 1, 0.02)
    order = sorted(range(count), key=lambda vertex: number[vertex])
    return -problem.score(order), order
