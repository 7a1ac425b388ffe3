"""The job shop of strangers/ with a code and a bias, as one would write it who knows nrpa; instances ft06 and ft10.

H. Fisher and G. L. Thompson, *Probabilistic learning combinations of local job-shop scheduling rules*, 1963. The least
makespans are 55 and 930.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.registry import problem_class

BEST = {"ft06": 55, "ft10": 930}
PlainJobShop: Any = problem_class(f"{Path(__file__).resolve().parent}/strangers/jobshop.py:JobShop")


class JobShop(PlainJobShop):
    """Operations of jobs, each on a machine for so long; a move begins the next one of a job as early as it can."""

    @classmethod
    def load(cls, name: str) -> Any:
        """Return one of the instances here."""
        if name not in BEST:
            raise InputError(f"{name}: expected {' or '.join(BEST)}")
        return super().load(name)

    def code(self, state: Any, move: int) -> Any:
        """Return the operation: a job and how many of its operations are done."""
        return move, state[0][move]

    def bias(self, state: Any, move: int) -> float:
        """Prefer what can begin early and has most work left."""
        done, free, idle = state
        left = self.jobs[move][done[move] :]
        return (0.5 * sum(duration for _, duration in left) - max(free[move], idle[left[0][0]])) / 20
