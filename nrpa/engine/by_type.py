"""What a call means follows from the class of an argument: in Python, in compiled code and in the debug mode."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba.extending import overload

from nrpa.base.errors import ProblemError
from nrpa.engine.jit import OVERLOAD

Function = Callable[..., Any]


def by_class(choose: Callable[[type], Function], index: int = 0, inline: bool = False) -> Callable[[Function], Any]:
    """Let ``choose`` say, by the class of the argument at an index, which function is called, by a decorator."""

    def enter(described: Function) -> Any:
        @functools.wraps(described)
        def call(*arguments: Any) -> Any:
            return choose(type(arguments[index]))(*arguments)

        # Not strict: numba would ask for the same parameters as those of the function.
        @overload(call, jit_options={**OVERLOAD, "forceinline": inline}, strict=False)
        def select(*arguments: Any) -> Function | None:
            try:
                return choose(getattr(arguments[index], "instance_class", object))
            except ProblemError:
                return None

        call.chosen = lambda arguments: choose(type(arguments[index]))  # type: ignore[attr-defined]
        return call

    return enter


def by_type(index: int = 0, inline: bool = False) -> Callable[[Function], Any]:
    """Let a function do something else for classes of one argument, those of ``@function.case``, by a decorator.

    >>> @by_type()
    ... def size(of):
    ...     return 1
    >>> @size.case(tuple)
    ... def _(of):
    ...     return len(of)
    >>> size(7), size((7, 7))
    (1, 2)
    """

    def enter(function: Function) -> Any:
        cases: dict[type, Function] = {}
        call = by_class(lambda kind: cases.get(kind, function), index, inline)(function)
        call.case = lambda kind: functools.partial(cases.setdefault, kind)
        return call

    return enter


def made(source: str, name: str, names: dict[str, Any], file: str = "") -> Function:
    r"""Return a function made from its source text.

    >>> made("def twice(x):\n    return two * x\n", "twice", {"two": 2})(21)
    42
    """
    scope = {"__name__": __name__, **names}
    exec(compile(source, file or f"<{name}>", "exec"), scope)
    function: Function = scope[name]
    return function
