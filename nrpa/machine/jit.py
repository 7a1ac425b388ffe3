"""Machine code: how kernels are compiled, and how the machine code on disk stays up to date.

numba optimizes each function together with all that it calls, makes machine code of it, and wraps it twice, for Python
and for C. A search has dozens of functions, and only its entry is ever called. So the code of the others is only linked
into the entry, and optimized there. What is done to numba is what it offers: a compiler of one's own with another
library for its results, and subclasses of its functions.

Functions can also be chosen by the class of an argument (``by_type``), or be one machine instruction.
"""

from __future__ import annotations

import logging
import re
import sys
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial, wraps
from pathlib import Path
from threading import Event
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import config, njit, typeof, types
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic, is_jitted, overload

from nrpa.base.errors import InputError, ProblemError
from nrpa.machine.code_cache import OnDisk, fingerprint

Function = Callable[..., Any]

logger = logging.getLogger("nrpa")
WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function and of all that it calls, linked and not optimized.

    Machine code is made of it only where functions call each other in turn: they do so by their addresses.
    """

    def _optimize_final_module(self) -> None:
        if self._needs_addresses():
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if self._needs_addresses():
            super()._finalize_final_module()
        self._finalized = True

    def _needs_addresses(self) -> bool:
        return any(each.name.startswith(RuntimeLinker.PREFIX) for each in self._final_module.global_variables)


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
        """Enter the compiled code, and give the functions inside it their hold on Python, to print say."""
        super().add_overload(result)
        for environment in result._find_referenced_environments():
            result.library.codegen.set_env(environment.env_name, environment)


class InnerFunction(CPUDispatcher):  # type: ignore[misc]
    """A function that compiled code calls. Where Python calls it, it is compiled once more, as an entry."""

    def __init__(
        self,
        py_func: Function,
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
        entry = EntryFunction(copy, self.locals, {**self.targetoptions, **dict.fromkeys(WITHOUT_WRAPPERS, False)})
        if f.__module__ != "__main__":
            stem, sources = _stem(f"{f.__module__}_{f.__qualname__}"), [*_ENGINE, *_COMPILING]
            entry._cache = OnDisk(lambda: f"{stem}__{fingerprint([copy], sources)}", alone=True, quiet=True)
        return entry

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile for the types of arguments: for any number rather than for a constant, unless it must be one."""
        try:
            return super().get_call_template([types.unliteral(each) for each in args], kws)
        except TypingError:
            return super().get_call_template(args, kws)


# Without reference counting ("_nrt") a kernel cannot allocate, and runs several times faster: every array taken from a
# NamedTuple would otherwise cost two atomic operations.
OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False, "error_model": "numpy"}
# What ``overload`` takes.
OVERLOAD: dict[str, Any] = {**OPTIONS, "pipeline_class": InnerCompiler}

# Overloads are found by numba, not by following functions, so all of the engine counts, and for functions that make
# arrays what compiles classes, too.
_ENGINE, _COMPILING = (
    sorted(path for folder in folders for path in (Path(__file__).parents[1] / folder).glob("*.py"))
    for folders in (("machine", "engine", "python"), ("compiling",))
)
_LONGEST_STEM = 150

_entries: dict[str, Any] = {}


def jit(function: Function) -> Any:
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


def inlined(function: Function) -> Any:
    """Compile a helper function into its callers: with many arrays as arguments, a call is slow to compile."""
    return njit(inline="always", **OPTIONS)(function)


def into_caller(function: Function) -> Any:
    """Compile a function into its only caller, so that fields of records that it does not use are not made."""
    compiled = njit(**OPTIONS, forceinline=True)(function)
    return InnerFunction(function, targetoptions=compiled.targetoptions) if is_jitted(compiled) else compiled


