"""The attributes of an author's problem as numbers and arrays, from which machine code makes containers."""

from __future__ import annotations

from typing import Any

import numpy as np

from nrpa.base.values import LARGEST_EXACT
from nrpa.compiling.containers import OfMembers, OfSequence, OfTable, of_rows, of_sequence
from nrpa.compiling.packing import pack

# Tuples of so few elements are tuples, which may be of several kinds, and longer ones sequences.
LONGEST_TUPLE = 3


def as_given(value: Any) -> Any:
    """Return what stands for an attribute in machine code: numbers and arrays; None where there is no such form."""
    if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
        plain = value.item() if isinstance(value, np.generic) else value
        return plain if isinstance(plain, float) or -(2**63) <= plain < 2**63 else None
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value) if value.dtype.kind in "biuf" and value.dtype != np.uint32 else None
    if isinstance(value, (set, frozenset)):
        keys = _keys_of([*value])
        return None if keys is None else OfMembers(np.sort(keys[0]), keys[1])
    if isinstance(value, dict):
        return _of_table(value)
    if isinstance(value, str):
        return of_sequence(np.array([ord(each) for each in value], np.uint32), "s")
    if isinstance(value, tuple) and (len(value) <= LONGEST_TUPLE or hasattr(value, "_fields")):
        parts = [as_given(part) for part in value]
        record = type(value)._make if hasattr(value, "_fields") else tuple  # type: ignore[attr-defined]
        return None if any(part is None for part in parts) else record(parts)
    is_row = isinstance(value, (list, tuple, range))
    return _of_list([*value], "l" if isinstance(value, list) else "t") if is_row else None


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values that stand for attributes are of one type and hold the same."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(np.array_equal(one, other)) and type(one) is type(other)


def _keys_of(values: list[Any]) -> tuple[np.ndarray, Any] | None:
    """Return packed keys, and one that stands for all; None where they cannot be packed."""
    keys = [tuple(map(letter, key)) if isinstance(key, tuple) else letter(key) for key in values]
    kinds = {tuple(map(_zero, key)) if isinstance(key, tuple) else _zero(key) for key in values} or {0}
    if len({*map(repr, kinds)}) > 1:
        return None
    try:
        packed = np.array([pack(key) for key in keys], np.int64)
    except (TypeError, OverflowError):
        return None
    return packed, kinds.pop()


def _zero(value: Any) -> Any:
    """Return a number of the kind that a key is: a letter, or a whole number."""
    return np.uint32(0) if isinstance(value, str) else 0


def letter(value: Any) -> Any:
    """Return the number of a single letter; any other value as it is."""
    return ord(value) if isinstance(value, str) and len(value) == 1 else value


def _of_table(value: dict[Any, Any]) -> OfTable | None:
    keys, values = _keys_of([*value]), [*value.values()]
    if keys is None:
        return None
    places = np.argsort(keys[0], kind="stable")
    held = _of_list([values[place] for place in places], "t")
    return None if held is None else OfTable(keys[0][places], held, *keys)


def _of_list(values: list[Any], make: str) -> Any:
    """Return a sequence of numbers or rows, rows of several lengths, or an array of arrays."""
    if values and all(isinstance(each, str) and len(each) == 1 for each in values):
        return of_sequence(np.array([*map(ord, values)], np.uint32), make)
    if any(isinstance(each, tuple) for each in values) and (records := _records(values)) is not None:
        return of_sequence(records, make)
    if not any(isinstance(each, str) for each in values):
        try:
            array = np.array(values) if values else np.zeros(0, np.int64)
        except ValueError:
            array = np.array(None)
        is_held = array.dtype.kind not in "uf" or all(map(_is_held, values))
        if array.dtype.kind in "biuf" and is_held:
            if any(isinstance(each, np.ndarray) for each in values):
                return array
            makes = _makes(values, make, array.ndim)
            return None if makes is None else of_sequence(array, makes)
    rows = [_of_list([*row], "t") if isinstance(row, tuple) else as_given(row) for row in values]
    filled = [row.array for row in rows if isinstance(row, OfSequence) and len(row.array)]
    if not filled or not all(isinstance(row, OfSequence) for row in rows) or len({row.shape[1:] for row in filled}) > 1:
        return None
    kinds = {row.makes for row in rows if len(row.array)}
    if len(kinds) > 1 or len({*map(type, values)}) > 1:
        return None
    ends = np.cumsum([len(row.array) for row in rows])
    return of_rows(np.concatenate(filled), ends, ends - [len(row.array) for row in rows], kinds.pop())


def _is_held(value: Any) -> bool:
    """Return whether float64 holds the whole numbers that a value is, or that it has."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_held, value))
    return not isinstance(value, int) or abs(value) <= LARGEST_EXACT


def _makes(values: list[Any], make: str, depth: int) -> str | None:
    """Return of each dimension whether it is a list or a tuple; None where one is both."""
    if depth == 1:
        return make
    inner = {_makes([*row], "l" if isinstance(row, list) else "t", depth - 1) for row in values}
    found = inner.pop() if len(inner) == 1 else None
    return found and make + found


def _records(values: list[Any]) -> np.ndarray | None:
    """Return NamedTuples, or tuples of whole and of decimal numbers, as records; None where they need not be any."""
    first = values[0]
    columns = [*zip(*values, strict=False)]
    kinds = [np.array(column).dtype for column in columns if all(isinstance(each, (int, float)) for each in column)]
    is_alike = all(type(each) is type(first) and len(each) == len(first) for each in values)
    if not is_alike or len(kinds) < len(first) or (len({*kinds}) == 1 and not hasattr(first, "_fields")):
        return None
    names = getattr(first, "_fields", [f"f{k}" for k in range(len(first))])
    return np.array([tuple(each) for each in values], [*zip(names, kinds, strict=True)])
