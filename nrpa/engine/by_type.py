"""What a call means, and what a function is made of, follows from the class of an argument."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types
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


def stack_states(states: Sequence[NamedTuple]) -> tuple[np.ndarray, ...]:
    """Return the fields of several states, each with a leading axis over the states."""
    return tuple(np.stack(field) for field in zip(*states, strict=True))


def state_at(state, stacked, index):
    """Return a state by its index in what ``stack_states`` returned; its arrays are views."""
    return type(state)(*(field[index] for field in stacked))


@overload(state_at, jit_options=OVERLOAD)
def _state_at(state, stacked, index):
    fields = ", ".join(f"stacked[{k}][index]" for k in range(len(state.fields)))
    source = f"def state_at(state, stacked, index):\n    return State({fields})\n"
    return made(source, "state_at", {"State": state.instance_class})


def copy_fields(source, target):
    """Copy all arrays of a state: the stand-in for the kernel ``copy``."""
    for theirs, mine in zip(source, target, strict=True):
        if isinstance(theirs, np.ndarray):
            np.copyto(mine, theirs)


@overload(copy_fields, jit_options={**OVERLOAD, "forceinline": True})
def _copy_fields(source, target):
    lines = ["def copy_fields(source, target):", "    pass"]
    for name, field in zip(source.fields, source.types, strict=True):
        if isinstance(field, types.Array):
            index = ", ".join(f"i{axis}" for axis in range(field.ndim))
            for axis in range(field.ndim):
                lines.append("    " * (axis + 1) + f"for i{axis} in range(source.{name}.shape[{axis}]):")
            lines.append("    " * (field.ndim + 1) + f"target.{name}[{index}] = source.{name}[{index}]")
    return made("\n".join(lines) + "\n", "copy_fields", {})
