"""Functions that compiled code calls: compiled no further than it takes to make them a part of their callers.

numba optimizes each function together with all that it calls, makes machine code of it, and wraps it twice, for Python
and for C. A search has dozens of functions, and only its entry is ever called. So the code of the others is only linked
into the entry, and optimized there. What is done to numba is what it offers: a compiler of one's own with another
library for its results, and subclasses of its functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import FunctionType
from typing import Any

from numba import types
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function and of all that it calls, linked and not optimized.

    A numba that lacks the two methods makes machine code of it, which is slower and does no harm. It has to where
    functions call each other in turn: they do so by their addresses.
    """

    def _optimize_final_module(self) -> None:
        if self._needs_addresses():
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if self._needs_addresses():
            super()._finalize_final_module()
        self._finalized = True

    def _needs_addresses(self) -> bool:
        module = getattr(self, "_final_module", None)
        return module is None or any(each.name.startswith(RuntimeLinker.PREFIX) for each in module.global_variables)


@register_pass(mutates_CFG=False, analysis_only=True)
class EnterInner(LoweringPass):  # type: ignore[misc]
    """Tell numba which code the callers of a function are linked with."""

    _name = "nrpa_enter_inner"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Enter the code under a key that stands for the function."""
        # numba's table takes nothing but methods written in C. This one is as good as any other: nobody calls it.
        key = object().__sizeof__
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class InnerCompiler(CompilerBase):  # type: ignore[misc]
    """Compile a function without the last steps."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes."""
        state = self.state
        for flag in ("no_compile", *WITHOUT_WRAPPERS):
            setattr(state.flags, flag, True)
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        passes = DefaultPassBuilder.define_nopython_pipeline(state)
        passes.add_pass_after(EnterInner, NativeLowering)
        passes.finalize()
        return [passes]


class EntryFunction(CPUDispatcher):  # type: ignore[misc]
    """A function that Python calls, compiled with all that it calls."""

    def add_overload(self, result: Any) -> None:
        """Enter what was compiled, and give the functions inside it what they need of Python, to print say."""
        super().add_overload(result)
        for environment in getattr(result, "_find_referenced_environments", tuple)():
            result.library.codegen.set_env(environment.env_name, environment)


class InnerFunction(CPUDispatcher):  # type: ignore[misc]
    """A function that compiled code calls. Where Python calls it, it is compiled once more, as an entry."""

    def __init__(
        self,
        py_func: Callable[..., Any],
        locals: dict[str, Any] | None = None,  # noqa: A002
        targetoptions: dict[str, Any] | None = None,
        pipeline_class: type = InnerCompiler,
    ) -> None:
        super().__init__(py_func, locals, targetoptions, pipeline_class)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function."""
        return self.entry(*arguments, **named)

    @cached_property
    def entry(self) -> EntryFunction:
        """The function as Python calls it."""
        f = self.py_func
        # A copy: numba takes a function that calls itself by another name for one that is compiled without end.
        copy = FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
        copy.__kwdefaults__, copy.__module__, copy.__qualname__ = f.__kwdefaults__, f.__module__, f.__qualname__
        return EntryFunction(copy, self.locals, {**self.targetoptions, **dict.fromkeys(WITHOUT_WRAPPERS, False)})

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile for the types of arguments: for any number rather than for a constant, unless it must be one."""
        try:
            return super().get_call_template([types.unliteral(each) for each in args], kws)
        except TypingError:
            return super().get_call_template(args, kws)
