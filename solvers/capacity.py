"""How much a search allocates, and how that grows where nobody knows it before."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.model import Model
from nrpa.engine.status import TOO_MANY_MOVES, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS, failure

FIRST_STEPS = 64


class Capacity(NamedTuple):
    """Room for a playout: its ``steps``, the legal ``moves`` of one state, and their ``total`` over the playout."""

    steps: int
    moves: int
    total: int

    @classmethod
    def of(cls, model: Model) -> Capacity:
        """Return what the model says; where that is only a beginning, a beginning of the steps, too."""
        steps, moves, total, grow = model.limits
        return cls(min(FIRST_STEPS, steps) if grow else steps, moves, total)

    def larger(self, status: int, model: Model) -> Capacity:
        """Return twice the room of the kind that ran out. Raises ProblemError where that is not to be had."""
        if not model.limits.grow:
            raise failure(status, model)
        if status == TOO_MANY_STEPS and self.steps < model.limits.steps:
            return self._replace(steps=min(2 * self.steps, model.limits.steps))
        if status == TOO_MANY_MOVES:
            return self._replace(total=2 * self.total)
        if status == TOO_MANY_MOVES_AT_ONCE:
            return self._replace(moves=2 * self.moves, total=2 * self.total)
        raise failure(status, model)

    def holding(self, steps: int, total: int) -> Capacity:
        """Return a capacity, doubled as often as needed, for a playout of ``steps`` steps and ``total`` legal moves."""
        larger = self
        while larger.steps < steps:
            larger = larger._replace(steps=2 * larger.steps)
        while larger.total < total:
            larger = larger._replace(total=2 * larger.total)
        return larger

    def array(self) -> np.ndarray:
        """Return the three numbers, int64[3]."""
        return np.array(self, np.int64)


def enlarged_arrays(record: Any, larger: Any) -> Any:
    """Return the NamedTuple ``larger`` of arrays with the content of ``record`` in their first corner."""
    for old, new in zip(record, larger, strict=True):
        new[tuple(map(slice, old.shape))] = old
    return larger
