"""A roster of nurses in plain Python: two weeks, three shifts a day, ten nurses with wishes.

The best cost is that of the longest runs of all solvers and of the annealing below.
"""

import math
import random
import time

import nrpa

BEST = {"14": 4}
NURSES, NEEDED = 10, (2, 2, 1)
LATE, NIGHT = 1, 2


class Roster(nrpa.Problem):
    """A move is (place, nurse): who works at the next place, that is a shift of a day; the cost is what they mind.

    Nobody works twice a day, on a morning after a late shift or a night, nor on a late shift after a night. A place
    without anybody costs 100, each wish that is broken 1 to 5, each day beyond five in a row 10, each day alone 3, and
    shifts too many or too few of a nurse their square.
    """

    objective = nrpa.Objective("cost", sign=-1)

    def __init__(self, days):
        draw = random.Random(1)
        self.days = days
        self.places = [(day, shift) for day in range(days) for shift in range(3) for _ in range(NEEDED[shift])]
        minds = [0, 0, 0, 1, 2, 5]
        self.minds = [[[draw.choice(minds) for _ in range(3)] for _ in range(days)] for _ in range(NURSES)]

    def initial_state(self):
        """Who works at the places so far; -1 is nobody."""
        return ()

    def works(self, state, nurse, day):
        """The shift of a nurse on a day, or -1."""
        first = day * sum(NEEDED)
        for place in range(max(first, 0), min(first + sum(NEEDED), len(state))):
            if state[place] == nurse:
                return self.places[place][1]
        return -1

    def is_legal(self, state, move):
        place, nurse = move
        if place != len(state):
            return False if place > len(state) else nrpa.NEVER
        day, shift = self.places[place]
        if nurse < 0:
            return True
        return self.works(state, nurse, day) < 0 and self.works(state, nurse, day - 1) <= shift

    def legal_moves(self, state):
        if len(state) == len(self.places):
            return []
        moves = [(len(state), nurse) for nurse in range(-1, NURSES)]
        return [move for move in moves if self.is_legal(state, move)]

    def play(self, state, move):
        return (*state, move[1])

    def score(self, state):
        cost = 100 * state.count(-1)
        rows = [[-1] * self.days for _ in range(NURSES)]
        for (day, shift), nurse in zip(self.places, state, strict=True):
            if nurse >= 0:
                rows[nurse][day] = shift
                cost += self.minds[nurse][day][shift]
        for row in rows:
            worked = [shift >= 0 for shift in row]
            cost += (sum(worked) - len(self.places) // NURSES) ** 2
            run = 0
            for now in [*worked, False]:
                if not now:
                    cost += 3 * (run == 1) + 10 * max(0, run - 5)
                run = run + 1 if now else 0
        return -cost


def function(problem, data):
    """The cost of who works at each place, 10 is nobody; where the nurse may not, nobody does."""
    places, minds, days = data(problem.places), data(problem.minds), problem.days

    def cost(nurses):
        total, rows = 0, [[-1] * days for _ in range(NURSES)]
        for place, nurse in enumerate(nurses):
            day, shift = places[place]
            if nurse == NURSES or rows[nurse][day] >= 0 or (day > 0 and rows[nurse][day - 1] > shift):
                total += 100
            else:
                rows[nurse][day] = shift
                total += minds[nurse][day][shift]
        for row in rows:
            worked = run = 0
            for day in range(days + 1):
                if day < days and row[day] >= 0:
                    worked, run = worked + 1, run + 1
                else:
                    total += 3 * (run == 1) + 10 * max(0, run - 5)
                    run = 0
            total += (worked - len(places) // NURSES) ** 2
        return total

    return nrpa.assignment, [NURSES + 1] * len(places), cost


def fits(problem, roster, place):
    """Whether who works at a place, and those after it on that day and the next, may."""
    after = range(place, min(place + 2 * sum(NEEDED), len(roster)))
    return all(problem.is_legal(tuple(roster[:k]), (k, roster[k])) for k in after)


def baseline(problem, seconds, seed):
    """Simulated annealing: another nurse at a place, or two exchanged: the cost, and the moves."""
    draw, count = random.Random(seed), len(problem.places)
    now = ()
    while moves := problem.legal_moves(now):
        now = problem.play(now, draw.choice(moves[1:] or moves))
    best, now_cost = now, -problem.score(now)
    best_cost, start = now_cost, time.process_time()
    while (used := (time.process_time() - start) / seconds) < 1:
        then, (i, j) = list(now), draw.sample(range(count), 2)
        then[i], then[j] = (then[j], then[i]) if draw.random() < 0.5 else (draw.randrange(NURSES), then[j])
        if not (fits(problem, then, i) and fits(problem, then, j)):
            continue
        cost = -problem.score(tuple(then))
        if cost <= now_cost or draw.random() < math.exp((now_cost - cost) / (10 * 0.05**used)):
            now, now_cost = then, cost
        if now_cost < best_cost:
            best, best_cost = now, now_cost
    return best_cost, [(place, nurse) for place, nurse in enumerate(best)]
