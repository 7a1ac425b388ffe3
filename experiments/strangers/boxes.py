"""Boxes packed into a container, in plain Python: 40 drawn boxes, of which about half fit.

The best value is that of the longest runs of all solvers and of the annealing below.
"""

import random

from annealing import annealed, one_moved

import nrpa

BEST = {"40": 491}
LENGTH, WIDTH, HEIGHT = 8, 6, 6


class Boxes(nrpa.Problem):
    """A move is the box that is packed next, and whether it is turned; the value of what is packed shall be large.

    A box goes where it lies lowest, then furthest back and left, with all of its floor on one level. A box for which
    there is no such place stays behind.
    """

    objective = nrpa.Objective("value", sign=1)

    def __init__(self, count):
        draw = random.Random(1)
        self.sizes = [tuple(draw.randint(1, 4) for _ in range(3)) for _ in range(count)]
        self.values = [length * width * height + draw.randint(1, 15) for length, width, height in self.sizes]

    def initial_state(self):
        """The boxes left, the height reached at each place of the floor, the value."""
        return tuple(range(len(self.sizes))), (0,) * (LENGTH * WIDTH), 0

    def legal_moves(self, state):
        return [(box, turned) for box in state[0] for turned in range(1 + (self.sizes[box][0] != self.sizes[box][1]))]

    def play(self, state, move):
        left, tops, value = state
        box, turned = move
        length, width, height = self.sizes[box]
        if turned:
            length, width = width, length
        lowest, where = HEIGHT - height + 1, (-1, -1)
        for x in range(LENGTH - length + 1):
            for y in range(WIDTH - width + 1):
                top = tops[x * WIDTH + y]
                if top < lowest and all(
                    tops[row * WIDTH + column] == top for row in range(x, x + length) for column in range(y, y + width)
                ):
                    lowest, where = top, (x, y)
        heights = list(tops)
        if where != (-1, -1):
            value += self.values[box]
            for row in range(where[0], where[0] + length):
                for column in range(where[1], where[1] + width):
                    heights[row * WIDTH + column] = lowest + height
        return tuple(other for other in left if other != box), tuple(heights), value

    def score(self, state):
        return state[2]


def value_of(problem, moves):
    state = problem.initial_state()
    for move in moves:
        state = problem.play(state, move)
    return state[2]


def baseline(problem, seconds, seed):
    """Simulated annealing over the boxes in their order, one moved, now and then turned: the value, and the moves."""
    draw, moved = random.Random(seed), one_moved(random.Random(seed))

    def changed(moves):
        other = moved(moves)
        if draw.random() < 0.3:
            place = draw.randrange(len(other))
            length, width, _ = problem.sizes[other[place][0]]
            other[place] = other[place][0], (1 - other[place][1]) * (length != width)
        return other

    first = [(box, 0) for box in sorted(range(len(problem.sizes)), key=lambda box: -problem.values[box])]
    cost, moves = annealed(lambda moves: -value_of(problem, moves), changed, first, seconds, draw, 30, 0.05)
    return -cost, moves
