"""The job shop in plain Python, as one would write it for nrpa, with the instances ft06 and ft10.

H. Fisher and G. L. Thompson, *Probabilistic learning combinations of local job-shop scheduling rules*, 1963. The least
makespans are 55 and 930.
"""

from __future__ import annotations

from typing import Any

import nrpa

INSTANCES = {
    "ft06": """
        2 1 0 3 1 6 3 7 5 3 4 6
        1 8 2 5 4 10 5 10 0 10 3 4
        2 5 3 4 5 8 0 9 1 1 4 7
        1 5 0 5 2 5 3 3 4 8 5 9
        2 9 1 3 4 5 5 4 0 3 3 1
        1 3 3 3 5 9 0 10 4 4 2 1""",
    "ft10": """
        0 29 1 78 2 9 3 36 4 49 5 11 6 62 7 56 8 44 9 21
        0 43 2 90 4 75 9 11 3 69 1 28 6 46 5 46 7 72 8 30
        1 91 0 85 3 39 2 74 8 90 5 10 7 12 6 89 9 45 4 33
        1 81 2 95 0 71 4 99 6 9 8 52 7 85 3 98 9 22 5 43
        2 14 0 6 1 22 5 61 3 26 4 69 8 21 7 49 9 72 6 53
        2 84 1 2 5 52 3 95 8 48 9 72 0 47 6 65 4 6 7 25
        1 46 0 37 3 61 2 13 6 32 5 21 9 32 8 89 7 30 4 55
        2 31 0 86 1 46 5 74 4 32 6 88 8 19 9 48 7 36 3 79
        0 76 1 69 3 76 5 51 2 85 9 11 6 40 7 89 4 26 8 74
        1 85 0 13 2 61 6 7 8 64 9 76 5 47 3 52 4 90 7 45""",
}
BEST = {"ft06": 55, "ft10": 930}

State = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


class JobShop(nrpa.Problem):
    """Operations of jobs, each on a machine for so long; a move begins the next one of a job as early as it can."""

    objective = nrpa.Objective("makespan", sign=-1)

    def __init__(self, jobs: list[list[tuple[int, int]]]) -> None:
        self.jobs = jobs
        self._left = [[sum(d for _, d in job[k:]) for k in range(len(job))] for job in jobs]

    @classmethod
    def load(cls, name: str) -> JobShop:
        """Return one of the instances here."""
        if name not in INSTANCES:
            raise nrpa.InputError(f"{name}: expected {' or '.join(INSTANCES)}")
        rows = [list(map(int, line.split())) for line in INSTANCES[name].strip().splitlines()]
        return cls([list(zip(row[::2], row[1::2], strict=True)) for row in rows])

    def initial_state(self) -> State:
        """Return the operations done of each job, and when each job and each machine is free."""
        machines = 1 + max(machine for job in self.jobs for machine, _ in job)
        return (0,) * len(self.jobs), (0,) * len(self.jobs), (0,) * machines

    def legal_moves(self, state: State) -> list[int]:
        """Return the jobs that are not finished."""
        return [job for job, done in enumerate(state[0]) if done < len(self.jobs[job])]

    def play(self, state: State, move: int) -> State:
        """Begin the next operation of a job as early as can be."""
        done, free, idle = map(list, state)
        machine, duration = self.jobs[move][done[move]]
        free[move] = idle[machine] = max(free[move], idle[machine]) + duration
        done[move] += 1
        return tuple(done), tuple(free), tuple(idle)

    def score(self, state: State) -> float:
        """Return -makespan."""
        return -max(state[1])

    def code(self, state: State, move: int) -> Any:
        """Return the operation: a job and how many of its operations are done."""
        return move, state[0][move]

    def bias(self, state: State, move: int) -> float:
        """Prefer what can begin early and has most work left."""
        done = state[0][move]
        machine, _ = self.jobs[move][done]
        return (0.5 * self._left[move][done] - max(state[1][move], state[2][machine])) / 20
