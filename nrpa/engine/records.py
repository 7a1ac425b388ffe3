"""Records: NamedTuples and tuples of arrays, numbers and other records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


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


def _fields(record: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    return zip(getattr(record, "_fields", range(len(record))), record, strict=True)
