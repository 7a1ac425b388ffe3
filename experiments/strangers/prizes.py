"""A tour that collects prizes, in plain Python: 50 places, of which there is time for about half.

Known as orienteering (Tsiligirides 1984). The best sum is that of the longest runs of all solvers and of the annealing
below.
"""

import math
import random

from annealing import annealed

import nrpa

BEST = {"50": 765}
LIMIT = 300


class Prizes(nrpa.Problem):
    """A move is the place that is visited next, from which the start is still reached in time."""

    objective = nrpa.Objective("prizes", sign=1)

    def __init__(self, count):
        draw = random.Random(1)
        self.places = [(draw.uniform(0, 100), draw.uniform(0, 100)) for _ in range(count)]
        self.prizes = [0, *(draw.randint(5, 50) for _ in self.places[1:])]
        self.apart = [[math.dist(a, b) for b in self.places] for a in self.places]

    def initial_state(self):
        """The places not visited, where the tour is, how long it is, the prizes."""
        return tuple(range(1, len(self.places))), 0, 0.0, 0

    def legal_moves(self, state):
        left, here, length, _ = state
        return [place for place in left if length + self.apart[here][place] + self.apart[place][0] <= LIMIT]

    def play(self, state, move):
        left, here, length, prizes = state
        left = tuple(place for place in left if place != move)
        return left, move, length + self.apart[here][move], prizes + self.prizes[move]

    def score(self, state):
        return state[3]


def function(problem, data):
    """The prizes where places 1, 2, …, which are 0, 1, … in the order, are visited if there is time."""
    apart, prizes = data(problem.apart), data(problem.prizes)

    def cost(order):
        here, length, total = 0, 0.0, 0
        for each in order:
            place = each + 1
            if length + apart[here][place] + apart[place][0] <= LIMIT:
                length += apart[here][place]
                total += prizes[place]
                here = place
        return total

    return nrpa.permutation, len(prizes) - 1, cost


def rebuilt(problem, tour, draw):
    """Leave out a part of the tour, and put places that are not on it where they are nearest while time is left."""
    apart, tour = problem.apart, tour[:]
    at = draw.randrange(len(tour) + 1)
    del tour[at : at + draw.randint(1, 5)]
    left = [place for place in range(1, len(problem.places)) if place not in tour]
    draw.shuffle(left)
    length = sum(apart[a][b] for a, b in zip([0, *tour], [*tour, 0], strict=True))
    for place in left:
        legs = zip([0, *tour], [*tour, 0], strict=True)
        longer, k = min((apart[a][place] + apart[place][b] - apart[a][b], k) for k, (a, b) in enumerate(legs))
        if length + longer <= LIMIT:
            tour.insert(k, place)
            length += longer
    return tour


def baseline(problem, seconds, seed):
    """Simulated annealing, a part of the tour left out and others put in: the prizes, and the places."""
    draw = random.Random(seed)

    def cost(tour):
        return -sum(problem.prizes[place] for place in tour)

    prizes, tour = annealed(cost, lambda tour: rebuilt(problem, tour, draw), [], seconds, draw, 30, 0.05)
    return -prizes, tour
