"""Choosing by type in compiled code: which NamedTuple an argument is, and functions made from text for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types


def made(source: str, name: str, names: dict[str, Any], file: str = "") -> Callable[..., Any]:
    """Return the function ``name`` that ``source`` defines.

    names: what it may use beside its parameters. file: the source file that numba's cache shall know it by.
    """
    scope = {"__name__": __name__, **names}
    exec(compile(source, file or f"<{name}>", "exec"), scope)
    function: Callable[..., Any] = scope[name]
    return function


def is_a(argument: Any, named_tuple: type) -> bool:
    """Return whether a numba type is that of the class ``named_tuple``."""
    return isinstance(argument, types.BaseNamedTuple) and argument.instance_class is named_tuple
