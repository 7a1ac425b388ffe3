"""The moves of a plain-Python problem that a solution lists."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.plain import plain
from nrpa.engine.methods import PythonMethods, listed


def listed_moves(methods: PythonMethods, solution: Any) -> list[Hashable]:
    """Return the moves that a solution lists, as ``legal_moves`` gives them.

    Raises InputError if it is no list, or a move is not legal; the message names the first such move.
    """
    is_number = isinstance(solution, np.ndarray) and solution.ndim == 0
    if is_number or isinstance(solution, (str, bytes, dict)) or not isinstance(solution, Iterable):
        raise InputError(f"a solution is a list of moves, not {type(solution).__name__}")
    moves: list[Hashable] = []
    state = methods.initial_state()
    for step, given in enumerate(solution, start=1):
        legal = listed(methods, methods.legal_moves(state))
        found = next((move for move in legal if _is(move, given)), None)
        if found is None and not any(move is None for move in legal):
            raise InputError(f"move {step}, {given!r}, is not legal; expected one of {_few(legal)}")
        moves.append(found)
        state = methods.play(state, found)
    return moves


def _is(move: Hashable, given: Any) -> bool:
    return (type(move) is type(given) and move == given) or bool(plain(move) == plain(given))


def _few(legal: Sequence[Hashable]) -> str:
    shown = ", ".join(map(repr, legal[:10]))
    return f"{shown}, … ({len(legal)} in all)" if len(legal) > 10 else shown or "none: the end is reached"
