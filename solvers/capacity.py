"""How much a search allocates, and how that grows where a problem does not say it before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from nrpa.engine.model import Model
from nrpa.engine.status import TOO_MANY_MOVES, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS, failure


@dataclass(frozen=True)
class Room:
    """Room for a playout: its ``steps``, the legal ``moves`` of one state, and their ``total`` over the playout."""

    steps: int
    moves: int
    total: int

    @classmethod
    def of(cls, model: Model) -> Room:
        """Return what the model says."""
        steps, moves, total, grow = model.limits
        return cls(min(64, steps) if grow else steps, moves, total)

    def larger(self, status: int, model: Model) -> Room:
        """Return twice the room of the kind that ran out. Raises ProblemError where that is not to be had."""
        if not model.limits.grow:
            raise failure(status, model)
        if status == TOO_MANY_STEPS and self.steps < model.limits.steps:
            return replace(self, steps=min(2 * self.steps, model.limits.steps))
        if status == TOO_MANY_MOVES:
            return replace(self, total=2 * self.total)
        if status == TOO_MANY_MOVES_AT_ONCE:
            return replace(self, moves=2 * self.moves, total=2 * self.total)
        raise failure(status, model)


def enlarged_arrays(record: Any, larger: Any) -> Any:
    """Return the NamedTuple ``larger`` of arrays with the content of ``record`` in their first corner."""
    for old, new in zip(record, larger, strict=True):
        new[tuple(map(slice, old.shape))] = old
    return larger
