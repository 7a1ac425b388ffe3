"""Set covering in plain Python: 100 rows, 400 columns with costs, drawn as Beasley drew those of OR-Library.

J. E. Beasley, *An algorithm for set covering problem*, 1987: each entry is there with probability 0.05, costs are 1 to
100. The optimum is proven by integer programming (HiGHS).
"""

import random
import time

import nrpa

BEST = {"100": 197}


class SetCover(nrpa.Problem):
    """A move is a column that covers the first row not covered yet."""

    objective = nrpa.Objective("cost", sign=-1)

    def __init__(self, rows):
        draw = random.Random(1)
        self.costs = sorted(draw.randint(1, 100) for _ in range(4 * rows))
        self.columns = [sum((draw.random() < 0.05) << row for row in range(rows)) for _ in self.costs]
        self.covering = [[c for c, column in enumerate(self.columns) if column >> row & 1] for row in range(rows)]

    def initial_state(self):
        """The rows not covered, as bits, and the cost."""
        return (1 << len(self.covering)) - 1, 0

    def legal_moves(self, state):
        rows = state[0]
        return self.covering[(rows & -rows).bit_length() - 1] if rows else []

    def play(self, state, move):
        return state[0] & ~self.columns[move], state[1] + self.costs[move]

    def score(self, state):
        return -state[1]


def function(problem, data):
    """The cost of the columns of which each row chooses one that covers it."""
    costs = data(problem.costs)

    def cost(chosen):
        used, total = [False] * len(costs), 0
        for column in chosen:
            if not used[column]:
                used[column] = True
                total += costs[column]
        return total

    return nrpa.assignment, problem.covering, cost


def covered(problem, chosen):
    rows = 0
    for column in chosen:
        rows |= problem.columns[column]
    return rows


def baseline(problem, seconds, seed):
    """Iterated greedy (Jacobs and Brusco 1995, for the idea): the cost, and the columns."""
    draw, columns, costs = random.Random(seed), problem.columns, problem.costs
    every_row = (1 << len(problem.covering)) - 1
    best = now = []
    best_cost = now_cost = float("inf")
    start = time.process_time()
    while time.process_time() - start < seconds or not best:
        chosen = [column for column in now if draw.random() < 0.7]
        while rows := every_row & ~covered(problem, chosen):
            row = draw.choice([row for row in range(len(problem.covering)) if rows >> row & 1])
            chosen.append(min(problem.covering[row], key=lambda c: costs[c] / (columns[c] & rows).bit_count()))
        for column in sorted(chosen, reverse=True):
            if covered(problem, [other for other in chosen if other != column]) == every_row:
                chosen.remove(column)
        cost = sum(costs[column] for column in chosen)
        if cost <= now_cost:
            now, now_cost = chosen, cost
        if cost < best_cost:
            best, best_cost = chosen, cost
    moves, state = [], problem.initial_state()
    while legal := problem.legal_moves(state):
        moves.append(next(column for column in legal if column in best))
        state = problem.play(state, moves[-1])
    return best_cost, moves
