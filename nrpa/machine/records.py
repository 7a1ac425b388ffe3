"""Records as rows of whole numbers, eight bytes each: machine code gets their address, and loads the fields it reads.

An array is its address, its shape and, unless it is C-contiguous, its strides; a number is itself. A record by value is
hundreds of values at each call, slow to compile; by its address (``AtAddress``) it is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import populate_array

from nrpa.machine.code_cache import described

WORD = ir.IntType(64)


@intrinsic
def begin(typing_context, array):
    """Return the address of the first entry of a C-contiguous array."""
    if not (isinstance(array, types.Array) and array.layout == "C"):
        return None

    def generate(context, builder, signature, arguments):
        return builder.ptrtoint(context.make_array(array)(context, builder, arguments[0]).data, WORD)

    return types.int64(array), generate


def _array_at(context, builder, kind, data, shape, strides=None):
    """Return the value of an array whose first entry has the address ``data``."""
    array = context.make_array(kind)(context, builder)
    size = ir.Constant(WORD, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    if strides is None:
        strides = [size]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
    pointer = builder.inttoptr(data, array.data.type)
    populate_array(array, data=pointer, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()


def _vector(kind):
    def typed(typing_context, address, size):
        def generate(context, builder, signature, arguments):
            return _array_at(context, builder, signature.return_type, arguments[0], [arguments[1]])

        return types.Array(kind, 1, "C")(types.int64, types.int64), generate

    return intrinsic(typed)


whole_numbers, numbers = _vector(types.int64), _vector(types.float64)


def record_at(kind: Any) -> Any:
    """Return a compiled function that makes a record of a type, from the address at which it is written."""

    def typed(typing_context, address):
        def generate(context, builder, signature, arguments):
            return _loaded(context, builder, kind, arguments[0], 0)

        return kind(types.int64), generate

    return intrinsic(typed)


def _loaded(context, builder, kind, address, place):
    """Return the value of a type that is written at a place, counted in whole numbers, behind an address."""
    words = builder.inttoptr(address, WORD.as_pointer())
    constant = builder.module.add_metadata([])
    places = count(place)

    def word():
        loaded = builder.load(builder.gep(words, [ir.Constant(WORD, next(places))]))
        loaded.set_metadata("invariant.load", constant)
        return loaded

    return _value(context, builder, kind, word)


def _value(context, builder, kind, word):
    """Return the value of a type, whose whole numbers ``word`` reads one after the other."""
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [_value(context, builder, part, word) for part in kind])
    if isinstance(kind, types.Array):
        data, shape = word(), [word() for _ in range(kind.ndim)]
        strides = None if kind.layout == "C" else [word() for _ in range(kind.ndim)]
        return _array_at(context, builder, kind, data, shape, strides)
    if isinstance(kind, types.NoneType):
        return context.get_dummy_value()
    if isinstance(kind, types.Float):
        return context.cast(builder, builder.bitcast(word(), ir.DoubleType()), types.float64, kind)
    return context.cast(builder, word(), types.int64, kind)


def is_written(kind: Any) -> bool:
    """Return whether records of a type can be written as whole numbers."""
    if isinstance(kind, types.BaseTuple):
        return all(map(is_written, kind))
    return isinstance(kind, (types.Array, types.Boolean, types.Integer, types.Float))


def written(record: Any) -> np.ndarray:
    """Return a record as whole numbers, int64[words]; the arrays must live as long as these are used."""
    return np.array([*_words(record)], np.int64)


def _words(part: Any) -> Iterator[int]:
    if isinstance(part, tuple):
        for inner in part:
            yield from _words(inner)
    elif isinstance(part, np.ndarray):
        yield from (part.ctypes.data, *part.shape, *(() if part.flags.c_contiguous else part.strides))
    elif isinstance(part, (float, np.floating)):
        yield int(np.float64(part).view(np.int64))
    elif part is not None:
        yield int(part) - ((1 << 64) if int(part) >= 1 << 63 else 0)


class AtAddress:
    """A record that a compiled function is handed by its address; to the function it is a record like any other."""

    def __init__(self, record: Any) -> None:
        self.record = record  # its arrays must live as long
        self.kind = RecordAt(typeof(record))
        self._words = written(record)
        self.address = self._words.ctypes.data


class RecordAt(types.Type):  # type: ignore[misc]
    """The type of a record of some type, by its address."""

    def __init__(self, kind: Any) -> None:
        self.fields, self.types, self.instance_class = kind.fields, kind.types, kind.instance_class
        super().__init__(f"RecordAt({described(kind)})")


@typeof_impl.register(AtAddress)
def _type_of(value, context):
    return value.kind


@register_model(RecordAt)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


@unbox(RecordAt)
def _unboxed(kind, value, c):
    address = c.pyapi.object_getattr_string(value, "address")
    number = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return NativeValue(number, is_error=c.pyapi.c_api_error())


@infer_getattr
class _Attributes(AttributeTemplate):  # type: ignore[misc]
    key = RecordAt

    def generic_resolve(self, record: Any, name: str) -> Any:
        if name not in record.fields:
            return None
        field = record.types[record.fields.index(name)]
        return RecordAt(field) if isinstance(field, types.BaseNamedTuple) else field


@lower_getattr_generic(RecordAt)
def _attribute(context, builder, record, address, name):
    index = record.fields.index(name)
    place = sum(map(_size, record.types[:index]))
    field = record.types[index]
    if isinstance(field, types.BaseNamedTuple):
        return builder.add(address, ir.Constant(WORD, 8 * place))
    return _loaded(context, builder, field, address, place)


def _size(kind: Any) -> int:
    """Return how many whole numbers a record of a type is."""
    if isinstance(kind, types.BaseTuple):
        return sum(map(_size, kind))
    if isinstance(kind, types.Array):
        return 1 + int(kind.ndim) * (1 if kind.layout == "C" else 2)
    return int(not isinstance(kind, types.NoneType))
