"""Calls from compiled kernels back into Python.

A kernel cannot hold a Python object, but it can hold an address. ``Callback`` wraps a Python function as a C function;
its ``address`` goes into an int64 field of the problem's instance, and the kernel calls ``call(address, array)``. The
call takes the GIL by itself, so the search may run without it. ``InPlace`` is one whose function may change the array.
``call_int64`` calls a function of two whole numbers, and the loads read what it left in memory that a Python object
owns.
"""

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

_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int64)


class Callback:
    """A Python function from bytes to float that kernels can call.

    When the function raises an exception, the exception is kept for the thread it was raised in, and the kernel gets
    NaN; until it is raised from here, further calls in that thread give NaN at once. A kernel ``score`` returns the
    NaN, which ends the search; the problem's ``raise_kept_error`` then calls the one here.

    Parameters
    ----------
    function : callable
        Takes the bytes of the kernel's array and returns a float.

    Attributes
    ----------
    address : int
        What ``call`` takes. It is valid as long as this object lives, and in this process only.

    Examples
    --------
    >>> import numpy as np
    >>> from nrpa.engine.jit import jit
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
        self._pointer = _PROTOTYPE(self._call)
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
        """Raise the exception that the function raised in this thread, once; do nothing if there was none.

        Raises
        ------
        BaseException
            What the function raised.
        """
        error, self._kept.error = getattr(self._kept, "error", None), None
        if error is not None:
            raise error


class InPlace(Callback):
    """A Python function that kernels can call to change an array of theirs.

    Parameters
    ----------
    function : callable
        Takes the bytes of the kernel's array as a writable buffer, which is valid during the call, and returns a float.
    beside : Callback
        Another callback of the same kernels, with which it shares the exception that is kept: after one in either,
        both give NaN, and either raises it.

    Examples
    --------
    >>> import numpy as np
    >>> from nrpa.engine.jit import jit
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
    """Call a Python function from a kernel.

    Parameters
    ----------
    address : int64
        The ``address`` of a ``Callback`` that is still alive.
    array : ndarray, C-contiguous
        What the function gets the bytes of, of any shape and type.

    Returns
    -------
    float64
        What the function returned, or NaN if it raised an exception, which the ``Callback`` keeps.
    """
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
    """Call a C function of two whole numbers from a kernel.

    Parameters
    ----------
    address : int64
        Where a C function ``int64(int64, int64)`` is.
    first, second : int64
        Its arguments.

    Returns
    -------
    int64
        What it returned.
    """
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
