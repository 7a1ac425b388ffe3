"""The machine code of a search for one problem: loaded or compiled. In the debug mode there is none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from numba.core.errors import NumbaError

from nrpa.base.lazy import lazy
from nrpa.engine.diagnosis import diagnosed
from nrpa.engine.interpreted import Interpreted, is_debugging
from nrpa.engine.jit import load
from nrpa.engine.kernels import kernels_of
from nrpa.engine.model import Model
from nrpa.engine.playout import Position

first_games = lazy("nrpa.engine.first_games")


def machine_code(
    function: Callable[..., Any], model: Model, position: Position, arguments: tuple[Any, ...], home: Path
) -> Any:
    """Return a function specialised with the kernels of a problem.

    The first games are played before it runs, with bounds checked.

    Parameters
    ----------
    function : callable
        The function. It takes ``position`` first, then ``arguments``.
    model : Model
        The problem.
    position : Position
        Where the function begins; only the types count.
    arguments : tuple
        Its other arguments; only the types count.
    home : Path
        The source file that defines the function.

    Returns
    -------
    numba dispatcher or Interpreted
        The compiled function; in the debug mode the function in plain Python.

    Raises
    ------
    ProblemError
        Where a kernel does not compile, goes out of bounds or breaks a limit; the message names the kernel and the
        cause.
    """
    if is_debugging():
        return Interpreted(function)
    state_class = type(position.state)
    sources = [*Path(__file__).parent.glob("*.py"), home]
    kernels = kernels_of(state_class).values()
    before = partial(first_games.play_first_games, model)
    try:
        return load(function, state_class, kernels, sources, (position, *arguments), model.title, before)
    except NumbaError:
        error = diagnosed(position)
        if error is None:
            raise
        raise error from None
