"""Machine code: how kernels are compiled, and how the machine code on disk stays up to date."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType
from typing import Any

from numba import config, njit, typeof
from numba.core.compiler import Compiler
from numba.core.cpu import CPUTargetOptions
from numba.extending import is_jitted

from nrpa.base.errors import InputError
from nrpa.engine.code_cache import OnDisk
from nrpa.engine.fingerprint import fingerprint
from nrpa.engine.inner_functions import WITHOUT_WRAPPERS, EntryFunction, InnerCompiler, InnerFunction

logger = logging.getLogger("nrpa")


def options_of(known: Any) -> dict[str, Any]:
    """Return the options of all compiled functions, of those that numba knows.

    Without reference counting ("_nrt") a kernel cannot allocate, and runs several times faster: every array taken from
    a NamedTuple would otherwise cost two atomic operations.
    """
    options = {"nogil": True, "_nrt": False, "error_model": "numpy"}
    return {name: value for name, value in options.items() if hasattr(known, name)}


OPTIONS = options_of(CPUTargetOptions)
# What ``overload`` takes.
OVERLOAD: dict[str, Any] = {**OPTIONS, "pipeline_class": InnerCompiler}

# Overloads are found by numba, not by following functions, so all of the engine counts.
_ENGINE = sorted(Path(__file__).parent.glob("*.py"))
_LONGEST_STEM = 150

_entries: dict[str, Any] = {}


def jit(function: Callable[..., Any]) -> Any:
    """Compile a helper function that kernels call.

    Parameters
    ----------
    function : callable
        A function in the subset of Python that numba compiles. It must not allocate memory: no new array, list or
        string.

    Returns
    -------
    callable
        The compiled function, for kernels and for Python code. A float divided by zero gives inf or NaN and no
        exception.

    Examples
    --------
    >>> @jit
    ... def lowest_bit(word):
    ...     return word & -word
    >>> lowest_bit(12)
    4
    """
    compiled = njit(**OPTIONS)(function)
    return InnerFunction(function, targetoptions=compiled.targetoptions) if is_jitted(compiled) else compiled


def internal(function: Callable[..., Any]) -> Any:
    """Compile a helper function apart from its callers, and keep its machine code on disk: once for all problems.

    Where the types of its arguments depend on the problem, it is kept for each of them. It must not call kernels: their
    code does not count here.
    """
    compiled = njit(**OPTIONS, **WITHOUT_WRAPPERS)(function)
    if is_jitted(compiled):
        compiled = InnerFunction(function, targetoptions=compiled.targetoptions, pipeline_class=Compiler)
        compiled._cache = OnDisk(lambda: f"{function.__name__}__{fingerprint([compiled], _ENGINE)}")
    return compiled


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a helper function into its callers: for one that takes so many arrays that a call costs to compile."""
    return njit(inline="always", **OPTIONS)(function)


def entry_point(function: Callable[..., Any], state_class: type, kernels: Iterable[Callable[..., Any]]) -> Any:
    """Return a function compiled for one class of states, with machine code of its own on disk.

    numba's own cache looks only at the file of the cached function. So the name of the copy, by which its machine code
    is found, carries the class of the states and a fingerprint of the function, of the kernels, of all that they call
    and of the engine. An edit of any of these compiles again, no edit loads, and what one problem leaves on disk cannot
    harm another one.
    """
    stem = re.sub(
        r"\W", "_", f"{function.__name__}__{state_class.__module__}_{state_class.__qualname__}", flags=re.ASCII
    )
    name = f"{stem[:_LONGEST_STEM]}__{fingerprint([function, *kernels], _ENGINE)}"
    if name not in _entries:
        copy = FunctionType(function.__code__.replace(co_name=name), function.__globals__, name)
        copy.__qualname__ = name
        copy.__module__ = function.__module__
        _entries[name] = EntryFunction(copy, targetoptions=njit(**OPTIONS)(copy).targetoptions)
        if state_class.__module__ != "__main__":
            _entries[name]._cache = OnDisk(lambda: name, alone=True)
    return _entries[name]


def load(
    function: Callable[..., Any],
    state_class: type,
    kernels: Iterable[Callable[..., Any]],
    arguments: tuple[Any, ...],
    title: str = "",
    before: Callable[[bool], None] | None = None,
) -> Any:
    """Return a function with its machine code, loaded from disk or compiled, which is logged."""
    if config.DISABLE_JIT:
        what = "NUMBA_DISABLE_JIT is set, so nothing can be compiled"
        raise InputError(f"{what}; unset it (NRPA_DEBUG=1 alone runs kernels as plain Python)")
    entry = entry_point(function, state_class, kernels)
    cached = is_cached(entry)
    if before is not None:
        before(cached)
    if not cached:
        kept = "; kept on disk for the next time" if entry.stats.cache_path else ""
        logger.info("compiling for %s, which takes some seconds%s", title or state_class.__qualname__, kept)
    entry.compile(tuple(map(typeof, arguments)))
    return entry


def is_cached(entry: Any) -> bool:
    """Return whether there is machine code for a function, in memory or on disk."""
    kept = getattr(entry, "_cache", None)
    return bool(entry.signatures) or (isinstance(kept, OnDisk) and kept.is_there())
