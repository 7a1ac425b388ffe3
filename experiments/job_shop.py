"""The job shop in plain Python, as one would write it for nrpa, with the instances ft06 and ft10.

H. Fisher and G. L. Thompson, *Probabilistic learning combinations of local job-shop scheduling rules*, 1963. The least
makespans are 55 and 930.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nrpa

INSTANCES = Path(__file__).parent / "strangers" / "instances"
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
        if name not in BEST:
            raise nrpa.InputError(f"{name}: expected {' or '.join(BEST)}")
        text = (INSTANCES / f"{name}.txt").read_text(encoding="utf-8")
        rows = [list(map(int, line.split())) for line in text.splitlines()]
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
