"""How much room a search allocates, and how that grows where nobody knows it before."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.model import Model
from nrpa.engine.status import TOO_MANY_MOVES, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS, failure

FIRST_STEPS = 64


class Capacity(NamedTuple):
    """Room for a playout.

    - ``steps``: The moves of a playout.
    - ``moves``, ``total``: The legal moves of one state, and those of all states of a playout.

    >>> Capacity(steps=64, moves=16, total=256).holding(steps=100, total=1000)
    Capacity(steps=128, moves=16, total=1024)
    """

    steps: int
    moves: int
    total: int

    @classmethod
    def of(cls, model: Model) -> Capacity:
        """Return the room that a search begins with: the limits, but ``FIRST_STEPS`` steps at most if they can grow."""
        steps, moves, total, grow = model.limits
        return cls(min(FIRST_STEPS, steps) if grow else steps, moves, total)

    def larger(self, status: int, model: Model) -> Capacity:
        """Return twice the room of the kind that ran out.

        Raises ProblemError if the problem does not let the room grow, or the status says something else.
        """
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
        """Return a capacity, doubled as often as needed, that holds a given playout."""
        larger = self
        while larger.steps < steps:
            larger = larger._replace(steps=2 * larger.steps)
        while larger.total < total:
            larger = larger._replace(total=2 * larger.total)
        return larger

    def array(self) -> np.ndarray:
        """Return the three numbers as int64[3]."""
        return np.array(self, np.int64)


def enlarged_arrays(record: Any, larger: Any) -> Any:
    """Copy the arrays of a record into the first corners of those of ``larger``, and return it."""
    for old, new in zip(record, larger, strict=True):
        new[tuple(map(slice, old.shape))] = old
    return larger
