"""How functions around an author's methods are compiled: they may make arrays, lists and tuples, unlike kernels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from numba import njit
from numba.extending import overload

from nrpa.machine.jit import InnerCompiler, InnerFunction

OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": True}
# An author's methods raise what Python raises, such as for an index out of range.
OF_AUTHORS: dict[str, Any] = {**OPTIONS, "error_model": "python", "boundscheck": True}

overloaded: Callable[..., Any] = partial(overload, jit_options={**OPTIONS, "pipeline_class": InnerCompiler})
of_authors: Callable[..., Any] = partial(overload, jit_options={**OF_AUTHORS, "pipeline_class": InnerCompiler})


def allocating(function: Callable[..., Any]) -> Any:
    """Compile a helper function."""
    return InnerFunction(function, targetoptions=njit(**OPTIONS)(function).targetoptions)
