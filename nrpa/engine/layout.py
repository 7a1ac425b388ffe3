"""What a compiled problem hands to the engine: kernels, and records of arrays that machine code can take."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numba import typeof

from nrpa.base.errors import ProblemError
from nrpa.engine.kernels import kernels_of
from nrpa.engine.model import Model


def require_layout(model: Model) -> None:
    """Raise ProblemError unless instance and states of a compiled problem are records that machine code can take.

    The class of states must have kernels, and two states must not share memory.
    """
    state, other = model.new_state(), model.new_state()
    if not isinstance(state, tuple) or not hasattr(state, "_fields"):
        raise _fault(model, f"new_state returned a {type(state).__name__}; expected a NamedTuple of NumPy arrays")
    try:
        kernels_of(type(state))
    except ProblemError:
        what = f"its state class {type(state).__qualname__} has no kernels"
        raise _fault(model, f"{what}; decorate it with nrpa.kernels(reset, legal_moves, play, score)") from None
    for record, owner in ((model.instance, "instance"), (state, "state")):
        for name, value in _fields(record, owner):
            if not _is_known(value):
                raise _fault(model, f"{name} is a {_kind(value)}; expected a NumPy array of numbers, or a number")
    arrays = [(name, value) for each in (state, other) for name, value in _fields(each, "state") if _is_array(value)]
    for (name, one), (_, another) in combinations(arrays, 2):
        if np.shares_memory(one, another):
            raise _fault(model, f"new_state gives states that share memory ({name}); each must have arrays of its own")


def shapes(*records: Any) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of all arrays in some records."""
    return tuple(value.shape for record in records for _, value in _fields(record, "") if _is_array(value))


def _fields(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a record that are no tuples, with their names; those of records in it as ``name.field``."""
    if isinstance(value, tuple):
        for field, part in zip(getattr(value, "_fields", range(len(value))), value, strict=True):
            yield from _fields(part, f"{name}.{field}")
    else:
        yield name, value


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _is_known(value: Any) -> bool:
    """Return whether numba has a type for ``value`` that needs no Python."""
    if isinstance(value, (list, dict, set, frozenset)) or (_is_array(value) and value.dtype.hasobject):
        return False
    try:
        typeof(value)
    except Exception:
        return False
    return True


def _kind(value: Any) -> str:
    return f"NumPy array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__


def _fault(model: Model, said: str) -> ProblemError:
    return ProblemError(f"{model.name}: {said}")
