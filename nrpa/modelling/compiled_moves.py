"""From a solution of a compiled problem back to the moves that build it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.plain import plain
from nrpa.engine.model import Model

game_module = lazy("nrpa.engine.game")


def moves_that_build(model: Model, build: Callable[[np.ndarray], Any], solution: Any) -> np.ndarray:
    """Return the moves (int64[steps]) that build a solution; InputError if there are none.

    They are found step by step: the legal move after which what is built is the beginning of the solution.
    """
    game = game_module.Game(model)
    wanted = plain(solution)
    moves: list[int] = []
    game.reset()
    while game.legal_moves():
        found = game.find(lambda move: _begins(wanted, build(np.array([*moves, move]))))
        if found is None:
            raise InputError(f"{model.title}: step {len(moves) + 1} of the sequence to start from is not a legal move")
        moves.append(found)
        game.play(found)
    sequence = np.array(moves, np.int64)
    if plain(build(sequence)) != wanted:
        raise InputError(f"{model.title}: the sequence to start from goes on after the end")
    return sequence


def _begins(wanted: Any, part: Any) -> bool:
    part = plain(part)
    if isinstance(wanted, (list, str)) and isinstance(part, type(wanted)):
        return bool(wanted[: len(part)] == part)
    return bool(wanted == part)
