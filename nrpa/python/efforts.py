"""How much the methods of a problem in plain Python do: instructions of byte code, the same on every machine."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, NamedTuple

from nrpa.python.checks import tuple_of

# What the search itself does at each move, and for each legal one that a policy weighs, as so many instructions.
BETWEEN, WEIGHED = 40, 4
# Slower moves are not looked at any longer.
SECONDS = 2.0


class Efforts(NamedTuple):
    """The instructions that methods take, in the mean over the moves of a game; 0 for those that a class lacks.

    - ``listing``, ``play``: Those of ``legal_moves`` and ``play`` for a move.
    - ``code``, ``bias``: Those for all legal moves of a state.
    - ``is_legal``: Those for the move that is made.
    - ``score``: Those for a game; 0 where its end was not reached.
    - ``evaluate``: Those for a game.
    """

    listing: float
    play: float
    code: float
    bias: float
    is_legal: float
    score: float
    evaluate: float = 0.0


def efforts(methods: Any, own: set[str], most: int) -> Efforts:
    """Return what the first moves of a game take, at most so many; ``own`` is what the class defines."""
    state, made = methods.initial_state(), list[Any]()
    end = time.perf_counter() + SECONDS
    totals = dict.fromkeys(Efforts._fields, 0)

    def listing(state: Any) -> tuple[Any, ...]:
        return tuple_of(methods, methods.legal_moves(state))

    def codes(state: Any, legal: Sequence[Any]) -> list[Any]:
        return [methods.code(state, move) for move in legal]

    def take(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        found, instructions = traced(function, *arguments)
        totals[name] += instructions
        return found

    while len(made) < most and not (made and time.perf_counter() > end):
        legal = take("listing", listing, state)
        if not legal:
            take("score", methods.score, state)
            break
        if "code" in own:
            take("code", codes, state, legal)
        if "bias" in own:
            take("bias", methods.biases, state, legal)
        if "is_legal" in own:
            take("is_legal", methods.is_legal, state, legal[-1])
        state = take("play", methods.play, state, legal[-1])
        made.append(legal[-1])
    if "evaluate" in own and methods.is_whole_game(made):
        take("evaluate", methods.evaluate, [*made])
    of_game, moves = ("score", "evaluate"), max(len(made), 1)
    return Efforts(**{name: total if name in of_game else total / moves for name, total in totals.items()})


def traced(function: Callable[..., Any], *arguments: Any, most: float = math.inf) -> tuple[Any, int]:
    """Return what a function returns, and how many instructions of byte code that takes, counted up to ``most``."""
    instructions = 0

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal instructions
        frame.f_trace_opcodes = instructions < most
        instructions += event == "opcode"
        return count if instructions < most else None

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return function(*arguments), instructions
    finally:
        sys.settrace(before)
