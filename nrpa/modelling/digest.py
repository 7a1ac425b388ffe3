"""The hash of an instance that was made of values in a program, the same in every process."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Mapping, Set
from enum import Enum
from functools import partial
from pathlib import PurePath
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from nrpa.base.byte_code import codes_in, hash_of_code

UNNAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def digest_of_arguments(
    cls: type, arguments: tuple[Any, ...], keywords: Mapping[str, Any], without: Iterable[str] = ()
) -> str:
    """Return the hash of a constructor's arguments, defaults included; empty if they have none. It raises nothing."""
    try:
        bound = inspect.signature(cls.__init__).bind(None, *arguments, **keywords)  # type: ignore[misc]
    except TypeError:
        return ""
    bound.apply_defaults()
    given: dict[str, Any] = {}
    for number, (name, parameter) in enumerate(bound.signature.parameters.items()):
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            given.update(bound.arguments[name])
        elif number > 0 and not (parameter.kind in UNNAMED and not bound.arguments[name]):
            given[name] = bound.arguments[name]
    for name in without:
        given.pop(name, None)
    try:
        return digest(given)
    except Exception:
        return ""


def digest(value: Any) -> str:
    """Return the hash of a value by what it says, not by where it is.

    The same value has the same hash in every process and on every machine:

    - numbers by their value: 1, 1.0 and ``numpy.int64(1)`` are the same, True is not 1;
    - lists, tuples, ranges and arrays by their elements in order: a list and an array of the same numbers are the same;
    - dictionaries and sets by what they hold, in any order;
    - text and bytes by themselves; paths as text; members of an Enum by class and name;
    - functions and classes by module and name;
    - other objects by what ``pickle`` would keep of them: class, arguments and attributes. Only the class counts for an
      object that cannot be pickled, and for a member of a set that is equal to itself alone.

    Returns SHA-256 in hex. Raises RecursionError for values within values beyond Python's limit.

    >>> digest([1, 2.0]) == digest(np.array([1, 2])), digest({1, 2}) == digest([1, 2])
    (True, False)
    """
    return _sha256(_Writer().text(value))


def contents_of(function: Any, within: tuple[Any, ...] = ()) -> Any:
    """Return what a function computes with, for ``digest``: code, defaults, captured values, globals, class attributes.

    Functions that it calls count in the same way, but for those of installed packages, which count by their names.
    """
    function = getattr(function, "py_func", function)
    if isinstance(function, MethodType):
        return contents_of(function.__func__, within), function.__self__
    if isinstance(function, partial):
        return contents_of(function.func, within), function.args, function.keywords
    if not isinstance(function, FunctionType) or function in within or _is_installed(function):
        return function
    held = [(function.__defaults__, function.__kwdefaults__)]
    held += [cell.cell_contents for cell in function.__closure__ or ()]
    names = dict.fromkeys(name for code in codes_in(function.__code__) for name in code.co_names)
    read = [function.__globals__[name] for name in names if name in function.__globals__]
    found = [contents_of(each, (*within, function)) for each in (*held, *read) if not isinstance(each, ModuleType)]
    for cls in filter(lambda each: isinstance(each, type), read):
        found += [(name, vars(cls)[name]) for name in names if name in vars(cls) and not callable(vars(cls)[name])]
    return hash_of_code(function.__code__), found


def _is_installed(function: FunctionType) -> bool:
    return any(part in function.__code__.co_filename for part in ("site-packages", "dist-packages"))


class _Writer:
    """Writes values as text. A value that holds others is written once, and then stands as the hash of its text."""

    def __init__(self) -> None:
        self._written: dict[int, tuple[Any, str]] = {}
        self._depth = 0
        self._objects = 0

    def text(self, value: Any) -> str:
        """Return the text of a value, the same for equal values."""
        kind = type(value)
        if kind is int:
            return hex(value)
        if kind is float:
            return hex(int(value)) if value.is_integer() else repr(value)
        if value is None or kind in (str, bool, bytes, complex):
            return repr(value)
        return self._scalar(value) or self._nested(value)

    def _scalar(self, value: Any) -> str:
        """Return the text of a value that holds no others, empty for one that does."""
        if isinstance(value, Enum):
            return f"{_qualified_name(type(value))}.{value.name}"
        if isinstance(value, np.generic):
            return repr(value) if isinstance(value.item(), np.generic) else self.text(value.item())
        for kind in (int, float, str):
            if isinstance(value, kind):
                return self.text(kind(value))
        if isinstance(value, PurePath):
            return repr(str(value))
        return _qualified_name(value) if isinstance(value, (type, FunctionType)) else ""

    def _nested(self, value: Any) -> str:
        """Return the hash of a container; for one that was met before, the text that stands for it."""
        if isinstance(value, np.ndarray):
            return self.text(value.tolist())
        if id(value) in self._written:
            return self._written[id(value)][1]
        self._written[id(value)] = (value, f"<around {self._depth}>")
        self._depth += 1
        body = self._container(value)
        self._depth -= 1
        if body:
            self._written[id(value)] = (value, _sha256(body))
            return self._written[id(value)][1]
        self._objects += 1
        self._written[id(value)] = (value, f"<object {self._objects}>")
        return _sha256(self._object(value))

    def _container(self, value: Any) -> str:
        if isinstance(value, (list, tuple, range)):
            return f"[{','.join(map(self.text, value))}]"
        if isinstance(value, Mapping):
            return f"{{{','.join(sorted(f'{self.text(key)}:{self.text(held)}' for key, held in value.items()))}}}"
        if isinstance(value, Set):
            return f"{{{','.join(sorted(map(self._member, value)))}}}"
        return ""

    def _member(self, value: Any) -> str:
        """Return the text of a member of a set: of one that is equal to nothing but itself, that of its class."""
        kind: Any = type(value)
        return _qualified_name(kind) if kind.__hash__ is object.__hash__ else self.text(value)

    def _object(self, value: Any) -> str:
        """Return the text of what ``pickle`` would keep of an object."""
        try:
            kept = value.__reduce_ex__(4)
        except Exception:
            return _qualified_name(type(value))
        if isinstance(kept, str):
            return f"{_qualified_name(type(value))} {kept}"
        made_by, arguments, state, items, pairs = (*kept, None, None, None)[:5]
        parts = (getattr(made_by, "__name__", ""), arguments, state, list(items or ()), list(pairs or ()))
        return f"{_qualified_name(type(value))} {','.join(map(self.text, parts))}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _qualified_name(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"
