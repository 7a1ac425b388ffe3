"""Calls from compiled kernels back into Python.

A kernel cannot hold a Python object, but it can hold an address. ``Callback`` wraps a Python function as a C function;
its ``address`` goes into an int64 field of the problem's instance, and the kernel calls ``call(address, array)``. The
call takes the GIL by itself, so the search may run without it. ``call_int64`` is the same door for functions of two
whole numbers, and the loads read what they left in memory that a Python object owns.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int64)


class Callback:
    """A Python function from bytes to float that kernels can call.

    address: what ``call`` takes; valid as long as this object lives, in this process only.

    When the function raises, the exception is kept for the thread it was raised in, and the kernel gets NaN. A kernel
    ``score`` returns it, which ends the search; the problem's ``raise_kept_error`` then calls the one here.
    """

    def __init__(self, function: Callable[[bytes], float]) -> None:
        self._function = function
        self._kept = threading.local()
        self._pointer = _PROTOTYPE(self._call)
        self.address: int = ctypes.cast(self._pointer, ctypes.c_void_p).value or 0

    def _call(self, data: int, size: int) -> float:
        if getattr(self._kept, "error", None) is not None:
            return math.nan
        try:
            return float(self._function(ctypes.string_at(data, size)))
        except BaseException as error:
            self._kept.error = error
            return math.nan

    def raise_kept_error(self) -> None:
        """Raise the exception that the function raised in this thread, once; do nothing when there was none."""
        error, self._kept.error = getattr(self._kept, "error", None), None
        if error is not None:
            raise error


@intrinsic
def call(typing_context, address, array):
    """Return what the ``Callback`` at ``address`` (int64) makes of the bytes of ``array`` (one C-contiguous array)."""
    if not (isinstance(array, types.Array) and array.layout == "C"):
        return None
    signature = types.float64(types.int64, array)

    def generate(context, builder, signature, arguments):
        struct = context.make_array(signature.args[1])(context, builder, arguments[1])
        size = builder.mul(struct.nitems, struct.itemsize)
        prototype = ir.FunctionType(ir.DoubleType(), [cgutils.voidptr_t, ir.IntType(64)])
        function = builder.inttoptr(arguments[0], prototype.as_pointer())
        return builder.call(function, [builder.bitcast(struct.data, cgutils.voidptr_t), size])

    return signature, generate


@intrinsic
def call_int64(typing_context, address, first, second):
    """Return what the C function int64(int64, int64) at ``address`` (int64) makes of two numbers."""
    signature = types.int64(types.int64, types.int64, types.int64)

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        function = builder.inttoptr(arguments[0], ir.FunctionType(word, [word, word]).as_pointer())
        return builder.call(function, arguments[1:])

    return signature, generate


@intrinsic
def load_int64(typing_context, address):
    """Return the int64 at ``address`` (int64)."""
    signature = types.int64(types.int64)

    def generate(context, builder, signature, arguments):
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(64).as_pointer()))

    return signature, generate


@intrinsic
def load_float64(typing_context, address):
    """Return the float64 at ``address`` (int64)."""
    signature = types.float64(types.int64)

    def generate(context, builder, signature, arguments):
        return builder.load(builder.inttoptr(arguments[0], ir.DoubleType().as_pointer()))

    return signature, generate
