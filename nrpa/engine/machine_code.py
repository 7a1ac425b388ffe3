"""The machine code of a search for one problem: loaded, compiled, or in the debug mode none at all."""

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
    """Return ``function``, of the module in the file ``home``, specialised with the kernels of ``model``.

    It takes ``position`` and then ``arguments``. The first games are played before, with bounds checked. Raises
    ProblemError that names the kernel and the cause where one does not compile, or does harm.
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
