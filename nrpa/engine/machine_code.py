"""The functions of a search for one problem: machine code, or why there is none, or plain Python in the debug mode.

Plain Python is for a debugger and ``print``: slow, but with the same results.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CellType, FunctionType
from typing import Any

import numpy as np
from numba import njit, typeof, types
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.extending import is_jitted

from nrpa.base.byte_code import codes_in
from nrpa.base.debugging import is_debugging
from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import shortened
from nrpa.engine.by_address import AddressState, ByAddress, Code, KernelTable, used_kernels
from nrpa.engine.kernels import KERNELS, NOTHING, NUMBER, WHOLE, kernels_of
from nrpa.engine.model import Model, classes_in
from nrpa.engine.playout import Position
from nrpa.machine.jit import OPTIONS, entry_point, is_cached, with_code

callback = lazy("nrpa.machine.callback")
guarded_game = lazy("nrpa.engine.guarded_game")

_NOISE = ("Failed in nopython", "During:", "<source elided>", "There are", "- Of which", "This error may", "File ", "^")
LONGEST_CAUSE = 160
# How numba says that a kernel needs memory of its own, which kernels do without.
_ALLOCATES = "(step: native lowering)", "Only accept returning of array passed into the function"
_INSTEAD = (
    "expected loops over arrays of the state in place of new arrays, lists and sets, and of what makes some, such as "
    "a.max() (max(a) makes none), a.copy() or a > 0"
)
_twins: dict[int, Any] = {}
_RETURNED: dict[str, Any] = {WHOLE: types.Integer, NUMBER: (types.Number, types.Boolean), NOTHING: object}


# What numba raises where it cannot compile, if it does not fail itself.
NUMBA_ERRORS = (NumbaError, UnsupportedBytecodeError)
OF_THE_STATE = "what belongs to the problem stays as it is: what changes belongs to the state, or to a copy"
OF_TWO_KINDS = "give values of two kinds names of their own, and write a number in place of None"


def machine_code(
    function: Callable[..., Any],
    model: Model,
    position: Position,
    arguments: tuple[Any, ...],
    uses: Iterable[str] | None = None,
) -> Any:
    """Return a function of a position and ``arguments`` that calls a problem's kernels, after a smoke test.

    The kernels are compiled once for all functions, and the function once for all problems. A problem in plain Python,
    whose states are of one class already, and records that cannot be written as whole numbers have a function of their
    own. ``uses`` are the kernels that are needed at once, by default all that the function may call.
    """
    if is_debugging():
        return runnable(function)
    if model.has_own_code or not KernelTable.is_possible(model.instance, position.state):
        return specialised(function, model, position, arguments)
    table, given = KernelTable(model, position.state), (position, *arguments)
    used = used_kernels(function, frozenset(classes_in(given))) if uses is None else uses
    guarded_game.run_smoke_test(model, compiled=table.is_cached(used))
    with faults_in_play(model, position):
        table.enter(used, model.title)
        code = ByAddress(entry_point(function, AddressState, kernels_of(AddressState).values()), table)
        caller = function.__name__.replace("advance_", "the search ")
        with_code(code.entry, code.handed(given), f"{caller}, once for all problems")
        return code


def specialised(function: Callable[..., Any], model: Model, position: Position, arguments: tuple[Any, ...]) -> Any:
    """Return a function of a position and ``arguments`` compiled together with a problem's kernels."""
    state_class = type(position.state)
    entry = entry_point(function, state_class, kernels_of(state_class).values())
    guarded_game.run_smoke_test(model, compiled=is_cached(entry))
    code = Code(entry, state_class)
    with faults_in_play(model, position):
        with_code(entry, code.handed((position, *arguments)), model.title)
        return code


def require_kernel(code: Any, kernel: str, model: Model, position: Position) -> None:
    """Load or compile a kernel that what ``machine_code`` returned is going to call."""
    if isinstance(code, ByAddress) and not code.table.has(kernel):
        with faults_in_play(model, position):
            code.table.enter([kernel], model.title)


@contextmanager
def faults_in_play(model: Model, position: Position) -> Iterator[None]:
    """Say which kernel or method does not compile, and why, in place of what numba raises."""
    try:
        yield
    except InputError:
        raise
    except Exception:
        error = model.compile_fault() or diagnosed(position)
        if error is None:
            raise
        raise error from None


def diagnosed(position: Position) -> ProblemError | None:
    """Return an error that says which kernel does not compile, and why."""
    instance, state, moves, _ = map(typeof, position)
    kinds = {"instance": instance, "moves": moves, "move": types.int64, "rewards": types.float64[::1]}
    kinds |= dict.fromkeys(("sequence", "before"), types.int64[::1])
    kinds |= dict.fromkeys(("steps", "first", "between", "last", "is_written"), types.int64)
    kinds |= dict.fromkeys(("place", "name"), types.int64)
    state_class = type(position.state)
    for name, function in kernels_of(state_class).items():
        signature = tuple(kinds.get(parameter, state) for parameter in KERNELS[name].parameters)
        fault = function_fault(function, KERNELS[name].returns, signature)
        if fault:
            return ProblemError(f"{state_class.__qualname__}: the kernel {name} {fault}")
    return None


