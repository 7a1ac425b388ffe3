"""Records: NamedTuples and tuples of arrays, numbers and other records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from nrpa.base.errors import InputError


def parts(record: Any, path: str = "", mark: str = "/") -> Iterator[tuple[str, Any]]:
    """Yield the paths of what is in a record at any depth, and each part that is no record itself."""
    if not isinstance(record, tuple):
        yield path, record
        return
    for field, part in _fields(record):
        yield from parts(part, f"{path}{mark}{field}", mark)


def mapped(function: Callable[[str, Any], Any], record: Any, path: str = "", mark: str = "/") -> Any:
    """Return a record of the same classes, of what a function makes of the path of each part and the part."""
    if not isinstance(record, tuple):
        return function(path, record)
    made = [mapped(function, part, f"{path}{mark}{field}", mark) for field, part in _fields(record)]
    return type(record)(*made) if hasattr(record, "_fields") else tuple(made)


def record_like(fresh: Any, arrays: Mapping[str, np.ndarray], path: str, as_large_as: Callable[[Any], Any]) -> Any:
    """Return a record of the same classes and types as ``fresh``, of arrays by their paths.

    Raises InputError unless their shapes are those of the record that ``as_large_as`` makes of it.
    """

    def found(name: str, own: np.ndarray) -> np.ndarray:
        array = arrays.get(name)
        if array is None or (array.dtype, array.ndim) != (own.dtype, own.ndim):
            raise InputError(f"array {name} is missing, or not of {own.ndim} dimensions of {own.dtype}")
        return np.ascontiguousarray(array)

    record = mapped(found, fresh, path)
    for (name, array), (_, wanted) in zip(parts(record, path), parts(as_large_as(record), path), strict=True):
        if array.shape != wanted.shape:
            raise InputError(f"array {name} has the shape {array.shape}; expected {wanted.shape}")
    return record


def _fields(record: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    return zip(getattr(record, "_fields", range(len(record))), record, strict=True)
