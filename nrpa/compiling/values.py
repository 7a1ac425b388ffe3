"""What generated kernels do with single values: write them to cells, and hash codes."""

from __future__ import annotations

import functools

import numpy as np
from numba import types
from numba.core.errors import TypingError

from nrpa.compiling.containers import Members, Rows
from nrpa.compiling.idioms import as_rows
from nrpa.compiling.options import allocating, overloaded
from nrpa.engine.random import mixed
from nrpa.machine.jit import as_int64, made

FACTOR = np.uint64(0x9E3779B97F4A7C15)


def put(cell, value):
    """Write a value to its cell; a ValueError for an array of another shape."""


@overloaded(put)
def _put(cell, value):
    kind = types.unliteral(value)
    while isinstance(kind, (types.Array, types.UniTuple)):
        kind = kind.dtype
    if not isinstance(kind, (types.Number, types.Boolean)) or _rank(cell.dtype) < _rank(kind):
        raise TypingError(f"the state has {kind} where it began with {cell.dtype}; begin with float(...) or int(...)")
    if isinstance(value, types.Array):
        return _put_array(value.ndim, (value.layout, value.dtype) == ("C", cell.dtype))
    if isinstance(value, types.UniTuple):
        return _put_rows if isinstance(value.dtype, types.UniTuple) else _put_tuple
    return _put_number


def _rank(kind):
    return next(
        place for place, each in enumerate((types.Boolean, types.Integer, types.Float)) if isinstance(kind, each)
    )


@functools.cache
def _put_array(axes, may_be_cell):
    """Return a function that writes an array entry by entry: numba's own way formats an error, slow to compile.

    An array that may be the cell is not written where it begins there. Others are copied first, as they may overlap it.
    """
    index = ", ".join(f"i{axis}" for axis in range(axes))
    lines = ["def put_array(cell, value):", "    if cell.shape != value.shape:", "        raise ValueError"]
    lines += [] if may_be_cell else ["    value = value.copy()"]
    lines.append("    if cell.ctypes.data != value.ctypes.data:")
    lines += [f"{'    ' * (axis + 2)}for i{axis} in range(value.shape[{axis}]):" for axis in range(axes)]
    lines.append(f"{'    ' * (axes + 2)}cell[{index}] = value[{index}]")
    return made("\n".join(lines) + "\n", "put_array", {})


def _put_tuple(cell, value):
    if len(cell) != len(value):
        raise ValueError
    for place in range(len(value)):
        cell[place] = value[place]


def _put_rows(cell, value):
    if len(cell) != len(value):
        raise ValueError
    for place in range(len(value)):
        put(cell[place], value[place])


def _put_number(cell, value):
    cell[0] = value


@allocating
def put_part(cell, length, value):
    """Write an array to the beginning of its cell, and its length."""
    if len(value) > len(cell):
        raise ValueError
    length[0] = len(value)
    if len(value) > 0:  # what is empty may be of another shape
        put(cell[: len(value)], value)


def lies_in(value, cell, other):
    """Return whether an array lies in the memory of a cell, and not where its own begins."""


@overloaded(lies_in)
def _lies_in(value, cell, other):
    return _array_lies_in if isinstance(value, types.Array) else lambda value, cell, other: False


def _array_lies_in(value, cell, other):
    begin, start = value.ctypes.data, other.ctypes.data
    return begin != cell.ctypes.data and start <= begin < start + other.size * other.itemsize


def copied(value):
    """Return a copy of an array, and anything else as it is."""


@overloaded(copied)
def _copied(value):
    return (lambda value: value.copy()) if isinstance(value, types.Array) else lambda value: value


def bits(number):
    """Return a whole number as it is, and the bits of any other as float64."""


@overloaded(bits)
def _bits(number):
    is_whole = isinstance(number, (types.Integer, types.Boolean))
    return (lambda number: np.int64(number)) if is_whole else lambda number: as_int64(np.float64(number))


def within(code, codes):
    """Return a code that is a number from 0 to ``codes`` - 1; a ValueError for any other."""


@overloaded(within)
def _within(code, codes):
    if not isinstance(code, types.Integer):
        raise TypingError(f"a code is a whole number where the class says how many there are (codes), not {code}")
    return _below


def _below(code, codes):
    if not 0 <= code < codes:
        raise ValueError
    return np.int64(code)


def hashed(value):
    """Return a hash of a whole number or a tuple of some, all 64 bits of which count."""


@overloaded(hashed)
def _hashed(value):
    if isinstance(value, (types.Integer, types.Boolean)):
        return lambda value: np.int64(mixed(np.uint64(value)))
    if isinstance(value, types.Float):
        return lambda value: np.int64(
            mixed(np.uint64(np.int64(value) if value == np.floor(value) else as_int64(value)))
        )
    if isinstance(value, types.Array):
        return _hash_of_array
    if isinstance(value, Members):
        return lambda value: hashed(value.keys)
    if isinstance(value, Rows):
        return lambda value: _hash_of_rows(as_rows(value))
    if isinstance(value, types.BaseTuple):
        lines = [f"    word = mixed(word * FACTOR + np.uint64(hashed(value[{k}])))" for k in range(len(value))]
        source = "\n".join(
            ["def of_tuple(value):", f"    word = np.uint64({len(value) + 1})", *lines, "    return np.int64(word)"]
        )
        names = {"np": np, "mixed": mixed, "hashed": hashed, "FACTOR": FACTOR}
        return made(source + "\n", "of_tuple", names)
    raise TypingError(f"a code or key is of numbers, tuples and sets of them, not {value}")


def _hash_of_array(value):
    word = np.uint64(value.size + 1)
    for each in value.flat:
        word = mixed(word * FACTOR + np.uint64(hashed(each)))
    return np.int64(word)


@allocating
def _hash_of_rows(values):
    return hashed((values.flat, values.ends))


@allocating
def begins_of(ends):
    """Return where rows begin that end at some places, one after the other."""
    begins = np.zeros(len(ends), np.int64)
    for place in range(1, len(ends)):
        begins[place] = ends[place - 1]
    return begins
