"""Idioms of Python that numba lacks: what each does in Python, and what takes its place in machine code.

A tuple that is computed, and not written out, has any number of elements, and becomes an array: ``tuple(x)``,
``(0,) * n``, ``(*x, y)``, ``x + (y,)``, ``()``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError

from nrpa.compiling.options import allocating, overloaded
from nrpa.machine.jit import made, popcount

_SEQUENCES = (types.Array, types.List, types.BaseTuple, types.RangeType)


def no_moves(example: Any) -> Callable[[], Any]:
    """Return a function that returns an empty list of moves of the kind of an example."""
    function: Callable[[], Any] = allocating(lambda: [example][:0])
    return function


def sequence(values: Any) -> Any:
    """Return values as an array: what ``tuple(values)`` becomes."""
    return np.array([*values]) if len(values) else np.zeros(0, np.int64)


@overloaded(sequence)
def _sequence(values):
    if isinstance(values, types.Array):
        return lambda values: values.copy()
    if isinstance(values, types.BaseTuple) and len(values) == 0:
        return lambda values: np.zeros(0, np.int64)
    if isinstance(values, _SEQUENCES):
        width = getattr(getattr(values, "dtype", None), "count", 0)
        return _array_of_rows(width) if width else _array_of_numbers
    return None


def _array_of_numbers(values):
    array = np.empty(len(values), _kind(values))
    for place, value in enumerate(values):
        array[place] = value
    return array


def _kind(values: Any) -> Any:
    """Return the NumPy type of the elements of a sequence."""


@overloaded(_kind)
def _kind_of(values):
    kind = types.int64 if isinstance(values, types.RangeType) else values.dtype
    dtype = np.bool_ if isinstance(kind, types.Boolean) else np.float64 if isinstance(kind, types.Float) else np.int64
    return lambda values: dtype


def _array_of_rows(width):
    def of_rows(values):
        size = len(values)
        array = np.empty((size, width), np.int64)
        for place in range(size):
            for part in range(width):
                array[place, part] = values[place][part]
        return array

    return of_rows


def concatenated(one: Any, other: Any) -> Any:
    """Return what ``(*one, *other)`` becomes: an array, or a tuple where both are tuples that are written out."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return one + other
    return np.concatenate([sequence(one), sequence(other)]) if len(one) + len(other) else sequence(())


@overloaded(concatenated)
def _joined(one, other):
    if isinstance(one, types.BaseTuple) and isinstance(other, types.BaseTuple):
        return lambda one, other: one + other
    if isinstance(one, _SEQUENCES) and isinstance(other, _SEQUENCES):
        return lambda one, other: np.concatenate((sequence(one), sequence(other)))
    return lambda one, other: one + other


def repeated(values: Any, times: int) -> Any:
    """Return values so many times, as an array: what ``(0,) * n`` becomes."""
    return np.tile(sequence(values), max(times, 0))


@overloaded(repeated)
def _repeated(values, times):
    def of_values(values, times):
        once = sequence(values)
        size = len(once)
        array = np.empty(size * max(times, 0), once.dtype)
        for place in range(len(array)):
            array[place] = once[place % size]
        return array

    return of_values


@allocating
def count_of(values, wanted):
    """Return how many of some values are equal to one: ``values.count(wanted)``."""
    number = 0
    for value in values:
        number += value == wanted
    return number


@allocating
def place_of(values, wanted):
    """Return the first place of a value: ``values.index(wanted)``."""
    for place, value in enumerate(values):
        if value == wanted:
            return place
    raise ValueError


@allocating
def bit_count(number):
    """Return how many bits of a number are 1."""
    return np.int64(popcount(np.int64(abs(number))))


@allocating
def bit_length(number):
    """Return the bits that a number takes."""
    length, left = 0, abs(number)
    while left:
        left >>= 1
        length += 1
    return length


@allocating
def least(values):
    """Return the least of some values."""
    return least_by(values, values)


@allocating
def greatest(values):
    """Return the greatest of some values."""
    return greatest_by(values, values)


def less(one: Any, other: Any) -> Any:
    """Return whether a key comes before another; of two rows, by the first place where they differ."""
    return bool(one < other) if np.ndim(one) == 0 else tuple(one) < tuple(other)


@overloaded(less)
def _less(one, other):
    return _less_row if isinstance(one, types.Array) else lambda one, other: one < other


def _less_row(one, other):
    for place in range(min(len(one), len(other))):
        if one[place] != other[place]:
            return one[place] < other[place]
    return len(one) < len(other)


@allocating
def least_by(values, keys):
    """Return the first value of least key."""
    if len(keys) == 0:
        raise ValueError
    best = 0
    for place in range(1, len(keys)):
        if less(keys[place], keys[best]):
            best = place
    return values[best]


@allocating
def greatest_by(values, keys):
    """Return the first value of greatest key."""
    if len(keys) == 0:
        raise ValueError
    best = 0
    for place in range(1, len(keys)):
        if less(keys[best], keys[place]):
            best = place
    return values[best]


@allocating
def sorted_by(values, keys):
    """Return values in the order of their keys, those of equal keys in their own order."""
    for place in range(1, len(keys)):
        at = place
        while at > 0 and less(keys[at], keys[at - 1]):
            keys[at], keys[at - 1] = keys[at - 1], keys[at]
            values[at], values[at - 1] = values[at - 1], values[at]
            at -= 1
    return values


def rows(width: int) -> Any:
    """Return a function from a matrix with rows of a width to tuples, and from anything else to itself."""

    def tuples(values: Any) -> Any:
        return values

    @overloaded(tuples)
    def of_type(values):
        if isinstance(values, types.Array) and values.ndim == 2:
            parts = ", ".join(f"row[{k}]" for k in range(width))
            source = f"def of_rows(values):\n    check(values)\n    return [({parts},) for row in values]\n"
            return made(source, "of_rows", {"check": _width_check(width)})
        return lambda values: values

    return tuples


def row_as_tuple(width: int) -> Any:
    """Return a function from a row of a width to a tuple, and from anything else to itself."""

    def as_tuple(row: Any) -> Any:
        return row

    @overloaded(as_tuple)
    def of_type(row):
        if isinstance(row, (types.Array, types.List)):
            found = ", ".join(f"row[{k}]" for k in range(width))
            source = f"def of_row(row):\n    if len(row) != {width}:\n        raise ValueError\n    return ({found},)\n"
            return made(source, "of_row", {})
        return lambda row: row

    return as_tuple


def _width_check(width):
    @allocating
    def check(values):
        if values.shape[1] != width:
            raise ValueError

    return check


def replace(names: tuple[str, ...]) -> Any:
    """Return a function that does what ``record._replace`` with keywords of these names does."""

    def replaced(record: Any, *values: Any) -> Any:
        return record._replace(**dict(zip(names, values, strict=True)))

    @overloaded(replaced, strict=False)
    def of_types(record, *values):
        if not isinstance(record, types.BaseNamedTuple) or not {*names} <= {*record.fields}:
            raise TypingError(f"_replace of {', '.join(names)} is for a NamedTuple that has them")
        found = [f"values[{names.index(field)}]" if field in names else f"record.{field}" for field in record.fields]
        source = f"def replaced(record, *values):\n    return Record({', '.join(found)})\n"
        return made(source, "replaced", {"Record": record.instance_class})

    return replaced
