"""The machine code of a search for one problem: loaded or compiled, or why not. In the debug mode there is none."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from numba import njit, typeof, types
from numba.core.errors import NumbaError

from nrpa.base.errors import ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import shortened
from nrpa.engine.interpreted import is_debugging, runnable
from nrpa.engine.jit import OPTIONS, load
from nrpa.engine.kernels import KERNELS, NOTHING, NUMBER, WHOLE, kernels_of
from nrpa.engine.model import Model
from nrpa.engine.playout import Position

guarded_game = lazy("nrpa.engine.guarded_game")

_NOISE = ("Failed in nopython", "During:", "<source elided>", "There are", "- Of which", "This error may", "File ", "^")
LONGEST_CAUSE = 160
# How numba says that a kernel needs memory of its own, which kernels do without.
_ALLOCATES = "(step: native lowering)", "Only accept returning of array passed into the function"
_INSTEAD = (
    "expected loops over arrays of the state in place of new arrays, lists and sets, and of what makes some, such as "
    "a.max() (max(a) makes none), a.copy() or a > 0"
)
_RETURNED: dict[str, Any] = {WHOLE: types.Integer, NUMBER: (types.Number, types.Boolean), NOTHING: object}


def machine_code(function: Callable[..., Any], model: Model, position: Position, arguments: tuple[Any, ...]) -> Any:
    """Return a function of a position and ``arguments`` specialised with a problem's kernels, after a smoke test."""
    if is_debugging():
        return runnable(function)
    state_class = type(position.state)
    kernels = kernels_of(state_class).values()
    before = partial(guarded_game.run_smoke_test, model)
    try:
        return load(function, state_class, kernels, (position, *arguments), model.title, before)
    except NumbaError:
        error = diagnosed(position)
        if error is None:
            raise
        raise error from None


def diagnosed(position: Position) -> ProblemError | None:
    """Return an error that says which kernel does not compile, and why."""
    instance, state, moves = map(typeof, position)
    kinds = {"instance": instance, "moves": moves, "move": types.int64, "rewards": types.float64[::1]}
    kinds |= {"sequence": types.int64[::1], "steps": types.int64}
    kinds |= dict.fromkeys(("place", "name"), types.int64)
    state_class = type(position.state)
    for name, function in kernels_of(state_class).items():
        signature = tuple(kinds.get(parameter, state) for parameter in KERNELS[name].parameters)
        fault = _fault(function, KERNELS[name].returns, signature)
        if fault:
            return ProblemError(f"{state_class.__qualname__}: the kernel {name} {fault}")
    return None


def _fault(kernel: Callable[..., Any], returns: str, signature: tuple[Any, ...]) -> str:
    compiled = njit(**OPTIONS)(kernel)
    try:
        compiled.compile(signature)
    except NumbaError as error:
        where = _where(str(error), kernel)
        if any(said in str(error) for said in _ALLOCATES):
            return f"allocates memory, {where}: {_INSTEAD}"
        cause = shortened(_cause(str(error)), LONGEST_CAUSE)
        return f"does not compile, {where}: expected Python that numba compiles; numba says: {cause}"
    returned = compiled.nopython_signatures[0].return_type
    if not isinstance(returned, _RETURNED[returns]):
        found = NOTHING if isinstance(returned, types.NoneType) else shortened(str(returned))
        return f"must return {returns}, not {found}"
    return ""


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


def _where(text: str, kernel: Callable[..., Any]) -> str:
    own = kernel.__code__.co_filename
    found = re.findall(r'File "([^"]+)", line (\d+)', text)
    lines = [int(line) for file, line in found if Path(file).name == Path(own).name]
    line = lines[-1] if lines else kernel.__code__.co_firstlineno
    return f"{own}:{line}, in {kernel.__name__}"
