"""Whole numbers and tuples of two or three as single numbers: how moves and keys are kept."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError

from nrpa.compiling.options import allocating, overloaded
from nrpa.machine.jit import made

# How a tuple of two or three whole numbers is one number: the bits of each.
BITS = {2: 32, 3: 21}


def pack(value: Any) -> int:
    """Return a whole number, or a tuple of two or three, as one number; an OverflowError where it does not fit.

    >>> pack((3, -1)), unpack(2).py_func(12884901887), unpack(3).py_func(pack((1, 0, -5)))
    (12884901887, (3, -1), (1, 0, -5))
    """
    parts = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(part, (int, np.integer)) for part in parts) or (value is parts and len(parts) not in BITS):
        raise TypeError
    number, bits = 0, BITS.get(len(parts), 64)
    for part in parts:
        if not -(2 ** (bits - 1)) <= part < 2 ** (bits - 1):
            raise OverflowError
        number = (number << bits) + int(part)
    return number


@overloaded(pack)
def _packed(value):
    if isinstance(value, (types.Integer, types.Boolean)):
        return lambda value: np.int64(value)
    if isinstance(value, types.BaseTuple) and len(value) in BITS and all(isinstance(p, _WHOLE) for p in value):
        bits = BITS[len(value)]
        lines = [f"    number = (number << {bits}) + within(value[{k}])" for k in range(len(value))]
        source = "\n".join(["def of_tuple(value):", "    number = np.int64(0)", *lines, "    return number\n"])
        return made(source, "of_tuple", {"np": np, "within": _within(2 ** (bits - 1))})
    raise TypingError(f"a move, or key, is a whole number or a tuple of 2 or 3, not {value}")


_WHOLE = (types.Integer, types.Boolean)


def _within(limit):
    @allocating
    def within(part):
        if not -limit <= part < limit:
            raise OverflowError
        return np.int64(part)

    return within


@functools.cache
def unpack(length):
    """Return a compiled function from a number to the tuple of so many that it is; for 0, to the number itself."""
    if length == 0:
        return allocating(lambda number: number)
    bits = BITS[length]
    lines = []
    for place in reversed(range(1, length)):
        lines.append(f"    part{place} = ((number + {2 ** (bits - 1)}) & {2**bits - 1}) - {2 ** (bits - 1)}")
        lines.append(f"    number = (number - part{place}) >> {bits}")
    parts = ", ".join(["number", *(f"part{place}" for place in range(1, length))])
    return allocating(made("\n".join(["def tuple_of(number):", *lines, f"    return {parts}\n"]), "tuple_of", {}))
