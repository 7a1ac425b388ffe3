"""Calls from compiled kernels back into Python.

A kernel cannot hold a Python object, but it can hold an address. ``Callback`` wraps a Python function as a C function;
its ``address`` goes into an int64 field of the problem's instance, and the kernel calls ``call(address, array)``. The
call takes the GIL by itself, so the search may run without it.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int64)


class Callback:
    """A Python function from bytes to float that kernels can call.

    address: what ``call`` takes; valid as long as this object lives, in this process only.

    When the function raises, the exception is kept and the kernel gets NaN. A kernel ``score`` returns it, which ends
    the search; the problem's ``raise_kept_error`` then calls the one here.
    """

    def __init__(self, function: Callable[[bytes], float]) -> None:
        self._function = function
        self._error: BaseException | None = None
        self._pointer = _PROTOTYPE(self._call)
        self.address: int = ctypes.cast(self._pointer, ctypes.c_void_p).value or 0

    def _call(self, data: int, size: int) -> float:
        if self._error is not None:
            return math.nan
        try:
            return float(self._function(ctypes.string_at(data, size)))
        except BaseException as error:
            self._error = error
            return math.nan

    def raise_kept_error(self) -> None:
        """Raise the exception that the function raised, once; do nothing when there was none."""
        error, self._error = self._error, None
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
