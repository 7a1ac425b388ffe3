"""The solver, the bias and the executor that ``solve`` and ``start`` are given."""

from __future__ import annotations

from typing import Any

from nrpa.base.errors import InputError
from nrpa.modelling.first_look import require_no_class


def require_solver(given: Any, bias: Any) -> None:
    """Raise InputError unless there is a solver, and one that uses the bias if one is given.

    Parameters
    ----------
    given : object
        What the caller gave as the solver.
    bias : object
        What the caller gave as the bias; None if nothing.

    Raises
    ------
    InputError
        If ``given`` is a class or no solver, or if there is a bias that it ignores.
    """
    require_no_class(given)
    if not callable(getattr(given, "start", None)):
        raise InputError(f"expected a solver such as nrpa.GNRPA(), not {given!r:.60}")
    if bias is not None and not given.uses_bias:
        other = f"expected {type(given).__name__}(bias=True)" if "bias" in given.options else "use nrpa.GNRPA()"
        raise InputError(f"bias was given, but the solver {given.name} ignores it; {other}")


def require_executor(given: Any) -> None:
    """Raise InputError unless ``given`` can take work as a ``concurrent.futures.Executor`` does."""
    require_no_class(given)
    if not callable(getattr(given, "submit", None)):
        raise InputError(f"executor must be a concurrent.futures.Executor, not {given!r:.60}")
