"""The job shop in plain Python: instances ft10 (Fisher and Thompson 1963) and la16 (Lawrence 1984), from OR-Library.

The best makespans are proven: Carlier and Pinson, *An algorithm for solving the job-shop problem*, 1989.
"""

import random
from pathlib import Path

from annealing import annealed, one_moved

import nrpa

BEST = {"ft10": 930, "la16": 945}


class JobShop(nrpa.Problem):
    """jobs[job] = [(machine, duration), …]; a move begins the next operation of a job as early as can be."""

    objective = nrpa.Objective("makespan", sign=-1)

    def __init__(self, jobs):
        self.jobs = jobs

    @classmethod
    def load(cls, name):
        lines = (Path(__file__).parent / "instances" / f"{name}.txt").read_text().splitlines()
        rows = [list(map(int, line.split())) for line in lines]
        return cls([list(zip(row[::2], row[1::2], strict=True)) for row in rows])

    def initial_state(self):
        """Of each job the operations done and when it is free; when each machine is free."""
        return (0,) * len(self.jobs), (0,) * len(self.jobs), (0,) * len(self.jobs[0])

    def legal_moves(self, state):
        return [job for job, done in enumerate(state[0]) if done < len(self.jobs[job])]

    def play(self, state, move):
        done, free, idle = map(list, state)
        machine, duration = self.jobs[move][done[move]]
        free[move] = idle[machine] = max(free[move], idle[machine]) + duration
        done[move] += 1
        return tuple(done), tuple(free), tuple(idle)

    def score(self, state):
        return -max(state[1])


def function(problem, data):
    """The makespan of an order of 0, 1, …, of which the first so many stand for job 0, the next for job 1."""
    machines, durations = (data([[pair[k] for pair in job] for job in problem.jobs]) for k in range(2))
    jobs, steps = len(machines), len(machines[0])

    def cost(order):
        done, free, idle = [0] * jobs, [0] * jobs, [0] * steps
        for each in order:
            job = each // steps
            machine = machines[job][done[job]]
            free[job] = idle[machine] = max(free[job], idle[machine]) + durations[job][done[job]]
            done[job] += 1
        return max(free)

    return nrpa.permutation, jobs * steps, cost


def makespan_of(jobs, sequence):
    done, free, idle = [0] * len(jobs), [0] * len(jobs), [0] * len(jobs[0])
    for job in sequence:
        machine, duration = jobs[job][done[job]]
        done[job] += 1
        free[job] = idle[machine] = max(free[job], idle[machine]) + duration
    return max(free)


def baseline(problem, seconds, seed):
    """Simulated annealing over the jobs of the operations, one moved at a time: the makespan, and the jobs."""
    draw, jobs = random.Random(seed), problem.jobs
    sequence = [job for job in range(len(jobs)) for _ in jobs[job]]
    draw.shuffle(sequence)
    return annealed(lambda sequence: makespan_of(jobs, sequence), one_moved(draw), sequence, seconds, draw, 10, 0.3)
