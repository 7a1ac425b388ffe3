"""Idioms of Python that numba lacks: what each does in Python, and what takes its place in machine code.

A tuple that is computed, and not written out, has any number of elements, and becomes a sequence: ``tuple(x)``,
``(0,) * n``, ``(*x, y)``, ``x + (y,)``, ``()``. Where its elements are rows of several lengths, it becomes rows.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.core.typing.arraydecl import get_array_index_type

from nrpa.compiling.containers import (
    LETTER,
    NUMBERS,
    Computed,
    Members,
    Rows,
    Sequence,
    Struct,
    Table,
    as_list,
    element_of,
    frozen,
    frozen_as,
    rows_of,
)
from nrpa.compiling.options import allocating, of_authors
from nrpa.machine.jit import made, popcount

TUPLES = (Sequence, Rows, types.BaseTuple)
_ROWS = (types.Array, types.List, types.BaseTuple)


def no_moves(example: Any) -> Callable[[], Any]:
    """Return a function that returns an empty list of moves of the kind of an example."""
    function: Callable[[], Any] = allocating(lambda: [example][:0])
    return function


def sequence(values: Any) -> Any:
    """Return what ``tuple(values)`` becomes."""
    return Computed(values)


@of_authors(sequence)
def _sequence(values):
    if isinstance(values, Rows):
        return lambda values: values
    if isinstance(values, Sequence) and values.layout == "C":
        as_tuple = frozen_as(f"t{values.makes[1:]}")
        return (lambda values: as_tuple(values)) if values.makes[0] != "t" else lambda values: values
    if isinstance(values, types.Array):
        as_row = frozen_as(f"t{getattr(values, 'makes', 't')[1:]}")
        return lambda values: as_row(values.copy())
    if isinstance(values, types.BaseTuple) and len(values) == 0:
        return lambda values: frozen(np.zeros(0, np.int64))
    if isinstance(values, (types.List, types.BaseTuple, types.RangeType)):
        element = element_of(values)
        if isinstance(element, types.BaseTuple):
            return _of_tuples(len(element), number_type(element))
        if isinstance(element, _ROWS):
            return lambda values: as_rows(values)
        return _of_numbers(number_type(element))
    return lambda values: sequence(as_list(values))


def number_type(kind: Any) -> Any:
    """Return the NumPy type of the numbers in a container, at any depth."""
    kinds = [kind]
    while not all(isinstance(each, NUMBERS) for each in kinds):
        kinds = [part for each in kinds for part in _parts_of(each)]
    is_any = [any(isinstance(each, number) for each in kinds) for number in (types.Float, types.Integer)]
    if LETTER in kinds:
        if {*kinds} != {LETTER}:
            raise TypingError("letters and numbers are mixed; expected one of them")
        return np.uint32
    return np.float64 if is_any[0] else np.int64 if is_any[1] or not kinds else np.bool_


def _parts_of(kind: Any) -> list[Any]:
    if isinstance(kind, NUMBERS):
        return [kind]
    return [*kind] if isinstance(kind, types.BaseTuple) else [element_of(kind)]


def _of_numbers(dtype):
    def of_numbers(values):
        array = np.empty(len(values), dtype)
        for place, value in enumerate(values):
            array[place] = value
        return frozen(array)

    return of_numbers


def _of_tuples(width, dtype):
    lines = [f"        array[place, {k}] = row[{k}]" for k in range(width)]
    source = ["def of_tuples(values):", f"    array = np.empty((len(values), {width}), dtype)", "    place = 0"]
    source += ["    for row in values:", *lines, "        place += 1", "    return frozen(array)\n"]
    return made("\n".join(source), "of_tuples", {"np": np, "dtype": dtype, "frozen": frozen})


def contiguous(part: Any) -> Any:
    """Return a part of a container that was cut out with a step: sequences have no gaps."""
    return part


@of_authors(contiguous)
def _contiguous(part):
    if not isinstance(part, Sequence):
        return lambda part: part
    as_one = frozen_as(part.makes)
    return lambda part: as_one(part.copy())


def filled(number: float, size: int) -> list[float]:
    """Return a list that holds a number so many times, in machine code an array."""
    return [number] * size


@of_authors(filled)
def _filled(number, size):
    dtype = np.float64 if isinstance(number, types.Float) else np.int64
    return lambda number, size: np.full(size, number, dtype)


class Whole(NamedTuple):
    """An array that is written to a part of another one."""

    array: np.ndarray


@of_authors(operator.setitem)
def _put_whole(values, part, given):
    """Write an array entry by entry: numba's own way formats an error of shapes, slow to compile."""
    if getattr(given, "instance_class", None) is not Whole or not isinstance(values, types.Array):
        return None
    place, array = get_array_index_type(values, part), given[0]
    to = getattr(place, "result", None)
    if not isinstance(to, types.Array):
        raise TypingError(f"{array} is written to one place of {values}")
    if place.advanced or not 0 < array.ndim <= to.ndim:
        return _put_as_numba
    axes, before = range(to.ndim), to.ndim - array.ndim
    lines = ["def put(values, part, given):", "    to, array = values[part], given.array"]
    lines += ["    if overlap(values, array):", "        array = array.copy()"]
    for k in range(array.ndim):
        lines += [
            f"    wide{k} = array.shape[{k}] != 1",
            f"    if wide{k} and array.shape[{k}] != to.shape[{k + before}]:",
        ]
        lines.append("        raise ValueError('could not broadcast an array into a part of another size')")
    lines += [f"{'    ' * (axis + 1)}for i{axis} in range(to.shape[{axis}]):" for axis in axes]
    index = [f"i{k + before} if wide{k} else 0" for k in range(array.ndim)]
    lines.append(f"{'    ' * (to.ndim + 1)}to[{', '.join(f'i{axis}' for axis in axes)}] = array[{', '.join(index)}]\n")
    are_whole = values.layout == array.layout == "C"
    return made("\n".join(lines), "put", {"overlap": _overlap if are_whole else _may_overlap})


