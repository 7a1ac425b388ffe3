"""Machine code: how kernels are compiled, and how it is kept on disk without ever running stale."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType
from typing import Any

from numba import njit, typeof

from nrpa.engine.fingerprint import fingerprint

logger = logging.getLogger("nrpa")

# Without reference counting ("_nrt") a kernel cannot allocate, and runs several times faster: every array
# taken from a NamedTuple would otherwise cost two atomic operations.
OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False, "error_model": "numpy"}

_entries: dict[str, Any] = {}


def jit(function: Callable[..., Any]) -> Any:
    """Compile a helper function that kernels call. It must not allocate memory."""
    return njit(**OPTIONS)(function)


def entry_point(
    function: Callable[..., Any], state_class: type, kernels: Iterable[Callable[..., Any]], sources: Iterable[Path]
) -> Any:
    """Return ``function`` compiled for one state class, with an on-disk cache of its own.

    numba's cache looks only at the file of the cached function and keeps one index for all of its types. So each
    state class gets a copy of the function whose name carries the class and a fingerprint of its ``kernels`` (with
    all that they call) and of ``sources``: an edit anywhere recompiles, no edit loads, and one problem's cache cannot
    spoil another's. A class of ``__main__`` is pickled by value, which never loads: it is not cached.
    """
    stem = re.sub(r"\W", "_", f"{function.__name__}__{state_class.__module__}_{state_class.__qualname__}__")
    name = stem + fingerprint([function, *kernels], sources)
    if name not in _entries:
        copy = FunctionType(function.__code__.replace(co_name=name), function.__globals__, name)
        copy.__qualname__ = name
        copy.__module__ = function.__module__
        _entries[name] = njit(cache=state_class.__module__ != "__main__", **OPTIONS)(copy)
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
    """Return ``function`` with its machine code for ``arguments`` loaded from disk, or compiled.

    ``before`` is called first, with whether there is machine code in memory or on disk.
    Logs that it compiles for ``title``; afterwards removes what older versions of the same code left on disk.
    Raises numba's error where the function does not compile.
    """
    entry = entry_point(function, state_class, kernels, sources)
    cached = is_cached(entry)
    if before is not None:
        before(cached)
    if not cached:
        kept = "; kept on disk for the next time" if entry.stats.cache_path else ""
        logger.info("compiling for %s, which takes some seconds%s", title or state_class.__qualname__, kept)
    entry.compile(tuple(map(typeof, arguments)))
    if entry.stats.cache_misses:
        _remove_older(entry)
    return entry


def is_cached(entry: Any) -> bool:
    """Return whether machine code for ``entry`` is in memory or on disk."""
    return bool(entry.signatures) or any(_files(entry, entry.py_func.__name__ + "-*.nbi"))


def _files(entry: Any, pattern: str) -> Iterable[Path]:
    if entry.stats.cache_path is None:
        return ()
    source = Path(entry.py_func.__code__.co_filename).stem
    return Path(entry.stats.cache_path).glob(f"{source}.{pattern}")


def _remove_older(entry: Any) -> None:
    name = entry.py_func.__name__
    stem = name[: name.rindex("__") + 2]
    for file in _files(entry, stem + "*"):
        if not file.name.split(".", 1)[1].startswith(name + "-"):
            with contextlib.suppress(OSError):
                file.unlink()
