"""Whether a search can go on from a memory that was read from a file: compiled code does not check lengths and indices.

Each search says in ``require_sound`` what its memory may hold, by the functions here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nrpa.base.values import MOST_PLAYOUTS
from nrpa.engine.hash_table import FREE, HashTable
from nrpa.engine.incumbent import Incumbent, Tally
from nrpa.engine.records import mapped, parts

# No state of a problem that does not say how many moves it has can have more.
MOST_MOVES = 2**24


class UnsoundError(Exception):
    """No search can go on from a memory; the message names the array, and says what was expected."""


def require(holds: Any, name: str, expected: str) -> None:
    """Raise UnsoundError unless something holds for an array."""
    if not holds:
        raise UnsoundError(f"array {name} does not fit: expected {expected}")


def record_of(fresh: Any, arrays: Mapping[str, np.ndarray], name: str) -> Any:
    """Return a record of the same classes and types as ``fresh``, of arrays by their paths; their sizes may differ."""

    def found(path: str, wanted: np.ndarray) -> np.ndarray:
        array = arrays.get(path)
        if array is None or (array.dtype, array.ndim) != (wanted.dtype, wanted.ndim):
            raise UnsoundError(f"array {path} is missing, or not of {wanted.ndim} dimensions of {wanted.dtype}")
        # A bool whose byte is neither 0 nor 1 is more than one thing to compiled code.
        return np.ascontiguousarray(array != 0 if array.dtype == np.bool_ else array)

    return mapped(found, fresh, name)


def within(name: str, array: np.ndarray, lowest: Any, highest: Any) -> None:
    """Raise UnsoundError unless all of an array lies between two numbers, or between the elements of two arrays."""
    outside = ~((array >= lowest) & (array <= highest))
    if outside.any():
        found, low, high = (np.broadcast_to(part, array.shape)[outside][0] for part in (array, lowest, highest))
        raise UnsoundError(f"array {name} holds {found}; expected {low} to {high}")


def require_finite(name: str, array: np.ndarray) -> None:
    """Raise UnsoundError for a number that is infinite or NaN."""
    wrong = array[~np.isfinite(array)]
    if wrong.size:
        raise UnsoundError(f"array {name} holds {wrong.flat[0]}; expected finite numbers")


def require_numbers(name: str, array: np.ndarray) -> None:
    """Raise UnsoundError for NaN."""
    require(not np.isnan(array).any(), name, "no NaN")


def require_shapes(name: str, found: Any, wanted: Any) -> None:
    """Raise UnsoundError unless two records have arrays of the same shapes."""
    for (path, one), (_, other) in zip(parts(found, name), parts(wanted, name), strict=True):
        if one.shape != other.shape:
            raise UnsoundError(f"array {path} has the shape {one.shape}; expected {other.shape}")


def require_table(name: str, table: HashTable, used: int, values: int | None = None) -> None:
    """Raise UnsoundError unless a hash table has ``used`` keys, enough free slots, and values below ``values``."""
    slots = table.slots
    require(slots >= 2 and slots & (slots - 1) == 0 and len(table.word) == 2 * slots, name, "a power of two of slots")
    occupied = table.word[::2] != FREE
    require(np.count_nonzero(occupied) == used <= slots // 4 * 3, name, f"{used} keys, and a quarter of its slots free")
    if values is not None:
        within(name, table.word[1::2][occupied], 0, values - 1)


def require_standing(best: Incumbent, tally: Tally) -> None:
    """Raise UnsoundError unless the best sequence fits into its room, and the counts can be counts."""
    within("memory/best/length", best.length, 0, len(best.move))
    require_numbers("memory/best/score", best.score)
    within("memory/tally/playouts", tally.playouts, 0, MOST_PLAYOUTS)
    within("memory/tally/searches", tally.searches, 0, tally.playouts[0])
