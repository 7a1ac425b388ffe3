"""What generated kernels do with single values: write them to cells, hash codes, pack moves into numbers."""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numba.core.errors import TypingError
from numba.extending import overload

from nrpa.compiling.cells import BITS
from nrpa.engine.random import mixed
from nrpa.machine.jit import as_int64, made

OPTIONS = {"nogil": True, "_nrt": True}


def put(cell, value):
    """Write a value to its cell; a ValueError for an array of another shape."""


@overload(put, jit_options=OPTIONS)
def _put(cell, value):
    if isinstance(value, types.Array):
        if value.ndim != cell.ndim or not _holds(cell.dtype, value.dtype):
            raise TypingError(f"the state has an array of {value.dtype} here, and one of {cell.dtype} elsewhere")
        return _put_array
    if isinstance(value, types.Literal):
        value = types.unliteral(value)
    if not isinstance(value, (types.Number, types.Boolean)) or not _holds(cell.dtype, value):
        raise TypingError(f"the state has {value} here, and {cell.dtype} elsewhere: write float(...) or int(...)")
    return _put_number


def _holds(cell, value):
    kinds = (types.Boolean, types.Integer, types.Float)
    rank = [next(place for place, kind in enumerate(kinds) if isinstance(each, kind)) for each in (cell, value)]
    return rank[0] >= rank[1]


def _put_array(cell, value):
    if cell.shape != value.shape:
        raise ValueError
    cell[...] = value


def _put_number(cell, value):
    cell[0] = value


@njit(**OPTIONS)
def apart(value, cell, other):
    """Return an array, copied where it lies in the memory of a cell that is not its own."""
    begin, start = value.ctypes.data, other.ctypes.data
    if begin != cell.ctypes.data and start <= begin < start + other.nbytes:
        return value.copy()
    return value


def hashed(value):
    """Return a hash of a whole number or a tuple of some, all 64 bits of which count."""


@overload(hashed, jit_options=OPTIONS)
def _hashed(value):
    if isinstance(value, (types.Integer, types.Boolean)):
        return lambda value: np.int64(mixed(np.uint64(value)))
    if isinstance(value, types.Float):
        return lambda value: np.int64(
            mixed(np.uint64(np.int64(value) if value == np.floor(value) else as_int64(value)))
        )
    if isinstance(value, types.BaseTuple):
        lines = [f"    word = mixed(word * FACTOR + np.uint64(hashed(value[{k}])))" for k in range(len(value))]
        source = "\n".join(
            ["def of_tuple(value):", f"    word = np.uint64({len(value) + 1})", *lines, "    return np.int64(word)"]
        )
        names = {"np": np, "mixed": mixed, "hashed": hashed, "FACTOR": np.uint64(0x9E3779B97F4A7C15)}
        return made(source + "\n", "of_tuple", names)
    raise TypingError(f"a code or key is of whole numbers and tuples of them, not {value}")


def packed(move):
    """Return the number of a move; an OverflowError where it does not fit."""


@overload(packed, jit_options=OPTIONS)
def _packed(move):
    if isinstance(move, (types.Integer, types.Boolean)):
        return _as_int64
    if isinstance(move, types.BaseTuple) and len(move) in BITS and all(isinstance(p, types.Integer) for p in move):
        bits = BITS[len(move)]
        lines = [f"    number = (number << {bits}) + within(move[{k}])" for k in range(len(move))]
        source = "\n".join(["def of_tuple(move):", "    number = np.int64(0)", *lines, "    return number"])
        return made(source + "\n", "of_tuple", {"np": np, "within": _within(2 ** (bits - 1))})
    raise TypingError(f"a move is a whole number or a tuple of 2 or 3, not {move}")


def _as_int64(move):
    return np.int64(move)


def _within(limit):
    @njit(**OPTIONS)
    def within(part):
        if not -limit <= part < limit:
            raise OverflowError
        return np.int64(part)

    return within


def unpacked(length):
    """Return a compiled function from the number of a move to the move."""
    if length == 0:
        return njit(**OPTIONS)(lambda number: number)
    bits = BITS[length]
    half, whole = 2 ** (bits - 1), 2**bits

    @njit(**OPTIONS)
    def low(number):
        return ((number + half) & (whole - 1)) - half

    @njit(**OPTIONS)
    def pair(number):
        last = low(number)
        return (number - last) >> bits, last

    @njit(**OPTIONS)
    def triple(number):
        last = low(number)
        rest = (number - last) >> bits
        middle = low(rest)
        return (rest - middle) >> bits, middle, last

    return pair if length == 2 else triple
