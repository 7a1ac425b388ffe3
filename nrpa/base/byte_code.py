"""The hash of byte code: comments, docstrings and places in a file change nothing."""

from __future__ import annotations

import dis
import hashlib
import inspect
from collections.abc import Iterator
from types import CodeType
from typing import Any

_READ_CONSTANT = frozenset(dis.hasconst)
_STORE_NAME = bytes([dis.opmap["STORE_NAME"]])
# What a module or a class keeps of its text, which changes nothing that is computed.
_OF_THE_TEXT = ("__doc__", "__firstlineno__", "__static_attributes__")
# Since Python 3.14 a flag says that there is a docstring, and no constant stands in the place of one that there is not.
# Another one is cleared by numba where a function is called under a profiler, with Python 3.11.
_NOT_COUNTED = 0x4000000 | inspect.CO_OPTIMIZED


def hash_of_code(code: CodeType) -> str:
    """Return the hash of a code object, with the code inside it: SHA-256 in hex."""
    flags = code.co_flags & ~_NOT_COUNTED
    arguments = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, flags
    variables = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    constants = [*map(_described, _constants(code))]
    described = _instructions(code), code.co_exceptiontable, arguments, variables, constants
    return hashlib.sha256(repr(described).encode()).hexdigest()


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object, and those inside it."""
    yield code
    for constant in _constants(code):
        if isinstance(constant, CodeType):
            yield from codes_in(constant)


def _described(constant: Any) -> Any:
    if isinstance(constant, CodeType):
        return [hash_of_code(constant)]  # No constant is a list.
    return sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant


def _instructions(code: CodeType) -> bytes:
    """Return the byte code, with the places of constants among those that it reads."""
    read = _places_read(code)
    places, found = {place: number for number, place in enumerate(sorted({*read.values()}))}, bytearray(code.co_code)
    for at, place in read.items():
        found[2 * at + 1] = places[place] & 0xFF
    return bytes(found)


def _constants(code: CodeType) -> list[Any]:
    """Return the constants that a code object reads; docstrings are not among them."""
    return [code.co_consts[place] for place in sorted({*_places_read(code).values()})]


def _places_read(code: CodeType) -> dict[int, int]:
    """Return the places of the constants that are read, by the numbers of the instructions that read them."""
    opcodes, arguments, read = code.co_code[::2], code.co_code[1::2], dict[int, int]()
    for at, opcode in enumerate(opcodes):
        if opcode not in _READ_CONSTANT:
            continue
        if opcodes[at + 1 : at + 2] == _STORE_NAME and code.co_names[arguments[at + 1]] in _OF_THE_TEXT:
            continue
        index, before = arguments[at], at - 1
        while before >= 0 and opcodes[before] == dis.EXTENDED_ARG:
            index += arguments[before] << 8 * (at - before)
            before -= 1
        read[at] = index
    return read
