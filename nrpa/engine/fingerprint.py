"""Fingerprints of code: they tell whether machine code on disk still belongs to the source."""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
from collections.abc import Callable, Iterable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, EllipsisType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types

_LIBRARIES = ("numpy", "numba", "math", "builtins", "llvmlite")
_SCALARS = (bool, int, float, complex, str, bytes, range, slice, type(None), EllipsisType)
_READ_CONSTANT = frozenset(dis.hasconst)
_STORE_NAME = bytes([dis.opmap["STORE_NAME"]])
# What a module or a class keeps of its text, which changes nothing that is computed.
_OF_THE_TEXT = ("__doc__", "__firstlineno__", "__static_attributes__")
_MISSING = object()


def fingerprint(functions: Iterable[Callable[..., Any]], sources: Iterable[Path] = ()) -> str:
    """Return a hash that changes when the code of functions, or of whole files, changes.

    Functions are followed through their globals and closures, by their byte code: an edited comment or docstring
    changes nothing, an edited helper in another module does. What numba's ``overload`` enters elsewhere is not found
    so; the files that do it belong to ``sources``.
    """
    parts = [_of_file(path) for path in sources] + [_of_function(function) for function in functions]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@functools.cache
def _of_file(path: Path) -> bytes:
    code: Any = SourceFileLoader(path.stem, str(path)).get_code(path.stem)
    return _Digest().of_code(code)[0]


@functools.cache
def _of_function(function: Callable[..., Any]) -> bytes:
    return _Digest().of(function)


@functools.cache
def _code_of(function: FunctionType) -> tuple[bytes, tuple[str, ...]]:
    return _Digest().of_code(function.__code__)


class _Digest:
    """A hash to which values are added, each with its kind and length, so that no two rows of values look alike."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._met: dict[int, tuple[int, Any]] = {}

    def of(self, value: Any) -> bytes:
        """Return the hash of one value."""
        self._add(value)
        return self._hash.digest()

    def of_code(self, code: CodeType) -> tuple[bytes, tuple[str, ...]]:
        """Return the hash of a code object, and the names that it and the code inside it use."""
        names = tuple(dict.fromkeys(self._add_code(code)))
        return self._hash.digest(), names

    def _write(self, kind: str, data: bytes | str = b"") -> None:
        data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        self._hash.update(f"{kind} {len(data)}:".encode() + data)

    def _is_met(self, value: Any) -> bool:
        """Return whether a value was added before, and write its number."""
        is_met = id(value) in self._met
        number, _ = self._met.setdefault(id(value), (len(self._met), value))
        self._write("number", str(number))
        return is_met

    def _add(self, value: Any) -> None:
        kind = type(value)
        attributes = getattr(value, "__dict__", {})
        function = attributes.get("_defn") or attributes.get("__wrapped__")
        if isinstance(value, FunctionType):
            self._add_function(value)
        elif isinstance(value, type):
            self._add_class(value)
        elif isinstance(value, enum.Enum):
            self._add_class(kind)
            self._write("member", value.name)
        elif isinstance(value, (np.ndarray, np.generic)):
            self._add_array(value)
        elif isinstance(value, tuple):
            self._add_class(kind)
            self._write("tuple", str(len(value)))
            for item in value:
                self._add(item)
        elif isinstance(value, _SCALARS):
            base: Any = next(each for each in _SCALARS if isinstance(value, each))
            self._write(kind.__qualname__, base.__repr__(value))
        elif isinstance(value, (np.dtype, types.Type)):
            self._write(kind.__qualname__, repr(value))
        elif isinstance(function, FunctionType):
            self._add_compiled(value, function)
        else:
            named = value if hasattr(value, "__name__") else kind
            self._write("named", f"{getattr(named, '__module__', '')}.{named.__name__}")

    def _add_array(self, value: Any) -> None:
        self._write("array", repr((value.dtype, value.shape, value.strides)))
        self._write("bytes", b"" if value.dtype.hasobject else value.tobytes())

    def _add_class(self, value: type) -> None:
        self._write("class", f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', '')}")
        if issubclass(value, enum.Enum) and not self._is_met(value):
            self._add(tuple((name, member.value) for name, member in value.__members__.items()))

    def _add_compiled(self, value: Any, function: FunctionType) -> None:
        """Add a function that numba compiles: with its options, and with its types if it takes no others."""
        for settings in ("targetoptions", "locals"):
            self._add(tuple(sorted(getattr(value, settings, {}).items())))
        self._add(() if getattr(value, "_can_compile", True) else tuple(map(str, value.nopython_signatures)))
        self._add(function)

    def _add_function(self, function: FunctionType) -> None:
        self._write("function", f"{function.__module__}.{function.__name__}")
        if self._is_met(function) or str(function.__module__).split(".")[0] in _LIBRARIES:
            return
        code, names = _code_of(function)
        self._write("code", code)
        self._add(function.__defaults__)
        self._add(tuple(sorted((function.__kwdefaults__ or {}).items())))
        for cell in function.__closure__ or ():
            try:
                self._add(cell.cell_contents)
            except ValueError:
                self._write("empty")
        self._add_named(function.__globals__, names, set())

    def _add_named(self, scope: dict[str, Any], names: tuple[str, ...], within: set[int]) -> None:
        """Add what a function may mean by names: globals, and attributes of modules at any depth."""
        for name in names:
            value = scope.get(name, _MISSING)
            if isinstance(value, ModuleType) and value.__name__.split(".")[0] not in _LIBRARIES:
                self._write("module", name)
                if id(value) not in within:
                    within.add(id(value))
                    self._add_named({each: getattr(value, each, _MISSING) for each in names}, names, within)
            elif value is not _MISSING:
                self._write("name", name)
                self._add(value)
        self._write("end")

    def _add_code(self, code: CodeType) -> list[str]:
        """Add a code object; return the names that it and the code inside it use."""
        names = list(code.co_names)
        arguments = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        self._write("code", code.co_code)
        self._write("exceptions", code.co_exceptiontable)
        self._write("names", repr((arguments, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)))
        constants = _constants(code)
        # No constant is a list, so a list stands for what has no text that is always the same.
        self._write("constants", repr([_LISTED.get(type(each), _same)(each) for each in constants]))
        for constant in constants:
            if isinstance(constant, CodeType):
                names += self._add_code(constant)
        return names


def _same(constant: Any) -> Any:
    return constant


_LISTED: dict[type, Callable[[Any], Any]] = {CodeType: lambda _: [], frozenset: lambda items: sorted(map(repr, items))}


def _constants(code: CodeType) -> list[Any]:
    """Return the constants that a code object reads; docstrings are not among them."""
    opcodes, arguments, read = code.co_code[::2], code.co_code[1::2], set()
    for at, opcode in enumerate(opcodes):
        if opcode not in _READ_CONSTANT:
            continue
        if opcodes[at + 1 : at + 2] == _STORE_NAME and code.co_names[arguments[at + 1]] in _OF_THE_TEXT:
            continue
        index, before = arguments[at], at - 1
        while before >= 0 and opcodes[before] == dis.EXTENDED_ARG:
            index += arguments[before] << 8 * (at - before)
            before -= 1
        read.add(index)
    return [code.co_consts[index] for index in sorted(read)]
