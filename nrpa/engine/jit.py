"""Machine code: how kernels are compiled, and how the machine code on disk stays up to date."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from numba import config, njit, typeof
from numba.extending import is_jitted

from nrpa.base.errors import InputError
from nrpa.engine.code_cache import OnDisk
from nrpa.engine.fingerprint import fingerprint
from nrpa.engine.inner_functions import only_for, set_environments

logger = logging.getLogger("nrpa")

# Without reference counting ("_nrt") a kernel cannot allocate, and runs several times faster: every array
# taken from a NamedTuple would otherwise cost two atomic operations.
OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False, "error_model": "numpy"}

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
    return njit(**OPTIONS)(function)


def internal(function: Callable[..., Any]) -> Any:
    """Compile a helper function that only compiled code calls: without the way from Python, which costs to compile.

    For one that takes many arrays that way is as long as the function itself.
    """
    compiled = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **OPTIONS)(function)

    def refuse(*_: Any) -> None:
        raise TypeError(f"{function.__name__} is called by compiled code only; call {function.__name__}.py_func")

    # What is not entered in the table of ways from Python is asked for here; numba would jump to address 0.
    compiled._insert = lambda *_: None
    compiled._compile_for_args = refuse
    return compiled


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a helper function into its callers: for one that takes so many arrays that a call costs to compile."""
    return njit(inline="always", **OPTIONS)(function)


def keep_on_disk(module: ModuleType) -> None:
    """Keep the machine code of a module's own helper functions on disk, so that it is compiled once for all problems.

    A helper whose arguments depend on the problem is kept for each of them.
    """
    for name, helper in vars(module).items():
        if is_jitted(helper) and helper.py_func.__module__ == module.__name__ and "inline" not in helper.targetoptions:
            helper._cache = OnDisk(f"{name}__{fingerprint([helper], _ENGINE)}")


def entry_point(
    function: Callable[..., Any], state_class: type, kernels: Iterable[Callable[..., Any]], sources: Iterable[Path]
) -> Any:
    """Return a function compiled for one class of states, with machine code of its own on disk.

    numba's own cache looks only at the file of the cached function. So the name of the copy, by which its machine code
    is found, carries the class of the states and a fingerprint of the kernels, of all that they call, of the engine and
    of ``sources``. An edit of any of these compiles again, no edit loads, and what one problem leaves on disk cannot
    harm another one.
    """
    stem = re.sub(
        r"\W", "_", f"{function.__name__}__{state_class.__module__}_{state_class.__qualname__}", flags=re.ASCII
    )
    name = f"{stem[:_LONGEST_STEM]}__{fingerprint([function, *kernels], [*_ENGINE, *sources])}"
    if name not in _entries:
        copy = FunctionType(function.__code__.replace(co_name=name), function.__globals__, name)
        copy.__qualname__ = name
        copy.__module__ = function.__module__
        _entries[name] = njit(**OPTIONS)(copy)
        if state_class.__module__ != "__main__":
            _entries[name]._cache = OnDisk(name, alone=True)
    return _entries[name]


def load(
    function: Callable[..., Any],
    state_class: type,
    kernels: Iterable[Callable[..., Any]],
    sources: Iterable[Path],
    arguments: tuple[Any, ...],
    title: str = "",
    before: Callable[[bool], None] | None = None,
) -> Any:
    """Return a function with its machine code, loaded from disk or compiled.

    Logs when it compiles.
    """
    if config.DISABLE_JIT:
        what = "NUMBA_DISABLE_JIT is set, so nothing can be compiled"
        raise InputError(f"{what}; unset it (NRPA_DEBUG=1 alone runs kernels as plain Python)")
    entry = entry_point(function, state_class, kernels, sources)
    cached = is_cached(entry)
    if before is not None:
        before(cached)
    if not cached:
        kept = "; kept on disk for the next time" if entry.stats.cache_path else ""
        logger.info("compiling for %s, which takes some seconds%s", title or state_class.__qualname__, kept)
    with only_for(entry):
        entry.compile(tuple(map(typeof, arguments)))
    if entry.stats.cache_misses:
        set_environments(entry)
    return entry


def is_cached(entry: Any) -> bool:
    """Return whether there is machine code for a function, in memory or on disk."""
    return bool(entry.signatures) or (isinstance(entry._cache, OnDisk) and entry._cache.is_there())
