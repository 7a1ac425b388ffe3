"""Kernels and searches as plain Python, for a debugger and ``print``: slow, but with the same results."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

import numpy as np
from numba.extending import is_jitted

from nrpa.engine.intrinsics import OF_BYTES, OF_TWO_NUMBERS
from nrpa.engine.records import guarded

_twins: dict[int, Any] = {}
_debugging = [os.environ.get("NRPA_DEBUG", "").strip().lower() not in ("", "0", "no", "off", "false")]


def is_debugging() -> bool:
    """Return whether searches that start now run as plain Python."""
    return _debugging[-1]


@contextmanager
def debug() -> Iterator[None]:
    """Run searches that start inside this context as plain Python; NRPA_DEBUG=1 in the environment does so everywhere.

    Breakpoints and ``print`` work in kernels, an index out of bounds is an IndexError, and a write to the instance a
    ValueError. The results are the same; the search is many times slower.

    Returns
    -------
    context manager
        For a ``with`` statement.

    Examples
    --------
    >>> with debug():
    ...     is_debugging()
    True
    """
    _debugging.append(True)
    try:
        yield
    finally:
        _debugging.pop()


def runnable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiled function as plain Python, to be called like numba's: without NumPy's warnings."""
    twin = interpreted(function)

    def run(*arguments: Any) -> Any:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            return twin(*arguments)

    return run


def interpreted(function: Any) -> Any:
    """Return a function as plain Python, with everything that it calls."""
    if id(function) not in _twins:
        # The function itself is kept, so that its id is not given to another.
        _twins[id(function)] = (function, _twin(function))
    return _twins[id(function)][1]


def _twin(function: Any) -> Any:
    chosen = getattr(function, "chosen", None)
    if chosen is not None:
        return lambda *given: interpreted(chosen(given))(*given)
    if _is_intrinsic(function):
        return _INTRINSICS.get(function.__name__, function)
    body = function.py_func if is_jitted(function) else function
    scope = dict(body.__globals__)
    twin = FunctionType(body.__code__, scope, body.__name__, body.__defaults__, body.__closure__)
    twin.__kwdefaults__ = body.__kwdefaults__
    # So that it finds itself meanwhile.
    _twins[id(function)] = (function, twin)
    for name in set(_names(body.__code__)) & scope.keys():
        scope[name] = _replaced(name, scope[name])
    return twin


def _replaced(name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return guarded(value, name)
    is_ours = isinstance(value, FunctionType) and (
        value.__module__.startswith("nrpa.engine") or hasattr(value, "chosen")
    )
    return interpreted(value) if is_ours or is_jitted(value) or _is_intrinsic(value) else value


def _is_intrinsic(value: Any) -> bool:
    return type(value).__name__ == "_Intrinsic"


def _names(code: CodeType) -> list[str]:
    inner = [name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names(constant)]
    return [*code.co_names, *inner]


# What the machine instructions of ``nrpa.engine.intrinsics`` and ``nrpa.engine.intrinsics`` do.
_INTRINSICS: dict[str, Callable[..., Any]] = {
    "trailing_zeros": lambda word: (int(word) & -int(word)).bit_length() - 1,
    "leading_zeros": lambda word: 64 - int(word).bit_length(),
    "popcount": lambda word: int(word).bit_count(),
    "as_float64": lambda word: float(np.int64(word).view(np.float64)),
    "as_int64": lambda number: int(np.float64(number).view(np.int64)),
    "load_int64": lambda address: ctypes.c_int64.from_address(int(address)).value,
    "load_float64": lambda address: ctypes.c_double.from_address(int(address)).value,
    "call": lambda address, array: OF_BYTES(int(address))(array.ctypes.data, array.nbytes),
    "call_int64": lambda address, first, second: OF_TWO_NUMBERS(int(address))(int(first), int(second)),
}
