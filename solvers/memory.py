"""What the memory of every compiled search contains, how much room it has, and how that grows.

Where nobody knows how long playouts get, a search begins with little room.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.hash_table import HashTable, rehashed
from nrpa.engine.incumbent import allocate_incumbent, allocate_tally
from nrpa.engine.model import Model
from nrpa.engine.random import Seed, random_state
from nrpa.engine.records import mapped, parts
from nrpa.engine.status import TOO_MANY_MOVES, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS, failure

FIRST_STEPS = 64


class Capacity(NamedTuple):
    """Room for a playout.

    >>> Capacity(steps=64, moves=16, total=256).holding(steps=100, total=1000)
    Capacity(steps=128, moves=16, total=1024)
    """

    steps: int  # the moves of a playout
    # moves, total: the legal moves of one state, and those of all states of a playout
    moves: int
    total: int

    @classmethod
    def of(cls, model: Model) -> Capacity:
        """Return the room that a search begins with: the limits, but ``FIRST_STEPS`` steps at most if they can grow."""
        steps, moves, total, grow = model.limits
        return cls(min(FIRST_STEPS, steps) if grow else steps, moves, total)

    def larger(self, status: int, model: Model) -> Capacity:
        """Return twice the room of the kind that ran out."""
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


def common_parts(capacity: Capacity, seed: Seed) -> dict[str, Any]:
    """Return the parts of a memory that are the same for all algorithms: ``best``, ``tally``, ``random``, ``room``."""
    return {
        "best": allocate_incumbent(capacity.steps),
        "tally": allocate_tally(),
        "random": random_state(seed),
        "room": np.array(capacity, np.int64),
    }


def enlarged(record: Any, larger: Any) -> Any:
    """Return a record with arrays of the shapes in ``larger``, which begin with what is in its own.

    An array that has the shape already is taken as it is, but for ``room``, and the keys of a hash table are entered
    anew.
    """
    if isinstance(record, np.ndarray):
        if record.shape == larger.shape:
            return record
        larger[tuple(map(slice, record.shape))] = record
        return larger
    if isinstance(record, HashTable) and len(record.word) < len(larger.word):
        return rehashed(record, larger)
    grown = type(record)(*map(enlarged, record, larger))
    return grown._replace(room=larger.room) if hasattr(larger, "room") else grown


def rows_of(record: Any, begin: int, end: int) -> Any:
    """Return a record of the rows ``begin`` to ``end`` - 1 of all arrays, as views."""
    return mapped(lambda _, array: array[begin:end], record)


def write_rows(record: Any, begin: int, rows: Any) -> None:
    """Write what ``rows_of`` gave, whose rows may be shorter now, to where it was."""
    for (_, array), (_, own) in zip(parts(record), parts(rows), strict=True):
        array[(slice(begin, begin + len(own)), *map(slice, own.shape[1:]))] = own
