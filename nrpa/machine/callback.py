"""Calls from kernels to functions that are not compiled by numba: to Python, and to functions of C."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

# The types of the C functions that ``call`` and ``call_int64`` call.
OF_BYTES = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int64)
OF_TWO_NUMBERS = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class Callback:
    """A Python function from bytes to float that kernels can call.

    Its ``address`` is valid in this process, as long as this object lives. An exception that the function raises is
    kept for its thread, and the kernel gets NaN, as it does from further calls in that thread, until
    ``raise_kept_error``. A kernel ``score`` returns the NaN, which ends the search; the problem's own
    ``raise_kept_error`` then calls the one here.

    >>> import numpy as np
    >>> from nrpa.machine.jit import jit
    >>> total = Callback(sum)
    >>> @jit
    ... def score(address, digits):
    ...     return -call(address, digits)
    >>> score(total.address, np.array([1, 2, 3], np.uint8))
    -6.0
    """

    def __init__(self, function: Callable[[bytes], float]) -> None:
        self._function = function
        self._kept = threading.local()
        self._pointer = OF_BYTES(self._call)
        self.address: int = ctypes.cast(self._pointer, ctypes.c_void_p).value or 0

    def _call(self, data: int, size: int) -> float:
        if getattr(self._kept, "error", None) is not None:
            return math.nan
        try:
            return float(self._function(self._content(data, size)))
        except BaseException as error:
            self._kept.error = error
            return math.nan

    def _content(self, data: int, size: int) -> Any:
        return ctypes.string_at(data, size)

    def raise_kept_error(self) -> None:
        """Raise the exception that the function raised in this thread, once; do nothing if there was none."""
        error, self._kept.error = getattr(self._kept, "error", None), None
        if error is not None:
            raise error


class InPlace(Callback):
    """A Python function that kernels can call to change an array of theirs; it keeps exceptions with ``beside``.

    >>> import numpy as np
    >>> from nrpa.machine.jit import jit
    >>> def sort(buffer):
    ...     np.frombuffer(buffer, np.int64).sort()
    ...     return 0.0
    >>> in_place = InPlace(sort, Callback(sum))
    >>> @jit
    ... def sorted_by_python(address, numbers):
    ...     call(address, numbers)
    ...     return numbers
    >>> sorted_by_python(in_place.address, np.array([3, 1, 2])).tolist()
    [1, 2, 3]
    """

    def __init__(self, function: Callable[[Any], float], beside: Callback) -> None:
        super().__init__(function)
        self._kept = beside._kept

    def _content(self, data: int, size: int) -> Any:
        return (ctypes.c_char * size).from_address(data)


@intrinsic
def call(typing_context, address, array):
    """Call a Python function from a kernel, with the bytes of a C-contiguous array of any shape and type."""
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
    """Call a C function of two whole numbers from a kernel."""
    signature = types.int64(types.int64, types.int64, types.int64)

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        function = builder.inttoptr(arguments[0], ir.FunctionType(word, [word, word]).as_pointer())
        return builder.call(function, arguments[1:])

    return signature, generate
