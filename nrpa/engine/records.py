"""Records: NamedTuples and tuples of arrays, numbers and other records.

Guarded arrays in them know their names: an index out of bounds is an error that names the array.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from nrpa.base.errors import InputError

# numba computes with these as with int64; NumPy would let them overflow.
_NARROW = (np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32)


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


class OutOfBounds(IndexError):  # noqa: N818
    """An index that an array does not have."""

    def __init__(self, array: Guarded, index: Any) -> None:
        size = f"size {array.size}" if array.ndim == 1 else f"shape {array.shape}"
        shown = tuple(map(_number, index)) if isinstance(index, tuple) else _number(index)
        super().__init__(f"{array.name} (index {shown}, {size})")


class ReadOnly(ValueError):  # noqa: N818
    """A kernel writes to an array that no kernel may write."""


class OutOfTime(Exception):  # noqa: N818
    """A kernel has used the time that it was given."""


class Guarded(np.ndarray):
    """An array that names itself in the error for an index out of bounds; its views have the same name.

    Elements of fewer than 64 bits come out as int64, as numba computes with them.
    """

    name = ""

    def __array_finalize__(self, source: Any) -> None:
        """Take over the name of the array that this is a view of."""
        self.name = getattr(source, "name", "")

    def __getitem__(self, index: Any) -> Any:
        try:
            value = super().__getitem__(index)
        except IndexError:
            raise OutOfBounds(self, index) from None
        return np.int64(value) if type(value) in _NARROW else value

    def __setitem__(self, index: Any, value: Any) -> None:
        try:
            super().__setitem__(index, value)
        except IndexError:
            raise OutOfBounds(self, index) from None
        except ValueError:
            if self.flags.writeable:
                raise
            raise ReadOnly(self.name) from None


class GuardedList(Guarded):
    """A list of moves that a kernel writes, from 0 on: a negative index is out of bounds."""

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, (int, np.integer)) and index < 0:
            raise OutOfBounds(self, index)
        super().__setitem__(index, value)


def timed(seconds: float) -> type[Guarded]:
    """Return a class of guarded arrays that raise OutOfTime when they are read after so many seconds."""
    end = time.perf_counter() + seconds

    class Timed(Guarded):
        """Guarded arrays, for some time."""

        def __getitem__(self, index: Any) -> Any:
            if time.perf_counter() >= end:
                raise OutOfTime
            return super().__getitem__(index)

    return Timed


def guarded(value: Any, name: str, kind: type[Guarded] = Guarded) -> Any:
    """Return a value, all its arrays as guarded views: those in a record are called ``name.field``.

    >>> guarded(np.zeros(3), "weights")[3]
    Traceback (most recent call last):
    nrpa.engine.records.OutOfBounds: weights (index 3, size 3)
    """

    def view(path: str, part: Any) -> Any:
        if not isinstance(part, np.ndarray):
            return part
        guard = part.view(kind)
        guard.name = path
        return guard

    return mapped(view, value, name, ".")


def read_only(value: Any) -> Any:
    """Return a value, all its arrays as views that cannot be written."""

    def view(_: str, part: Any) -> Any:
        if not isinstance(part, np.ndarray):
            return part
        seen = part.view()
        seen.flags.writeable = False
        return seen

    return mapped(view, value)


def _number(index: Any) -> Any:
    return index.item() if isinstance(index, np.generic) else index
