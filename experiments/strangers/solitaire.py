"""Peg solitaire in plain Python: the English board with its centre empty; as few pegs as can be are left.

One peg can be left: J. D. Beasley, *The Ins and Outs of Peg Solitaire*, 1985.
"""

import random
import time

import nrpa

BEST = {"english": 1}


class Solitaire(nrpa.Problem):
    """A move is a jump from a hole over a peg into an empty hole; the peg between goes."""

    objective = nrpa.Objective("pegs", sign=-1)

    def __init__(self):
        holes = [(x, y) for x in range(7) for y in range(7) if 2 <= x <= 4 or 2 <= y <= 4]
        number = {hole: k for k, hole in enumerate(holes)}
        self.full = (1 << len(holes)) - 1 - (1 << number[3, 3])
        self.jumps = [
            (number[x, y], number[x + dx, y + dy], number[x + 2 * dx, y + 2 * dy])
            for x, y in holes
            for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))
            if (x + 2 * dx, y + 2 * dy) in number
        ]

    @classmethod
    def load(cls, name):
        return cls()

    def initial_state(self):
        return self.full

    def legal_moves(self, state):
        return [(a, b, c) for a, b, c in self.jumps if state >> a & state >> b & ~state >> c & 1]

    def play(self, state, move):
        a, b, c = move
        return state ^ (1 << a) ^ (1 << b) ^ (1 << c)

    def score(self, state):
        return -state.bit_count()


def baseline(problem, seconds, seed):
    """Depth-first search that enters no position twice, jumps in random order: the pegs, and the jumps."""
    draw, seen = random.Random(seed), set()
    path, best = [], None
    stack = [(problem.initial_state(), None, 0)]
    pegs = problem.full.bit_count()
    start = time.process_time()
    while stack and (best is None or (pegs > 1 and time.process_time() - start < seconds)):
        state, jump, depth = stack.pop()
        path[depth - 1 if depth else 0 :] = [jump] if jump else []
        moves = problem.legal_moves(state)
        if not moves and (best is None or state.bit_count() < pegs):
            best, pegs = path[:], state.bit_count()
        draw.shuffle(moves)
        for move in moves:
            after = problem.play(state, move)
            if after not in seen:
                seen.add(after)
                stack.append((after, move, depth + 1))
    return pegs, best
