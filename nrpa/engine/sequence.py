"""Sequences: what a playout memoizes, all that Adapt needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Sequences(NamedTuple):
    """One sequence a slot. Step i of slot s has the legal moves ``code[s, offset[s, i] : offset[s, i + 1]]``.

    code: int64[slots, total], the codes of the legal moves, step after step.
    exp_bias: float64[slots, total], their e^β; [slots, 0] where the problem has none by move.
    offset: int64[slots, steps + 1], where each step begins.
    chosen: int64[slots, steps], the position of the chosen move among its step's legal moves.
    move: int64[slots, steps], the chosen move.
    length: int64[slots], the number of steps.
    score: float64[slots].
    """

    code: np.ndarray
    exp_bias: np.ndarray
    offset: np.ndarray
    chosen: np.ndarray
    move: np.ndarray
    length: np.ndarray
    score: np.ndarray


def allocate_sequences(slots: int, steps: int, total: int, exp_bias: bool) -> Sequences:
    """Return ``slots`` empty sequences of up to ``steps`` steps and ``total`` legal moves each."""
    return Sequences(
        code=np.zeros((slots, total), np.int64),
        exp_bias=np.ones((slots, total if exp_bias else 0)),
        offset=np.zeros((slots, steps + 1), np.int64),
        chosen=np.zeros((slots, steps), np.int64),
        move=np.zeros((slots, steps), np.int64),
        length=np.zeros(slots, np.int64),
        score=np.full(slots, -np.inf),
    )
