"""The solver, the bias and the executor that ``solve`` and ``start`` are given."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from nrpa.base.errors import InputError, LostWorkersError
from nrpa.modelling.validate import require_no_class
from nrpa.registry import solver_class
from nrpa.solvers.interface import Solver


def solver_of(given: Solver | str | None, bias: Any) -> Solver:
    """Return the solver that is given, or named; ``auto`` where none is."""
    if given is None or isinstance(given, str):
        given = solver_class("auto" if given is None else given)()
    require_no_class(given)
    if not callable(getattr(given, "start", None)):
        raise InputError(f"expected a solver such as nrpa.GNRPA(), or its name, not {given!r:.60}")
    if bias is not None and not given.uses_bias:
        other = f"expected {type(given).__name__}(bias=True)" if "bias" in given.options else "use nrpa.GNRPA()"
        raise InputError(f"bias was given, but the solver {given.name} ignores it; {other}")
    return given


def require_executor(given: Any) -> None:
    """Raise InputError unless ``given`` can take work as a ``concurrent.futures.Executor`` does."""
    require_no_class(given)
    if not callable(getattr(given, "submit", None)):
        raise InputError(f"executor must be a concurrent.futures.Executor, not {given!r:.60}")


def submitted(executor: Any, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
    """Hand a call to an executor."""
    try:
        future = executor.submit(function, *arguments)
    except RuntimeError as error:
        raise LostWorkersError(f"the executor takes no work ({error})") from None
    if not isinstance(future, Future):
        what = f"submit of {type(executor).__name__} returned {future!r:.60}"
        raise InputError(f"executor: {what}; expected a concurrent.futures.Future")
    return future
