"""Compiled stand-ins for idioms of Python that numba lacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.errors import TypingError
from numba.extending import overload

from nrpa.machine.jit import made

OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": True}


def no_moves(example: Any) -> Callable[[], Any]:
    """Return a function that returns an empty list of moves of the kind of an example."""
    return njit(**OPTIONS)(lambda: [example][:0])


def replace(names: tuple[str, ...]) -> Callable[..., Any]:
    """Return a function that does what ``record._replace`` with keywords of these names does."""

    def replaced(record: Any, *values: Any) -> Any:
        return record._replace(**dict(zip(names, values, strict=True)))

    @overload(replaced, jit_options=OPTIONS, strict=False)
    def of_types(record: Any, *values: Any) -> Any:
        if not isinstance(record, types.BaseNamedTuple) or not {*names} <= {*record.fields}:
            raise TypingError(f"_replace of {', '.join(names)} is for a NamedTuple that has them")
        parts = [f"values[{names.index(field)}]" if field in names else f"record.{field}" for field in record.fields]
        source = f"def replaced(record, *values):\n    return Record({', '.join(parts)})\n"
        return made(source, "replaced", {"Record": record.instance_class})

    return njit(**OPTIONS)(
        made("def replace(record, *values):\n    return replaced(record, *values)\n", "replace", {"replaced": replaced})
    )


@njit(**OPTIONS)
def least(values):
    """Return the least of some values; the error of Python where there is none."""
    if len(values) == 0:
        raise ValueError
    found = values[0]
    for value in values:
        found = min(found, value)
    return found


@njit(**OPTIONS)
def greatest(values):
    """Return the greatest of some values; the error of Python where there is none."""
    if len(values) == 0:
        raise ValueError
    found = values[0]
    for value in values:
        found = max(found, value)
    return found