@allocating
def _overlap(one, other):
    begin, start = one.ctypes.data, other.ctypes.data
    return begin < start + other.nbytes and start < begin + one.nbytes


@allocating
def _may_overlap(one, other):
    return True


def _put_as_numba(values, part, given):
    values[part] = given.array


def as_rows(values: Any) -> Any:
    """Return a container of rows as rows that lie one after the other."""
    return Computed(map(Computed, values))


@of_authors(as_rows)
def _as_rows(values):
    dtype, as_flat = number_type(values), frozen_as(_make_of(element_of(values)))

    def of_rows(values):
        size = 0
        for row in values:
            size += len(row)
        flat, ends, at = np.empty(size, dtype), np.zeros(len(values) + 1, np.int64), 0
        for place, row in enumerate(values):
            for value in row:
                flat[at] = value
                at += 1
            ends[place + 1] = at
        return rows_of((as_flat(flat), ends[:-1], ends[1:]))

    return of_rows


def concatenated(one: Any, other: Any) -> Any:
    """Return ``one + other``, which of tuples is one after the other."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        is_written = not isinstance(one, Computed) and not isinstance(other, Computed)
        return (*one, *other) if is_written else Computed((*one, *other))
    return one + other


@of_authors(concatenated)
def _concatenated(one, other):
    both = (one, other)
    if {getattr(each, "makes", "") for each in both} == {"l", ""} and any(
        isinstance(each, types.List) for each in both
    ):
        return lambda one, other: as_list(one) + as_list(other)
    if not all(isinstance(each, TUPLES) for each in both) or all(isinstance(each, types.BaseTuple) for each in both):
        return lambda one, other: one + other
    if any(isinstance(each, Rows) for each in both):
        return _rows_concatenated
    makes = _first_makes(both)
    if len(makes) > 1:
        raise TypingError("a list and a tuple, or a text, are added, which Python refuses")
    as_one = frozen_as(makes.pop())
    return lambda one, other: as_one(np.concatenate((sequence(one), sequence(other))))


def _first_makes(kinds: Any) -> set[str]:
    return {kind.makes if isinstance(kind, Sequence) else "t" for kind in kinds if len(getattr(kind, "types", "t"))}


def _rows_concatenated(one, other):
    first, second = as_rows(one), as_rows(other)
    shift = len(first.flat)
    begins = np.concatenate((first.begins, second.begins + shift))
    return rows_of((concatenated(first.flat, second.flat), begins, np.concatenate((first.ends, second.ends + shift))))


def increased(one: Any, other: Any) -> Any:
    """Return what ``one += other`` makes of one."""
    if isinstance(one, tuple):
        return concatenated(one, other)
    one += other
    return one


@of_authors(increased)
def _increased(one, other):
    if isinstance(one, types.Array) and not isinstance(one, Sequence):
        return _in_place
    return _extended if isinstance(one, types.List) else lambda one, other: concatenated(one, other)


def _extended(one, other):
    one.extend(other)
    return one


def _in_place(one, other):
    one += other
    return one


def repeated(values: Any, times: int) -> Any:
    """Return values so many times: what ``(0,) * n`` becomes."""
    return Computed(values * times)


@of_authors(repeated)
def _repeated(values, times):
    if isinstance(values, types.Integer):
        return lambda values, times: repeated(times, values)
    if isinstance(values, Sequence) and values.makes != "t":
        as_one = frozen_as(values.makes)
        return lambda values, times: as_one(
            sequence([values[place % len(values)] for place in range(len(values) * times)])
        )
    return lambda values, times: sequence([values[place % len(values)] for place in range(len(values) * times)])


def truth(value: Any) -> Any:
    """Return what an ``if`` asks of a value: whether a container has elements."""
    return value


@of_authors(truth)
def _truth(value):
    return (lambda value: len(value) > 0) if isinstance(value, (Sequence, Struct)) else lambda value: value


def equal(one: Any, other: Any) -> Any:
    """Return ``one == other``."""
    return one == other


@of_authors(equal)
def _equal(one, other):
    if all(isinstance(each, types.BaseTuple) for each in (one, other)):
        if len(one) != len(other):
            return lambda one, other: False
        parts = " and ".join(f"equal(one[{k}], other[{k}])" for k in range(len(one))) or "True"
        return made(f"def of_tuples(one, other):\n    return {parts}\n", "of_tuples", {"equal": equal})
    is_row = [isinstance(each, (*TUPLES, types.List)) for each in (one, other)]
    if all(is_row):
        makes = {_make_of(each) for each in (one, other)}
        if "rows" in makes and len(makes) > 1 and makes != {"rows", "t"}:
            raise TypingError("rows are compared with a list; compare tuples")
        return _all_equal if len(makes) == 1 or "rows" in makes else lambda one, other: False
    both = [types.unliteral(each) for each in (one, other)]
    if LETTER in both and "s" in [getattr(each, "makes", "") for each in both]:
        return _letter_equal if both[1] == LETTER else lambda one, other: equal(other, one)
    is_number = [isinstance(each, NUMBERS) for each in both]
    if (any(is_row) and any(is_number)) or (all(is_number) and (both[0] == LETTER) != (both[1] == LETTER)):
        return lambda one, other: False
    if {types.int64, types.float64} == {*both}:
        return _exactly_equal
    return lambda one, other: one == other


def _exactly_equal(one, other):
    return one == other and np.int64(one) == np.int64(other)


def _make_of(kind: Any) -> str:
    if isinstance(kind, Rows):
        return "rows"
    makes: str = "l" if isinstance(kind, types.List) else getattr(kind, "makes", "t")[0]
    return makes


def _letter_equal(one, other):
    return len(one) == 1 and one[0] == other


def _all_equal(one, other):
    if len(one) != len(other):
        return False
    for place in range(len(one)):
        if not equal(one[place], other[place]):
            return False
    return True


def unequal(one: Any, other: Any) -> Any:
    """Return ``one != other``."""
    return one != other


@of_authors(unequal)
def _unequal(one, other):
    if any(isinstance(each, types.Array) and not isinstance(each, Sequence) for each in (one, other)):
        return lambda one, other: one != other
    return lambda one, other: not equal(one, other)


def among(wanted: Any, values: Any) -> bool:
    """Return ``wanted in values``."""
    return wanted in values


@of_authors(among)
def _among(wanted, values):
    if getattr(values, "makes", "") == getattr(wanted, "makes", None) == "s":
        raise TypingError("a text is looked up in a text; look up single letters")
    if isinstance(values, types.Tuple):
        parts = " or ".join(f"equal(wanted, values[{k}])" for k in range(len(values))) or "False"
        return made(f"def among(wanted, values):\n    return {parts}\n", "among", {"equal": equal})
    is_sequence = isinstance(values, (Sequence, Rows, types.List, types.UniTuple))
    return _among_some if is_sequence else lambda wanted, values: wanted in values


def _among_some(wanted, values):
    for value in values:
        if equal(wanted, value):
            return True
    return False


@allocating
def some(truths):
    """Return whether any of some conditions holds: ``any(values)``."""
    for truth_of_one in truths:
        if truth_of_one:
            return True
    return False


@allocating
def every(truths):
    """Return whether all of some conditions hold: ``all(values)``."""
    for truth_of_one in truths:
        if not truth_of_one:
            return False
    return True


@allocating
def count_of(values, wanted):
    """Return how many of some values are equal to one: ``values.count(wanted)``."""
    number = 0
    for value in values:
        number += equal(value, wanted)
    return number


@allocating
def first_index(values, wanted):
    """Return the first place of a value: ``values.index(wanted)``."""
    for place, value in enumerate(values):
        if equal(value, wanted):
            return place
    raise ValueError


@allocating
def bit_count(number):
    """Return how many bits of a number are 1."""
    return np.int64(popcount(np.int64(abs(number))))


@allocating
def bit_length(number):
    """Return the bits that a number takes."""
    length, left = 0, abs(number)
    while left:
        left >>= 1
        length += 1
    return length


@allocating
def first_of(values):
    """Return the first of some values: ``next(value for ...)``."""
    if len(values) == 0:
        raise StopIteration
    return values[0]


@allocating
def first_or(values, otherwise):
    """Return the first of some values: ``next((value for ...), otherwise)``."""
    return values[0] if len(values) else otherwise


def less(one: Any, other: Any) -> Any:
    """Return whether a key comes before another; of two rows, by the first place where they differ."""
    return one < other


@of_authors(less)
def _less(one, other):
    return _less_row if isinstance(one, types.Array) else lambda one, other: one < other


def _less_row(one, other):
    for place in range(min(len(one), len(other))):
        if one[place] != other[place]:
            return one[place] < other[place]
    return len(one) < len(other)


@allocating
def extreme_by(values, keys, is_least):
    """Return the first value of least key, or of greatest."""
    if len(keys) == 0:
        raise ValueError
    best = 0
    for place in range(1, len(keys)):
        if less(keys[place], keys[best]) if is_least else less(keys[best], keys[place]):
            best = place
    return values[best]


@allocating
def extreme_or(values, keys, is_least, otherwise):
    """Return the first value of least key, or of greatest; another one where there is none."""
    return extreme_by(values, keys, is_least) if len(keys) else otherwise


@allocating
def sorted_by(values, keys, is_reversed):
    """Return values in the order of their keys, those of equal keys in their own order, by merging."""
    size, width = len(keys), 1
    order, merged = np.arange(size), np.arange(size)
    while width < size:
        for begin in range(0, size, 2 * width):
            one, middle, end = begin, min(begin + width, size), min(begin + 2 * width, size)
            other = middle
            for at in range(begin, end):
                is_other = one == middle
                if one < middle and other < end:
                    first, second = keys[order[one]], keys[order[other]]
                    is_other = less(first, second) if is_reversed else less(second, first)
                if is_other:
                    merged[at] = order[other]
                    other += 1
                else:
                    merged[at] = order[one]
                    one += 1
        order, merged, width = merged, order, 2 * width
    return [values[place] for place in order]


@allocating
def put_in_order(values, ordered):
    """Write values in another order to their list: ``values.sort(key=...)``."""
    for place in range(len(values)):
        values[place] = ordered[place]


@allocating
def as_long_as(values, *others):
    """Return values if others are as many: ``zip(..., strict=True)``."""
    for other in others:
        if len(other) != len(values):
            raise ValueError
    return values


def keys_in(table: Any) -> Any:
    """Return ``table.keys()``."""
    return table.keys()


@of_authors(keys_in)
def _keys_in(table):
    return (lambda table: as_list(table)) if isinstance(table, Table) else lambda table: table.keys()


def values_in(table: Any) -> Any:
    """Return ``table.values()``."""
    return table.values()


@of_authors(values_in)
def _values_in(table):
    if isinstance(table, Table):
        return lambda table: [table[key] for key in table]
    return lambda table: table.values()


def popped(values: Any) -> Any:
    """Return ``values.pop()``."""
    return values.pop()


@of_authors(popped)
def _popped(values):
    if isinstance(values, types.Set):
        raise TypingError("pop of a set gives any member; write max(...), and discard it")
    return lambda values: values.pop()


def in_reverse(values: Any) -> Any:
    """Return ``reversed(values)``, which a loop is over, as a list."""
    return [*reversed(values)]


@of_authors(in_reverse)
def _in_reverse(values):
    if isinstance(values, (Members, types.Set, Table, types.DictType)):
        raise TypingError("reversed(...) of a set or a dictionary, which has another order; write sorted(...)")
    return lambda values: [value for value in values][::-1]  # noqa: C416


def in_order(values: Any) -> Any:
    """Return what a loop is over, unless it is a set."""
    return values


@of_authors(in_order)
def _in_order(values):
    if isinstance(values, (Members, types.Set)):
        raise TypingError("a loop over a set goes in another order; write sorted(...)")
    return lambda values: values


def rows(width: int) -> Any:
    """Return a function from a matrix, or records, of a width to a list of tuples, and from all else to itself."""

    def tuples(values: Any) -> Any:
        return values

    parts = row_as_tuple(width)

    @of_authors(tuples)
    def of_type(values):
        is_records = isinstance(values, types.Array) and isinstance(values.dtype, types.Record)
        is_container = isinstance(values, (types.Array, Rows, types.List))
        if is_records or (is_container and isinstance(element_of(values), (types.Array, types.List))):
            return lambda values: [parts(row) for row in values]
        return lambda values: values

    return tuples


def row_as_tuple(width: int) -> Any:
    """Return a function from a row or record of a width to a tuple, and from all else to itself."""

    def as_tuple(row: Any) -> Any:
        return row

    @of_authors(as_tuple)
    def of_type(row):
        if not isinstance(row, (types.Array, types.List, types.Record, Rows)):
            return lambda row: row
        fields = [f".{field}" for field in row.fields] if isinstance(row, types.Record) else []
        places = ", ".join(f"row{part}" for part in fields or [f"[{k}]" for k in range(width)])
        length = len(fields) or "len(row)"
        source = f"def of_row(row):\n    if {length} != {width}:\n        raise ValueError\n    return ({places},)\n"
        return made(source, "of_row", {})

    return as_tuple


def around(before: int, after: int) -> Any:
    """Return a function from a tuple to its first elements, those between, and the last: ``a, *b, c = value``."""

    def split(value: Any) -> Any:
        between = value[before : len(value) - after]
        return (*value[:before], between, *value[len(value) - after :])

    @of_authors(split)
    def of_type(value):
        parts = [f"value[{k}]" for k in range(before)]
        last = f"{len(value) - after}" if isinstance(value, types.BaseTuple) else f"len(value) - {after}"
        parts.append(f"value[{before} : {last}]")
        parts += [f"value[{k - after}]" for k in range(after)]
        return made(f"def split(value):\n    return ({', '.join(parts)},)\n", "split", {})

    return split


def replace(names: tuple[str, ...]) -> Any:
    """Return a function that does what ``record._replace`` with keywords of these names does."""

    def replaced(record: Any, *values: Any) -> Any:
        return record._replace(**dict(zip(names, values, strict=True)))

    @of_authors(replaced, strict=False)
    def of_types(record, *values):
        if not isinstance(record, types.BaseNamedTuple) or not {*names} <= {*record.fields}:
            raise TypingError(f"_replace of {', '.join(names)} is for a NamedTuple that has them")
        found = [f"values[{names.index(field)}]" if field in names else f"record.{field}" for field in record.fields]
        source = f"def replaced(record, *values):\n    return Record({', '.join(found)})\n"
        return made(source, "replaced", {"Record": record.instance_class})

    return replaced
