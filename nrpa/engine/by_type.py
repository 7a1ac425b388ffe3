"""Choosing by type in compiled code: what a function means for each NamedTuple class, and functions made from text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import types
from numba.extending import overload

from nrpa.engine.jit import OVERLOAD

Function = TypeVar("Function", bound=Callable[..., Any])


def implements(generic: Callable[..., Any], named_tuple: type, inline: bool = False) -> Callable[[Function], Function]:
    """Enter what ``generic`` does in compiled code where its first argument is a ``named_tuple``, by a decorator."""

    def enter(function: Function) -> Function:
        # Not strict: numba would ask for the same parameters as those of the function.
        @overload(generic, jit_options={**OVERLOAD, "forceinline": inline}, strict=False)
        def select(*arguments: Any) -> Function | None:
            return function if is_a(arguments[0], named_tuple) else None

        return function

    return enter


def is_a(argument: Any, named_tuple: type) -> bool:
    """Return whether the numba type of an argument is that of a NamedTuple class."""
    return isinstance(argument, types.BaseNamedTuple) and argument.instance_class is named_tuple


def made(source: str, name: str, names: dict[str, Any], file: str = "") -> Callable[..., Any]:
    r"""Return a function made from its source text.

    >>> made("def twice(x):\n    return two * x\n", "twice", {"two": 2})(21)
    42
    """
    scope = {"__name__": __name__, **names}
    exec(compile(source, file or f"<{name}>", "exec"), scope)
    function: Callable[..., Any] = scope[name]
    return function