def function_fault(kernel: Callable[..., Any], returns: str, signature: tuple[Any, ...]) -> str:
    """Return why a function that kernels call, or a kernel, does not compile, and where; empty where it does."""
    compiled = njit(**OPTIONS)(kernel)
    try:
        compiled.compile(signature)
    except NUMBA_ERRORS as error:
        if any(said in str(error) for said in _ALLOCATES):
            return f"allocates memory, {_source_line(str(error), kernel)}: {_INSTEAD}"
        return compiling_fault(error, kernel)
    returned = compiled.nopython_signatures[0].return_type
    if not isinstance(returned, _RETURNED[returns]):
        found = NOTHING if isinstance(returned, types.NoneType) else shortened(str(returned))
        return f"must return {returns}, not {found}"
    return ""


def compiling_fault(error: Exception, function: Callable[..., Any]) -> str:
    """Return what numba found in a function that it cannot compile, and where."""
    cause = shortened(_cause(str(error)), LONGEST_CAUSE)
    where = _source_line(str(error), function)
    is_said = isinstance(error, NUMBA_ERRORS)
    says = f"numba says: {cause}" if is_said else f"numba fails with {type(error).__name__}: {cause}"
    hint = "" if is_said and "Cannot unify" not in cause else f"; {OF_TWO_KINDS}"
    hint = f"; {OF_THE_STATE}" if "Cannot modify readonly" in cause else hint
    return f"does not compile, {where}: expected Python that numba compiles; {says}{hint}"


def _cause(text: str) -> str:
    """Return the innermost cause in numba's message: its first line that says anything, with the types it is about."""
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()]
    said = [line for line in lines if line and not line.startswith(_NOISE)]
    deepest = [line for line in said if re.match(r"[A-Z]\w*Error: ", line)]
    first = said[0] if said else "unknown cause"
    about = next((line[3:].strip() for line in said if line.startswith(">>>")), "")
    if deepest:
        return deepest[-1]
    return f"{first} {about}".strip() if first.endswith(":") else first


def _source_line(text: str, kernel: Callable[..., Any]) -> str:
    own = kernel.__code__.co_filename
    found = re.findall(r'File "([^"]+)", line (\d+)', text)
    lines = [int(line) for file, line in found if Path(file).name == Path(own).name]
    line = lines[-1] if lines else kernel.__code__.co_firstlineno
    return f"{own}:{line}, in {kernel.__name__}"


def runnable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiled function as plain Python, to be called like numba's: without NumPy's warnings."""
    run: Callable[..., Any] = without_warnings()(interpreted(function))
    return run


def without_warnings() -> np.errstate:
    """Return a context, or a decorator, without NumPy's warnings of numbers that numba computes with in silence."""
    return np.errstate(over="ignore", divide="ignore", invalid="ignore")


def interpreted(function: Any) -> Any:
    """Return a function as plain Python, with everything that it calls."""
    if id(function) not in _twins:
        # The function itself is kept, so that its id is not given to another.
        _twins[id(function)] = (function, _twin(function))
    return _twins[id(function)][1]


def _twin(function: Any) -> Any:
    chosen = getattr(function, "chosen", None)
    if chosen is not None:
        return lambda *given: interpreted(chosen(given))(*given)
    if _is_intrinsic(function):
        return _INTRINSICS.get(function.__name__, function)
    body = function.py_func if is_jitted(function) else function
    scope = dict(body.__globals__)
    cells = body.__closure__ and tuple(CellType() for _ in body.__closure__)
    twin = FunctionType(body.__code__, scope, body.__name__, body.__defaults__, cells)
    twin.__kwdefaults__ = body.__kwdefaults__
    # So that it finds itself meanwhile.
    _twins[id(function)] = (function, twin)
    names = {name for code in codes_in(body.__code__) for name in code.co_names}
    for name in names & scope.keys():
        scope[name] = _replaced(name, scope[name])
    for name, cell, own in zip(body.__code__.co_freevars, cells or (), body.__closure__ or (), strict=True):
        with suppress(ValueError):  # where it is empty
            cell.cell_contents = _replaced(name, own.cell_contents)
    return twin


def _replaced(name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return guarded_game.guarded(value, name)
    is_ours = isinstance(value, FunctionType) and (
        value.__module__.startswith(("nrpa.engine", "nrpa.python")) or hasattr(value, "chosen")
    )
    return interpreted(value) if is_ours or is_jitted(value) or _is_intrinsic(value) else value


def _is_intrinsic(value: Any) -> bool:
    return type(value).__name__ == "_Intrinsic"


# What the machine instructions of ``nrpa.machine.jit`` and ``nrpa.machine.callback`` do.
_INTRINSICS: dict[str, Callable[..., Any]] = {
    "trailing_zeros": lambda word: (int(word) & -int(word)).bit_length() - 1,
    "leading_zeros": lambda word: 64 - int(word).bit_length(),
    "popcount": lambda word: int(word).bit_count(),
    "as_float64": lambda word: float(np.int64(word).view(np.float64)),
    "as_int64": lambda number: int(np.float64(number).view(np.int64)),
    "load_int64": lambda address: ctypes.c_int64.from_address(int(address)).value,
    "load_float64": lambda address: ctypes.c_double.from_address(int(address)).value,
    "exchange": lambda lock, number: lock.__setitem__(0, number) or 0,
    "peek": lambda array, index: int(array[index]),
    "give_way": lambda: None,
    "add": lambda array, index, number: array.__setitem__(index, array[index] + number),
    "fence": lambda: None,
    "call": lambda address, array: callback.OF_BYTES(int(address))(array.ctypes.data, array.nbytes),
    "call_int64": lambda address, first, second: callback.OF_TWO_NUMBERS(int(address))(int(first), int(second)),
}
