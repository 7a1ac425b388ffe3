"""The total weighted tardiness of jobs on one machine, in plain Python: instance 11 of wt40 from OR-Library.

Crauwels, Potts and Van Wassenhove, *Local search heuristics for the single machine total weighted tardiness scheduling
problem*, 1998; the optimum is OR-Library's.
"""

import random
from pathlib import Path

from annealing import annealed, two_exchanged

import nrpa

BEST = {"wt40-11": 17465}


class Tardiness(nrpa.Problem):
    """Jobs have a duration, a weight and a due date; a move is the job that goes next."""

    objective = nrpa.Objective("tardiness", sign=-1)

    def __init__(self, durations, weights, dues):
        self.durations, self.weights, self.dues = durations, weights, dues

    @classmethod
    def load(cls, name):
        numbers = list(map(int, (Path(__file__).parent / "instances" / f"{name}.txt").read_text().split()))
        return cls(numbers[:40], numbers[40:80], numbers[80:])

    def initial_state(self):
        """The jobs left, the time, the tardiness so far."""
        return tuple(range(len(self.durations))), 0, 0

    def legal_moves(self, state):
        return list(state[0])

    def play(self, state, move):
        left, now, tardiness = state
        now += self.durations[move]
        late = max(0, now - self.dues[move])
        return tuple(job for job in left if job != move), now, tardiness + self.weights[move] * late

    def score(self, state):
        return -state[2]


def function(problem, data):
    """The tardiness of an order of the jobs."""
    durations, weights, dues = data(problem.durations), data(problem.weights), data(problem.dues)

    def cost(order):
        now = tardiness = 0
        for job in order:
            now += durations[job]
            if now > dues[job]:
                tardiness += weights[job] * (now - dues[job])
        return tardiness

    return nrpa.permutation, len(problem.durations), cost


def tardiness_of(problem, order):
    now = tardiness = 0
    for job in order:
        now += problem.durations[job]
        if now > problem.dues[job]:
            tardiness += problem.weights[job] * (now - problem.dues[job])
    return tardiness


def baseline(problem, seconds, seed):
    """Simulated annealing by exchanges of any two jobs: the tardiness, and the jobs."""
    draw = random.Random(seed)
    first = sorted(range(len(problem.dues)), key=lambda job: problem.dues[job])
    return annealed(lambda order: tardiness_of(problem, order), two_exchanged(draw), first, seconds, draw, 1000, 0.005)
