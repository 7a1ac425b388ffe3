"""What the caller gave beside problem, solver and seed, as the record of a run keeps it: by its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from types import CodeType
from typing import Any

import numpy as np

from nrpa.base.plain import plain
from nrpa.modelling.base_problem import BaseProblem


def described(given: Any) -> dict[str, Any]:
    """Return what a record says of a bias, or of weights."""
    if callable(given):
        return {"kind": "function", "name": _name(given), "sha256": _code_hash(given)}
    if isinstance(given, Mapping):
        entries = sorted(f"{plain(code)!r} {float(value).hex()}" for code, value in given.items())
        return {"kind": "mapping", "entries": len(entries), "sha256": _hash("\n".join(entries).encode())}
    values = np.ascontiguousarray(given, "<f8")
    return {"kind": "array", "entries": values.size, "sha256": _hash(values.tobytes())}


def described_prior(problem: BaseProblem) -> dict[str, Any]:
    """Return what a record says of a problem's prior from outside, as an entry of its inputs; none without one."""
    return {} if problem._prior is None else {"prior": described(problem._prior.function)}


def described_solution(solution: Any) -> dict[str, Any]:
    """Return what a record says of the solution that a search starts from: the hash of its JSON without blanks."""
    return {"kind": "solution", "sha256": _hash(json.dumps(plain(solution), separators=(",", ":")).encode())}


def _name(function: Any) -> str:
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}.{named.__qualname__}"


def _code_hash(function: Any) -> str:
    compiled_from = getattr(function, "py_func", function)
    is_function = hasattr(compiled_from, "__code__")
    code = getattr(compiled_from if is_function else type(function).__call__, "__code__", None)
    return _hash("\n".join(_parts(code)).encode()) if isinstance(code, CodeType) else ""


def _parts(code: CodeType) -> Iterator[str]:
    """Yield what a function does, without where it stands: its instructions, names and constants."""
    yield code.co_code.hex()
    yield repr(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)
        elif isinstance(constant, frozenset):
            yield repr(sorted(map(repr, constant)))
        else:
            yield repr(constant)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
