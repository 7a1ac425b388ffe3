"""A line of two presses and an oven in plain Python: a simulator with set-ups, a short buffer and due dates.

The best cost is that of a run of `auto`; the annealing below reached 1309 with 40 seconds.
"""

import random

from annealing import annealed, one_moved

import nrpa

BEST = {"30": 1041}
FAMILIES, BUFFER = 5, 3


class Line(nrpa.Problem):
    """A move is the order that the press that is free first begins; the cost is the total weighted tardiness.

    A press is set up when the family changes. Pressed orders go on, in the order in which they were begun, to a buffer
    of three places before the oven; while it is full they stay in their press.
    """

    objective = nrpa.Objective("cost", sign=-1)

    def __init__(self, count):
        draw = random.Random(1)
        self.setups = [[0 if a == b else draw.randint(5, 20) for b in range(FAMILIES)] for a in range(FAMILIES)]
        of_each = {
            "family": (0, FAMILIES - 1),
            "pressing": (10, 40),
            "baking": (5, 20),
            "weight": (1, 5),
            "due": (50, 400),
        }
        self.orders = [tuple(draw.randint(*bounds) for bounds in of_each.values()) for _ in range(count)]

    def initial_state(self):
        """The orders left; when each press is free, and its family; when the oven began its last orders; the cost."""
        return tuple(range(len(self.orders))), ((0, 0), (0, 1)), (0,) * BUFFER, (0, 0), 0

    def legal_moves(self, state):
        return list(state[0])

    def play(self, state, move):
        left, presses, begun, (moved, oven), cost = state
        family, pressing, baking, weight, due = self.orders[move]
        press = min(range(2), key=lambda k: presses[k])
        free, last = presses[press]
        moved = max(moved, free + self.setups[last][family] + pressing, begun[0])
        start = max(moved, oven)
        oven = start + baking
        presses = tuple((moved, family) if k == press else presses[k] for k in range(2))
        cost += weight * max(0, oven - due)
        return tuple(order for order in left if order != move), presses, (*begun[1:], start), (moved, oven), cost

    def score(self, state):
        return -state[4]


def function(problem, data):
    """The weighted tardiness of a sequence of the orders."""
    orders, setups = data(problem.orders), data(problem.setups)

    def cost(sequence):
        free, last, begun = [0, 0], [0, 1], [0] * BUFFER
        moved = oven = total = 0
        for order in sequence:
            family, pressing, baking, weight, due = orders[order]
            press = 0 if (free[0], last[0]) <= (free[1], last[1]) else 1
            moved = max(moved, free[press] + setups[last[press]][family] + pressing, begun[-BUFFER])
            free[press], last[press] = moved, family
            start = max(moved, oven)
            oven = start + baking
            begun.append(start)
            total += weight * max(0, oven - due)
        return total

    return nrpa.permutation, len(orders), cost


def cost_of(problem, sequence):
    state = problem.initial_state()
    for order in sequence:
        state = problem.play(state, order)
    return state[4]


def baseline(problem, seconds, seed):
    """Simulated annealing over the sequence, an order moved at a time: the cost, and the sequence."""
    draw = random.Random(seed)
    first = sorted(range(len(problem.orders)), key=lambda order: problem.orders[order][4])
    return annealed(lambda sequence: cost_of(problem, sequence), one_moved(draw), first, seconds, draw, 300, 0.01)
