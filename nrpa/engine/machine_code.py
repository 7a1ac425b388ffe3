"""The machine code of a search for one problem: loaded or compiled. In the debug mode there is none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from numba.core.errors import NumbaError

from nrpa.base.lazy import lazy
from nrpa.engine.interpreted import is_debugging, runnable
from nrpa.engine.jit import load
from nrpa.engine.kernels import kernels_of
from nrpa.engine.model import Model
from nrpa.engine.playout import Position

diagnosis = lazy("nrpa.engine.diagnosis")
smoke_test = lazy("nrpa.engine.smoke_test")


def machine_code(function: Callable[..., Any], model: Model, position: Position, arguments: tuple[Any, ...]) -> Any:
    """Return a function of a position and ``arguments`` specialised with a problem's kernels, after a smoke test."""
    if is_debugging():
        return runnable(function)
    state_class = type(position.state)
    kernels = kernels_of(state_class).values()
    before = partial(smoke_test.run_smoke_test, model)
    try:
        return load(function, state_class, kernels, (position, *arguments), model.title, before)
    except NumbaError:
        error = diagnosis.diagnosed(position)
        if error is None:
            raise
        raise error from None
