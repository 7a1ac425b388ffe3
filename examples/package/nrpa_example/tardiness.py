"""A problem in plain Python."""

import nrpa


class Tardiness(nrpa.Problem):
    """Total tardiness: jobs on one machine, in an order that makes them late the least."""

    name = "tardiness"
    objective = nrpa.Objective("tardiness", sign=-1, digits=0)

    def __init__(self, jobs):
        self.jobs = jobs

    @classmethod
    def from_source(cls, source):
        """Read a line for each job: how long it takes, and when it is due."""
        return cls([tuple(map(int, line.split())) for line in source.text.splitlines()])

    def initial_state(self):
        return (), 0, 0  # the jobs done, the time, the tardiness

    def legal_moves(self, state):
        return [job for job in range(len(self.jobs)) if job not in state[0]]

    def play(self, state, job):
        done, time, late = state
        takes, due = self.jobs[job]
        return (*done, job), time + takes, late + max(0, time + takes - due)

    def score(self, state):
        return -state[2]
