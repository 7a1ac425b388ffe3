"""Kernels and searches as plain Python, for a debugger and ``print``: slow, but with the same results."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

import numpy as np
from numba import typeof
from numba.core.registry import cpu_target
from numba.extending import is_jitted

from nrpa.engine.guarded import guarded
from nrpa.engine.kernels import KERNELS, kernel_of

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


class Interpreted:
    """A compiled function as plain Python, to be called like numba's; compiled for no ``signatures``."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.signatures: list[Any] = []
        self._twin = interpreted(function)

    def __call__(self, *arguments: Any) -> Any:
        """Run the function."""
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            return self._twin(*arguments)


def interpreted(function: Any) -> Any:
    """Return a function as plain Python, with everything that it calls."""
    if id(function) not in _twins:
        # The function itself is kept, so that its id is not given to another.
        _twins[id(function)] = (function, _twin(function))
    return _twins[id(function)][1]


def _twin(function: Any) -> Any:
    if isinstance(function, FunctionType) and function.__name__ in KERNELS and hasattr(function, "__wrapped__"):
        kernel = KERNELS[function.__name__]
        return lambda *given: interpreted(kernel_of(type(given[kernel.place_of_state]), kernel.name))(*given)
    if type(function).__name__ == "_Intrinsic":
        return _INTRINSICS.get(function.__name__) or _missing(function.__name__)
    body = function.py_func if is_jitted(function) else function
    templates = _overloads(body)
    return _dispatching(body, templates) if templates else _rebound(body, id(function))


def _rebound(body: FunctionType, key: int | None = None) -> Callable[..., Any]:
    """Return ``body`` with the compiled functions among its globals replaced; ``key`` lets it find itself meanwhile."""
    scope = dict(body.__globals__)
    twin = FunctionType(body.__code__, scope, body.__name__, body.__defaults__, body.__closure__)
    twin.__kwdefaults__ = body.__kwdefaults__
    if key is not None:
        _twins[key] = (body, twin)
    for name in set(_names(body.__code__)) & scope.keys():
        scope[name] = _replaced(name, scope[name])
    return twin


def _replaced(name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return guarded(value, name)
    compiled = is_jitted(value) or type(value).__name__ == "_Intrinsic"
    ours = isinstance(value, FunctionType) and value.__module__.startswith("nrpa.engine")
    return interpreted(value) if compiled or ours else value


def _names(code: CodeType) -> list[str]:
    inner = [name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names(constant)]
    return [*code.co_names, *inner]


def _overloads(body: FunctionType) -> list[Any]:
    """Return the functions that choose, by the types of arguments, what a call of ``body`` means in compiled code."""
    context = cpu_target.typing_context
    context.refresh()
    try:
        kind = context.resolve_value_type(body)
    except Exception:
        return []
    return [t._overload_func for t in getattr(kind, "templates", ()) if hasattr(t, "_overload_func")]


def _dispatching(body: FunctionType, choosers: list[Any]) -> Callable[..., Any]:
    chosen: dict[tuple[type, ...], Callable[..., Any]] = {}

    def call(*arguments: Any) -> Any:
        key = tuple(map(type, arguments))
        if key not in chosen:
            types = tuple(map(typeof, arguments))
            found = next((f for f in (chooser(*types) for chooser in choosers) if f is not None), body)
            chosen[key] = _rebound(found)
        return chosen[key](*arguments)

    return call


def _missing(name: str) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        raise NotImplementedError(f"the machine instruction {name} has no twin in plain Python")

    return call


def _trailing_zeros(word: Any) -> int:
    return (int(word) & -int(word)).bit_length() - 1


def _leading_zeros(word: Any) -> int:
    return 64 - int(word).bit_length()


def _call_int64(address: int, first: int, second: int) -> int:
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    return int(prototype(int(address))(int(first), int(second)))


def _load_int64(address: int) -> int:
    return ctypes.c_int64.from_address(int(address)).value


def _load_float64(address: int) -> float:
    return ctypes.c_double.from_address(int(address)).value


def _call(address: int, array: np.ndarray) -> float:
    prototype = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int64)
    return float(prototype(int(address))(array.ctypes.data, array.nbytes))


_INTRINSICS: dict[str, Callable[..., Any]] = {
    "trailing_zeros": _trailing_zeros,
    "leading_zeros": _leading_zeros,
    "popcount": lambda word: int(word).bit_count(),
    "as_float64": lambda word: float(np.int64(word).view(np.float64)),
    "as_int64": lambda number: int(np.float64(number).view(np.int64)),
    "call": _call,
    "call_int64": _call_int64,
    "load_int64": _load_int64,
    "load_float64": _load_float64,
}
