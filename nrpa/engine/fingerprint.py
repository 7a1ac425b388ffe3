"""Fingerprints of code: they tell whether machine code on disk still belongs to the source."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_LIBRARIES = ("numpy", "numba", "math", "builtins", "llvmlite")


def fingerprint(functions: Iterable[Callable[..., Any]], sources: Iterable[Path] = ()) -> str:
    """Return a hash that changes when code changes.

    Functions are followed through their globals and closures, by their byte code. So an edited comment changes nothing,
    and an edited helper in another module does.

    Parameters
    ----------
    functions : iterable of callable
        Functions, which count with all that they call or read.
    sources : iterable of Path
        Files that count byte by byte.

    Returns
    -------
    str
        16 hex digits.
    """
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(path.read_bytes())
    seen: set[int] = set()
    for function in functions:
        _add(digest, function, seen)
    return digest.hexdigest()[:16]


def _add(digest: Any, value: Any, seen: set[int]) -> None:
    value = getattr(value, "py_func", getattr(value, "_defn", value))
    if isinstance(value, FunctionType):
        if id(value) not in seen:
            seen.add(id(value))
            _add_function(digest, value, seen)
    elif isinstance(value, np.ndarray):
        digest.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
    elif isinstance(value, tuple):
        for item in value:
            _add(digest, item, seen)
    elif isinstance(value, type):
        digest.update(f"{value.__name__}{getattr(value, '_fields', '')}".encode())
    elif isinstance(value, (bool, int, float, complex, str, bytes, np.generic, type(None))):
        digest.update(f"{type(value).__name__}{value!r};".encode())
    elif isinstance(value, (ModuleType, BuiltinFunctionType)):
        digest.update(value.__name__.encode())
    else:
        digest.update(type(value).__qualname__.encode())


def _add_function(digest: Any, function: FunctionType, seen: set[int]) -> None:
    digest.update(function.__name__.encode())
    names = _add_code(digest, function.__code__)
    for cell in function.__closure__ or ():
        _add(digest, cell.cell_contents, seen)
    _add(digest, function.__defaults__ or (), seen)
    for name in names:
        value = function.__globals__.get(name)
        digest.update(name.encode())
        if isinstance(value, ModuleType) and value.__name__.split(".")[0] not in _LIBRARIES:
            for attribute in names:
                _add(digest, getattr(value, attribute, None), seen)
        else:
            _add(digest, value, seen)


def _add_code(digest: Any, code: CodeType) -> list[str]:
    """Add a code object; return the global names that it and the code inside it use."""
    names = list(code.co_names)
    digest.update(code.co_code + repr((code.co_varnames, code.co_names, code.co_freevars)).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names += _add_code(digest, constant)
        else:
            ordered = sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant
            digest.update(repr(ordered).encode())
    return names
