"""A roster that a newcomer wrote with all that the guide offers: 12 nurses, two weeks, four shifts a day.

It has codes, a bias and `improve`, unlike the other problems beside it, and no baseline; `auto_and_arms.py` runs it.
The best cost is that of the longest runs of all arms.
"""

import random

import nrpa

BEST = {"14": 129}
NURSES, SHIFTS, LATE, NIGHT, FREE = 12, 4, 1, 2, 3


class Nurses(nrpa.Problem):
    """A move is the shift of the next cell, a nurse's day; nobody has an earlier shift on the next day but a free one.

    The cost is what the nurses mind, 20 for each shift too few or too many on a day, 10 for each day beyond five in a
    row, 3 for a day alone, and the square of the shifts of a nurse beyond or below seven.
    """

    objective = nrpa.Objective("cost", sign=-1)

    def __init__(self, days):
        draw = random.Random(1)
        self.days, self.cells = days, NURSES * days
        self.needed = [[3, 2, 2] if day % 7 < 5 else [2, 2, 1] for day in range(days)]
        self.minds = [[draw.choice([0, 0, 0, 1, 2, 4]) for _ in range(SHIFTS)] for _ in range(self.cells)]

    def initial_state(self):
        return []

    def legal_moves(self, state):
        cell = len(state)
        if cell == self.cells:
            return []
        first = state[-1] if cell % self.days and state[-1] != FREE else 0
        return list(range(first, SHIFTS))

    def play(self, state, move):
        state.append(move)
        return state

    def copy(self, state):
        return list(state)

    def code(self, state, move):
        return SHIFTS * len(state) + move

    def bias(self, state, move):
        return -0.5 * self.minds[len(state)][move]

    def cost(self, shifts):
        """The cost of the shifts of all cells; 1,000 for each that is earlier than the day before allows."""
        total = 0
        for nurse in range(NURSES):
            worked, row = 0, 0
            for day in range(self.days):
                cell = nurse * self.days + day
                shift = shifts[cell]
                total += self.minds[cell][shift]
                if day > 0 and shifts[cell - 1] != FREE and shift < shifts[cell - 1]:
                    total += 1000
                if shift == FREE:
                    total += 3 * (row == 1)
                    row = 0
                else:
                    worked, row = worked + 1, row + 1
                    total += 10 * (row > 5)
            total += 3 * (row == 1) + (worked - 7) ** 2
        for day in range(self.days):
            for shift in range(FREE):
                have = 0
                for nurse in range(NURSES):
                    have += shifts[nurse * self.days + day] == shift
                total += 20 * abs(have - self.needed[day][shift])
        return total

    def score(self, state):
        return -self.cost(state)

    def improve(self, moves):
        """Change one cell after the other while that helps."""
        shifts = list(moves)
        best, is_better = self.cost(shifts), True
        while is_better:
            is_better = False
            for cell in range(self.cells):
                kept = shifts[cell]
                for shift in range(SHIFTS):
                    shifts[cell] = shift
                    cost = self.cost(shifts)
                    if cost < best:
                        best, kept, is_better = cost, shift, True
                shifts[cell] = kept
        return shifts