def entry_point(function: Function, state_class: type, kernels: Iterable[Function]) -> Any:
    """Return a function compiled for one class of states, with machine code of its own on disk.

    numba's own cache looks only at the file of the cached function. So the name of the copy, by which its machine code
    is found, carries the class of the states and a fingerprint of the function, of the kernels, of all that they call
    and of the engine. An edit of any of these compiles again, no edit loads, and what one problem leaves on disk cannot
    harm another one.
    """
    return _entry(function, state_class, [function, *kernels], state_class.__module__ != "__main__")


def address_entry(function: Function, state_class: type, parts: Iterable[Function]) -> Any:
    """Return a function of whole numbers that machine code calls by its address, with machine code of its own on disk.

    ``parts`` are what its fingerprint is made of: the types of the records that it makes among them. As these are in no
    signature, it is kept for a class of a script or a notebook, too.
    """
    return _entry(function, state_class, parts, True, **WITHOUT_WRAPPERS)


def address_of(entry: Any) -> int:
    """Return the address of the machine code of what ``address_entry`` made, loaded from disk or compiled.

    It is called as numba's own functions call each other.
    """
    kinds = (types.int64,) * entry.py_func.__code__.co_argcount
    entry.compile(kinds)
    result = entry.overloads[kinds]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def _stem(name: str) -> str:
    """Return a name as a file can have it."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)[:_LONGEST_STEM]


def _entry(function: Function, state_class: type, parts: Iterable[Function], is_kept: bool, **options: bool) -> Any:
    if config.DISABLE_JIT:
        what = "NUMBA_DISABLE_JIT is set, so nothing can be compiled"
        raise InputError(f"{what}; unset it (NRPA_DEBUG=1 alone runs kernels as plain Python)")
    stem = _stem(f"{function.__name__}__{state_class.__module__}_{state_class.__qualname__}")
    name = f"{stem}__{fingerprint(parts, _ENGINE)}"
    if name not in _entries:
        copy = FunctionType(
            function.__code__.replace(co_name=name), function.__globals__, name, None, function.__closure__
        )
        copy.__qualname__ = name
        copy.__module__ = function.__module__
        _entries[name] = EntryFunction(copy, targetoptions=njit(**OPTIONS, **options)(copy).targetoptions)
        if is_kept:
            _entries[name]._cache = OnDisk(lambda: name, alone=True)
    return _entries[name]


def load(
    function: Function, state_class: type, kernels: Iterable[Function], arguments: tuple[Any, ...], title: str = ""
) -> Any:
    """Return a function with its machine code, loaded from disk or compiled."""
    return with_code(entry_point(function, state_class, kernels), arguments, title or state_class.__qualname__)


def with_code(entry: Any, arguments: Sequence[Any], title: str) -> Any:
    """Return an entry with its machine code, loaded from disk or compiled."""
    with announced([entry], f"{title}, 5 to 10 s of a core"):
        entry.compile(tuple(map(typeof, arguments)))
    return entry


@contextmanager
def announced(entries: Sequence[Any], title: str) -> Iterator[None]:
    """Log that entries are compiled unless all have machine code; then set the event ``is_done`` of the record."""
    if all(map(is_cached, entries)):
        yield
        return
    kept = "; kept on disk for the next time" if all(entry.stats.cache_path for entry in entries) else ""
    is_done = Event()
    logger.info("compiling for %s%s", title, kept, extra={"is_done": is_done})
    try:
        yield
    finally:
        is_done.set()


def is_cached(entry: Any) -> bool:
    """Return whether there is machine code for a function, in memory or on disk."""
    kept = getattr(entry, "_cache", None)
    return bool(entry.signatures) or (isinstance(kept, OnDisk) and kept.is_there())


def by_class(choose: Callable[[type], Function], index: int = 0, inline: bool = False) -> Callable[[Function], Any]:
    """Let ``choose`` say, by the class of the argument at an index, which function is called, by a decorator."""

    def enter(described: Function) -> Any:
        @wraps(described)
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
        cases: dict[type | None, Function] = {None: function}
        call = by_class(lambda kind: cases.get(kind, function), index, inline)(function)
        call.case = lambda kind: partial(cases.setdefault, kind)
        call.cases = cases
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


def record_class(name: str, fields: Sequence[str]) -> Any:
    """Return the NamedTuple class with a name and fields, made once; machine code on disk finds it by its name."""
    module = sys.modules[__name__]
    if not hasattr(module, name):
        setattr(module, name, namedtuple(name, fields, module=__name__))
    return getattr(module, name)


class Stacked(NamedTuple):
    """Several states of one class."""

    fields: tuple[np.ndarray, ...]  # the fields of the states, each with a leading axis over the states


def stack_states(states: Sequence[NamedTuple]) -> Stacked:
    """Return several states as one record."""
    return Stacked(tuple(np.stack(field) for field in zip(*states, strict=True)))


def state_at(state, stacked, index):
    """Return a state by its index in what ``stack_states`` returned; its arrays are views."""
    return type(state)(*(field[index] for field in stacked.fields))


@overload(state_at, jit_options=OVERLOAD)
def _state_at(state, stacked, index):
    fields = ", ".join(f"stacked.fields[{k}][index]" for k in range(len(state.fields)))
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


def held(number):
    """Return a number as a float64; NaN for a whole number that float64 does not hold.

    >>> held(2**60), held(2**60 + 1), held(0.1)
    (1.152921504606847e+18, nan, 0.1)
    """
    if isinstance(number, (int, np.integer)) and int(float(number)) != int(number):
        return np.nan
    return float(number)


@overload(held, jit_options={**OVERLOAD, "forceinline": True})
def _held(number):
    def of_whole(number):
        return float(number) if np.int64(float(number)) == number else np.nan

    def of_any(number):
        return np.float64(number)

    return of_whole if isinstance(number, types.Integer) else of_any


def as_whole(number):
    """Return a whole number as an int64; machine code is refused where it is of another kind."""
    return np.int64(number)


@overload(as_whole, jit_options={**OVERLOAD, "forceinline": True})
def _as_whole(number):
    if not isinstance(number, types.Integer):
        raise TypingError(f"expected a whole number, found {number}")
    return _as_int64


def _as_int64(number):
    return np.int64(number)


def instruction(result: Any, operand: Any) -> Callable[[Function], Any]:
    """Make an instruction of one operand, by a decorator of a function that emits it with LLVM's builder."""

    def make(emit: Function) -> Any:
        def typed(typing_context, operand_type):
            def generate(context, builder, signature, arguments):
                return emit(builder, arguments[0])

            return result(operand), generate

        typed.__name__, typed.__doc__ = emit.__name__, emit.__doc__
        return intrinsic(typed)

    return make


@instruction(types.int64, types.uint64)
def trailing_zeros(builder, word):
    """Return the index of the lowest set bit."""
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))


@instruction(types.int64, types.uint64)
def leading_zeros(builder, word):
    """Return the number of zero bits above the highest set bit."""
    return builder.ctlz(word, ir.Constant(ir.IntType(1), 1))


@instruction(types.int64, types.uint64)
def popcount(builder, word):
    """Return how many bits are set."""
    return builder.ctpop(word)


@instruction(types.float64, types.int64)
def as_float64(builder, word):
    """Return the float64 that has the bits of a whole number."""
    return builder.bitcast(word, ir.DoubleType())


@instruction(types.int64, types.float64)
def as_int64(builder, number):
    """Return the bits of a number as a whole number."""
    return builder.bitcast(number, ir.IntType(64))


@instruction(types.int64, types.int64)
def load_int64(builder, address):
    """Return the int64 at an address."""
    return builder.load(builder.inttoptr(address, ir.IntType(64).as_pointer()))


@instruction(types.float64, types.int64)
def load_float64(builder, address):
    """Return the float64 at an address."""
    return builder.load(builder.inttoptr(address, ir.DoubleType().as_pointer()))
