"""Python's containers as machine code has them: tuples of any length, rows of several lengths, sets, dictionaries.

None of them changes. A sequence, which stands for a tuple or a list that is only read, is an array of a type of its
own. The others are made of arrays. Whole numbers and tuples of two or three are packed into numbers to be looked up.
"""

from __future__ import annotations

import functools
import operator
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed, lower_builtin, lower_cast
from numba.core.typing import signature
from numba.extending import intrinsic, make_attribute_wrapper, overload_method, register_model

from nrpa.compiling.options import OF_AUTHORS, allocating, of_authors
from nrpa.compiling.packing import pack, unpack
from nrpa.machine.jit import made

NUMBERS = (types.Number, types.Boolean)


# What stands for a letter; no other number has this type.
LETTER = types.uint32


class Sequence(types.Array):  # type: ignore[misc]
    """An array that stands for a tuple: ``+`` puts two one after the other, ``==`` compares them as a whole.

    ``makes`` says of each dimension what it is in Python: "t" a tuple, "l" a list that is only read, "s" a text.
    """

    def __init__(self, *arguments: Any, makes: str, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.makes = makes
        self.name: str = f"{makes}_{self.name}"

    @property
    def key(self) -> Any:
        return (*super().key, self.makes)

    def copy(self, dtype: Any = None, ndim: Any = None, layout: Any = None, readonly: Any = None) -> Any:
        """Return the type of a part of it, or that of an array with memory of its own."""
        found = super().copy(dtype, ndim, layout, readonly)
        return found if readonly is False else _as_sequence(found, self.makes)

    def unify(self, context: Any, other: Any) -> Any:
        """Return the type of what is this or another one."""
        found = super().unify(context, other)
        if found is None or not isinstance(other, Sequence):
            return found
        return _as_sequence(found, self.makes) if self.makes == other.makes else None


def _as_sequence(kind: Any, makes: str) -> Sequence:
    makes = makes[-kind.ndim :].rjust(kind.ndim, "t")
    return Sequence(kind.dtype, kind.ndim, kind.layout, readonly=True, aligned=kind.aligned, makes=makes)


register_model(Sequence)(models.ArrayModel)


@lower_cast(Sequence, types.Array)
def _as_array(context, builder, of, to, value):
    return value


@functools.cache
def frozen_as(makes: str) -> Any:
    """Return a function from an array to it as a sequence, without a copy."""

    @intrinsic
    def frozen(typing_context, array):
        kind = _as_sequence(array, makes)
        return kind(array), lambda context, builder, signature, given: impl_ret_borrowed(
            context, builder, kind, given[0]
        )

    return frozen


frozen = frozen_as("t")
LIST_OF_NUMBERS = _as_sequence(types.int64[::1], "l")


class Struct(types.IterableType):  # type: ignore[misc]
    """A container made of others; ``fields`` are their names, ``parts`` their types, ``element`` what a loop gives."""

    fields: tuple[str, ...] = ()
    element: Any

    def __init__(self, *parts: Any) -> None:
        self.parts = parts
        super().__init__(f"{type(self).__name__}({', '.join(map(str, parts))})")

    @property
    def key(self) -> Any:
        return self.parts

    @property
    def mangling_args(self) -> Any:
        return type(self).__name__, self.parts

    @property
    def iterator_type(self) -> Any:
        return types.ListIter(types.List(self.element))


def _maker(cls: type[Struct]) -> Any:
    """Register a class of containers; return the function of a tuple of its parts that makes one."""

    @register_model(cls)
    class Model(models.StructModel):  # type: ignore[misc]
        def __init__(self, manager, kind):
            super().__init__(manager, kind, [*zip(cls.fields, kind.parts, strict=True)])

    for field in cls.fields:
        make_attribute_wrapper(cls, field, field)

    @intrinsic
    def make(typing_context, parts):
        kind = cls(*map(types.unliteral, parts))

        def generate(context, builder, signature, given):
            proxy = cgutils.create_struct_proxy(kind)(context, builder)
            for field, value in zip(cls.fields, cgutils.unpack_tuple(builder, given[0]), strict=True):
                setattr(proxy, field, value)
            return impl_ret_borrowed(context, builder, kind, proxy._getvalue())

        return kind(parts), generate

    return make


class Rows(Struct):
    """Rows of several lengths: row k is ``flat[begins[k] : ends[k]]``."""

    fields = ("flat", "begins", "ends")
    element = property(lambda self: self.parts[0])


class Members(Struct):
    """A set, as its packed elements in order; ``example`` is one, or 0 for each of its numbers."""

    fields = ("keys", "example")
    element = property(lambda self: self.parts[1])


class Table(Struct):
    """A dictionary: the value of the packed key ``keys[k]`` is ``values[k]``; ``order`` has the keys as they came."""

    fields = ("keys", "values", "order", "example")
    element = property(lambda self: self.parts[3])


rows_of, members_of, table_of = map(_maker, (Rows, Members, Table))


def as_list(values: Any) -> list[Any]:
    """Return what a loop over a container gives."""
    return [*values]


@of_authors(as_list)
def _as_list(values):
    if isinstance(values, Rows):
        return lambda values: [values[place] for place in range(len(values))]
    if isinstance(values, (Members, Table)):
        unpacked = _unpacked(values.element)
        if isinstance(values, Members):
            return lambda values: [unpacked(key) for key in values.keys]
        return lambda values: [unpacked(key) for key in values.order]
    return lambda values: list(values)


@lower_builtin("getiter", Struct)
def _getiter(context, builder, sig, given):
    kind = types.List(sig.args[0].element)
    values = context.compile_internal(builder, lambda values: as_list(values), signature(kind, sig.args[0]), given)
    found = context.get_function("getiter", signature(sig.return_type, kind))(builder, (values,))
    context.nrt.decref(builder, kind, values)
    return found


@of_authors(len)
def _length(of):
    if isinstance(of, Rows):
        return lambda of: len(of.begins)
    return (lambda of: len(of.keys)) if isinstance(of, (Members, Table)) else None


@of_authors(operator.getitem)
def _item(of, place):
    if isinstance(of, Rows) and isinstance(place, types.SliceType):
        return lambda of, place: rows_of((of.flat, of.begins[place], of.ends[place]))
    if isinstance(of, Rows):
        return lambda of, place: of.flat[of.begins[place] : of.ends[place]]
    if isinstance(of, Table):
        _require_alike(of, place)
        return _value_of
    return None


def _value_of(of, place):
    at = found(of.keys, pack(place))
    if at < 0:
        raise KeyError
    return of.values[at]


@of_authors(operator.contains)
def _contains(of, wanted):
    if not isinstance(of, (Members, Table)):
        return None
    _require_alike(of, wanted)
    return lambda of, wanted: found(of.keys, pack(wanted)) >= 0


def _require_alike(of: Any, wanted: Any) -> None:
    """Raise a TypingError where a letter is looked up among numbers, or a number among letters."""
    both = ([*kind] if isinstance(kind, types.BaseTuple) else [kind] for kind in (of.element, wanted))
    is_letter = [[types.unliteral(part) == LETTER for part in parts] for parts in both]
    if is_letter[0] != is_letter[1]:
        raise TypingError(
            f"{wanted} is looked up among keys that are {of.element}; expected letters, or numbers, in both"
        )


@allocating
def found(keys, key):
    """Return the place of a number among some in order, -1 where it is not there."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < len(keys) and keys[low] == key else -1


@overload_method(Table, "get", jit_options=OF_AUTHORS)
def _get(of, key, otherwise=0):
    def get(of, key, otherwise=0):
        return of[key] if key in of else otherwise  # noqa: SIM401

    return get


@overload_method(Table, "items", jit_options=OF_AUTHORS)
def _items(of):
    return lambda of: [(key, of[key]) for key in of]


def members(values: Any) -> frozenset[Any]:
    """Return the set of some values: what ``frozenset(values)`` becomes."""
    return frozenset(values)


@of_authors(members)
def _members(values):
    if isinstance(values, Members):
        return lambda values: values
    example = _example(element_of(values))

    def of_values(values):
        keys = np.empty(len(values), np.int64)
        for place, value in enumerate(values):
            keys[place] = pack(value)
        return members_of((distinct(keys), example))

    return of_values


def element_of(kind: Any) -> Any:
    """Return the type of what a loop over a container gives; whole numbers where it is empty."""
    if isinstance(kind, types.Array):
        return kind.dtype if kind.ndim == 1 else kind.copy(ndim=kind.ndim - 1)
    if isinstance(kind, types.BaseTuple):
        return kind[0] if len(kind) else types.int64
    return types.int64 if isinstance(kind, types.RangeType) else getattr(kind, "element", None) or kind.dtype


def _example(kind: Any) -> Any:
    parts = tuple(
        np.uint32(0) if each == LETTER else 0 for each in ([*kind] if isinstance(kind, types.BaseTuple) else [kind])
    )
    return parts if isinstance(kind, types.BaseTuple) else np.uint32(0) if kind == LETTER else np.int64(0)


def _unpacked(element: Any) -> Any:
    """Return a function from a packed element of a set, or a key, to itself, with letters where there were some."""
    unpacked = unpack(getattr(element, "count", len(element) if isinstance(element, types.BaseTuple) else 0))
    kinds = [*element] if isinstance(element, types.BaseTuple) else [element]
    if LETTER not in kinds:
        return unpacked
    parts = [f"unpacked(key){f'[{k}]' * (element is not LETTER)}" for k in range(len(kinds))]
    cast = [f"np.uint32({part})" if kind == LETTER else part for part, kind in zip(parts, kinds, strict=True)]
    made_of = f"({', '.join(cast)},)" if isinstance(element, types.BaseTuple) else cast[0]
    return allocating(made(f"def of(key):\n    return {made_of}\n", "of", {"np": np, "unpacked": unpacked}))


@allocating
def distinct(keys):
    """Return numbers in order, each once."""
    keys.sort()
    count = 0
    for key in keys:
        if count == 0 or key != keys[count - 1]:
            keys[count] = key
            count += 1
    return keys[:count]


@allocating
def keys_of(values):
    """Return the packed elements of a set in order."""
    return members(values).keys  # type: ignore[attr-defined]


def _of_sets(operation: Any, combined: Any) -> None:
    """Let an operator of two sets, the first of them frozen, give a frozen set."""

    @of_authors(operation)
    def of_types(one, other):
        if not isinstance(one, Members) or not isinstance(other, (Members, types.Set)):
            return None
        return lambda one, other: members_of((combined(one.keys, keys_of(other)), one.example))


@allocating
def _without(one, other):
    return np.array([key for key in one if found(other, key) < 0], np.int64)


@allocating
def _within(one, other):
    return np.array([key for key in one if found(other, key) >= 0], np.int64)


@allocating
def _with(one, other):
    return distinct(np.concatenate((one, other)))


_of_sets(operator.sub, _without)
_of_sets(operator.and_, _within)
_of_sets(operator.or_, _with)


def table(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return the dictionary of some pairs: what ``{key: value for ...}`` becomes."""
    return dict(pairs)


@of_authors(table)
def _table(pairs):
    example = _example(pairs.dtype[0])

    def of_pairs(pairs):
        packed = np.array([pack(key) for key, _ in pairs], np.int64)
        keys = distinct(packed.copy())
        values = np.array([value for _, value in pairs])[: len(keys)]
        order, count = packed.copy(), 0
        is_new = np.ones(len(keys), np.bool_)
        for key, (_, value) in zip(packed, pairs):  # noqa: B905
            at = found(keys, key)
            values[at] = value
            if is_new[at]:
                is_new[at] = False
                order[count] = key
                count += 1
        return table_of((keys, values, order[:count], example))

    return of_pairs


class OfSequence(NamedTuple):
    """An attribute that is a tuple or a list of numbers, or of rows of one length, or a text."""

    array: np.ndarray


def of_sequence(array: np.ndarray, makes: str) -> Any:
    """Return what stands for a tuple, a list or a text; ``makes`` is in its class, which machine code finds by name."""
    name = f"OfSequence_{makes}"
    if name not in globals():
        globals()[name] = type(name, (OfSequence,), {"makes": makes, "__module__": __name__})
    return globals()[name](array)


class OfRows(NamedTuple):
    """An attribute that is a list of rows of several lengths."""

    flat: np.ndarray
    begins: np.ndarray
    ends: np.ndarray


def of_rows(flat: np.ndarray, ends: np.ndarray, begins: np.ndarray, makes: str) -> Any:
    """Return what stands for rows of several lengths; ``makes`` says what a row is."""
    name = f"OfRows_{makes}"
    if name not in globals():
        globals()[name] = type(name, (OfRows,), {"makes": makes, "__module__": __name__})
    return globals()[name](flat, begins, ends)


class OfMembers(NamedTuple):
    """An attribute that is a set."""

    keys: np.ndarray
    example: Any


class OfTable(NamedTuple):
    """An attribute that is a dictionary."""

    keys: np.ndarray
    values: Any
    order: np.ndarray
    example: Any


def given(value: Any) -> Any:
    """Return the container that an attribute stands for; any other value as it is."""
    if isinstance(value, (OfSequence, OfRows, OfMembers, OfTable)):
        if id(value) not in _containers:
            _containers[id(value)] = value, _container(value)
        return _containers[id(value)][1]
    if isinstance(value, tuple):
        parts = map(given, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


_containers: dict[int, tuple[Any, Any]] = {}


class Computed(tuple[Any, ...]):
    """A tuple whose length is not written out: a sequence in machine code."""

    def __getitem__(self, place: Any) -> Any:
        part = super().__getitem__(place)
        return Computed(part) if isinstance(place, slice) else part


def computed(value: Any, makes: str) -> Any:
    """Return a list, and those in it, as what they are in Python, tuples as sequences."""
    if not isinstance(value, list):
        return np.uint32(value) if makes == "letter" else value
    parts = [computed(part, makes[1:] or ("letter" if makes == "s" else "")) for part in value]
    return parts if makes.startswith("l") else Computed(parts)


def _container(value: Any) -> Any:
    made_of = getattr(value, "makes", "")
    if isinstance(value, OfSequence):
        is_record = value.array.dtype.names is not None
        return Computed(value.array.view(np.recarray)) if is_record else computed(value.array.tolist(), made_of)
    if isinstance(value, OfRows):
        whole = _container(of_sequence(value.flat, made_of))
        return Computed(whole[a:b] for a, b in zip(value.begins, value.ends, strict=True))
    kinds = [type(each) for each in (value.example if isinstance(value.example, tuple) else (value.example,))]
    whole = unpack(len(kinds) if isinstance(value.example, tuple) else 0).py_func

    def unpacked(key: int) -> Any:
        found = whole(key)
        return tuple(map(lambda kind, part: kind(part), kinds, found)) if isinstance(found, tuple) else kinds[0](found)

    if isinstance(value, OfMembers):
        return frozenset(unpacked(int(key)) for key in value.keys)
    places = {int(key): place for place, key in enumerate(value.keys)}
    values = given(value.values)
    return {unpacked(int(key)): values[places[int(key)]] for key in value.order}


@of_authors(given)
def _given(value):
    kind = getattr(value, "instance_class", None)
    if kind is not None and issubclass(kind, OfSequence):
        as_given = frozen_as(kind.makes)
        return lambda value: as_given(value.array)
    if kind is not None and issubclass(kind, OfRows):
        as_row = frozen_as(kind.makes)
        return lambda value: rows_of((as_row(value.flat), value.begins, value.ends))
    if kind is OfMembers:
        return lambda value: members_of((value.keys, value.example))
    if kind is OfTable:
        return lambda value: table_of((value.keys, given(value.values), value.order, value.example))
    if isinstance(value, types.BaseTuple):
        parts = "".join(f"given(value[{k}]), " for k in range(len(value)))
        source = f"def of_parts(value):\n    return {'Record' if kind else ''}({parts})\n"
        return made(source, "of_parts", {"given": given, "Record": kind})
    return lambda value: value
