"""Functions that are compiled for other compiled functions only: without what Python would need to call them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher, _FunctionCompiler  # type: ignore[attr-defined]


class Inner:
    """What stands where numba keeps the address of a function; called from Python, it compiles the function for it."""

    def __init__(self, dispatcher: Any) -> None:
        self.dispatcher = dispatcher
        self.types: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any) -> Any:
        """Compile the function as a whole, and call it."""
        compiled = self.dispatcher.overloads
        with global_compiler_lock:
            if compiled[self.types].entry_point is self:
                del compiled[self.types]
                self.dispatcher.compile(self.types)
        return compiled[self.types].entry_point(*arguments)


@contextlib.contextmanager
def only_for(entry: Any) -> Iterator[None]:
    """While it lasts, the functions that an entry calls are compiled to what is linked into it, and no further.

    numba makes machine code of each of them, and wraps it twice, for Python and for C; a search has dozens, and only
    the entry is ever called. What is kept on disk for itself is compiled as a whole.
    """
    with global_compiler_lock, contextlib.ExitStack() as stack:
        for owner, name, replacement in _replacements(entry):
            stack.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, replacement)
        yield


def set_environments(entry: Any) -> None:
    """Give the functions inside a compiled entry what they raise errors with, as numba does for one read from disk."""
    for result in entry.overloads.values():
        for environment in result._find_referenced_environments():
            result.library.codegen.set_env(environment.env_name, environment)


def _replacements(entry: Any) -> list[tuple[type, str, Callable[..., Any]]]:
    under_way: list[Inner | None] = []
    compile_, add = Dispatcher.compile, Dispatcher.add_overload
    customize, finalize = _FunctionCompiler._customize_flags, JITCodeLibrary._finalize_final_module
    executable = CPUContext.get_executable

    def compile_one(self: Any, signature: Any) -> Any:
        with global_compiler_lock:
            is_inner = under_way and type(self._cache) is NullCache
            if not under_way and self is not entry:  # another thread's, which waited for the lock
                return compile_(self, signature)
            under_way.append(Inner(self) if is_inner else None)
            try:
                return compile_(self, signature)
            finally:
                under_way.pop()

    def add_overload(self: Any, result: Any) -> None:
        if isinstance(result.entry_point, Inner):
            result.entry_point.types = tuple(result.signature.args)
            self.overloads[result.entry_point.types] = result
        else:
            add(self, result)

    def customize_flags(self: Any, flags: Any) -> Any:
        flags = customize(self, flags)
        if under_way[-1]:
            flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags

    def finalize_final_module(self: Any) -> None:
        if under_way[-1]:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True
        else:
            finalize(self)

    def get_executable(self: Any, library: Any, descriptor: Any, environment: Any) -> Any:
        return under_way[-1] or executable(self, library, descriptor, environment)

    return [
        (Dispatcher, "compile", compile_one),
        (Dispatcher, "add_overload", add_overload),
        (_FunctionCompiler, "_customize_flags", customize_flags),
        (JITCodeLibrary, "_finalize_final_module", finalize_final_module),
        (CPUContext, "get_executable", get_executable),
    ]
