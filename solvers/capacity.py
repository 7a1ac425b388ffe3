"""How much a search allocates, and how that grows where a problem does not say it before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from nrpa.engine.status import TOO_MANY_MOVES, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS, failure
from nrpa.modelling.problem import Problem


@dataclass(frozen=True)
class Room:
    """Room for a playout: its ``steps``, the legal ``moves`` of one state, and their ``total`` over the playout."""

    steps: int
    moves: int
    total: int

    @classmethod
    def of(cls, problem: Problem) -> Room:
        """Return what the problem says, or where it is in plain Python and does not know, a beginning."""
        if problem.in_python:
            return cls(min(64, problem.max_steps), 16, 256)
        return cls(problem.max_steps, problem.max_moves, problem.max_total)

    def larger(self, status: int, problem: Problem) -> Room:
        """Return twice the room of the kind that ran out. Raises ProblemError where that is not to be had."""
        if not problem.in_python:
            raise failure(status, problem)
        if status == TOO_MANY_STEPS and self.steps < problem.max_steps:
            return replace(self, steps=min(2 * self.steps, problem.max_steps))
        if status == TOO_MANY_MOVES:
            return replace(self, total=2 * self.total)
        if status == TOO_MANY_MOVES_AT_ONCE:
            return replace(self, moves=2 * self.moves, total=2 * self.total)
        raise failure(status, problem)


def enlarged_arrays(record: Any, larger: Any) -> Any:
    """Return the NamedTuple ``larger`` of arrays with the content of ``record`` in their first corner."""
    for old, new in zip(record, larger, strict=True):
        new[tuple(map(slice, old.shape))] = old
    return larger
