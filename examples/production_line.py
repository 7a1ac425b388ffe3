"""A production line in plain Python: a simulator whose state can be copied, a score of the whole sequence, and noise.

Orders are painted one after the other, wait in a buffer, and are assembled. A change of colour costs a set-up, a full
buffer blocks the booth, and painting may break down. Breakdowns are drawn once, for a few scenarios, and kept.
"""

import random
from typing import NamedTuple

import nrpa

COLOURS, BUFFER = 4, 2


class Order(NamedTuple):
    colour: int
    paint: float
    assemble: float
    due: float


class Line:
    """The line in one scenario, after some orders."""

    def __init__(self):
        self.colour, self.booth, self.assembly = 0, 0.0, 0.0  # the last colour; when both are free
        self.begun = [0.0] * BUFFER  # when the assembly of the last orders began
        self.late = self.latest = 0.0  # the total lateness, and that of the latest order

    def copy(self):
        line = Line.__new__(Line)
        line.__dict__.update(self.__dict__)
        line.begun = self.begun[:]
        return line

    def run(self, order, setup, breakdown):
        painted = self.booth + setup[self.colour][order.colour] + order.paint + breakdown
        self.booth = max(painted, self.begun.pop(0))  # blocked while the buffer is full
        start = max(self.booth, self.assembly)
        self.begun.append(start)
        self.assembly, self.colour = start + order.assemble, order.colour
        lateness = max(0.0, self.assembly - order.due)
        self.late, self.latest = self.late + lateness, max(self.latest, lateness)


class ProductionLine(nrpa.Problem):
    """In which order to make orders, so that they are late as little as can be, the latest counting five times."""

    objective = nrpa.Objective("cost", sign=-1, digits=1)

    def __init__(self, orders, setup, breakdowns):
        self.orders, self.setup, self.breakdowns = orders, setup, breakdowns  # breakdowns[scenario][order]

    @classmethod
    def load(cls, name, scenarios=5):
        """The instance is a number, from which twenty orders are drawn."""
        draw = random.Random(int(name))
        orders = [Order(draw.randrange(COLOURS), draw.randint(5, 15), draw.randint(5, 15), 0) for _ in range(20)]
        orders = [order._replace(due=draw.randint(20, 260)) for order in orders]
        setup = [[0 if a == b else draw.randint(3, 15) for b in range(COLOURS)] for a in range(COLOURS)]
        return cls(orders, setup, breakdowns(draw, scenarios, len(orders)))

    def initial_state(self):
        return list(range(len(self.orders))), [Line() for _ in self.breakdowns]

    def copy(self, state):
        return state[0][:], [line.copy() for line in state[1]]

    def legal_moves(self, state):
        return state[0][:]

    def play(self, state, move):
        state[0].remove(move)
        for line, breakdown in zip(state[1], self.breakdowns, strict=True):
            line.run(self.orders[move], self.setup, breakdown[move])
        return state

    def score(self, state):
        return -sum(line.late + 5 * line.latest for line in state[1]) / len(state[1])

    def value(self, state):
        """What comes if the orders left are made by their dates, each held up for six minutes."""
        left, total = sorted((self.orders[order] for order in state[0]), key=lambda order: order.due), 0.0
        for line in state[1]:
            time, late, latest = line.booth, line.late, line.latest
            for order in left:
                time += order.paint + 6
                lateness = max(0.0, time + order.assemble - order.due)
                late, latest = late + lateness, max(latest, lateness)
            total += late + 5 * latest
        return -total / len(state[1])

    def code(self, state, move):
        """The colour before, and the order: what a set-up and an urgency depend on."""
        return state[1][0].colour, move

    def bias(self, state, move):
        """Rather what is due soon, and needs no set-up."""
        order = self.orders[move]
        return -order.due / 20 - self.setup[state[1][0].colour][order.colour] / 5


def breakdowns(draw, scenarios, orders):
    """How long painting each order is held up in each scenario: one in five, for 20 minutes on average."""
    return [[draw.expovariate(1 / 20) if draw.random() < 0.2 else 0.0 for _ in range(orders)] for _ in range(scenarios)]
