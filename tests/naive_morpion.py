"""Morpion Solitaire the slow and obvious way: sets of dots and segments, every cell and direction tried."""

from itertools import pairwise

STEPS = {"H": (1, 0), "V": (0, 1), "DP": (1, -1), "DN": (1, 1)}

CROSS_OF_5 = """
...oooo...
...o..o...
...o..o...
oooo..oooo
o........o
o........o
oooo..oooo
...o..o...
...o..o...
...oooo...
"""
CROSS_OF_4 = """
..ooo..
..o.o..
ooo.ooo
o.....o
ooo.ooo
..o.o..
..ooo..
"""


def cross(variant):
    """Return the dots of the standard cross."""
    drawing = CROSS_OF_5 if variant[0] == "5" else CROSS_OF_4
    return {(x, y) for y, row in enumerate(drawing.split()) for x, c in enumerate(row) if c == "o"}


class NaiveGame:
    """What is used up is what a line must not use again: segments in the T game, dots of a direction in the D game."""

    def __init__(self, variant, dots=None):
        self.n = int(variant[0])
        self.segments = variant[1] == "T"
        self.dots = set(dots or cross(variant))
        self.used = set()

    def uses(self, line, direction):
        if self.segments:
            return set(pairwise(line))
        return {(direction, dot) for dot in line}

    def line(self, move):
        x, y, direction, position = move
        dx, dy = STEPS[direction]
        return [(x + (k - position) * dx, y + (k - position) * dy) for k in range(self.n)]

    def legal_moves(self):
        """Return the set of all legal (x, y, direction, position)."""
        xs, ys = [x for x, _ in self.dots], [y for _, y in self.dots]
        found = set()
        for x in range(min(xs) - self.n, max(xs) + self.n + 1):
            for y in range(min(ys) - self.n, max(ys) + self.n + 1):
                for direction, (dx, dy) in STEPS.items():
                    line = [(x + k * dx, y + k * dy) for k in range(self.n)]
                    missing = [k for k, dot in enumerate(line) if dot not in self.dots]
                    if len(missing) == 1 and not self.uses(line, direction) & self.used:
                        found.add((*line[missing[0]], direction, missing[0]))
        return found

    def play(self, move):
        line = self.line(move)
        self.dots.add((move[0], move[1]))
        self.used |= self.uses(line, move[2])
