"""Sequences: what a playout records, all that Adapt needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.sound import require, require_finite, require_numbers, within


class Sequences(NamedTuple):
    """One sequence a slot. Step i of slot s has the legal moves ``code[s, offset[s, i] : offset[s, i + 1]]``.

    - ``code``, int64[slots, total]: The codes of the legal moves, step after step.
    - ``exp_bias``, float64[slots, total] or [slots, 0]: Their e^β; empty where the problem has none by move.
    - ``offset``, int64[slots, steps + 1]: Where each step begins.
    - ``chosen``, int64[slots, steps]: The place of the chosen move among the legal moves of its step.
    - ``move``, int64[slots, steps]: The chosen move.
    - ``length``, int64[slots]: The number of steps.
    - ``score``, float64[slots]: The score.
    """

    code: np.ndarray
    exp_bias: np.ndarray
    offset: np.ndarray
    chosen: np.ndarray
    move: np.ndarray
    length: np.ndarray
    score: np.ndarray


def allocate_sequences(slots: int, steps: int, total: int, exp_bias: bool) -> Sequences:
    """Return empty sequences, of score -inf."""
    return Sequences(
        code=np.zeros((slots, total), np.int64),
        exp_bias=np.ones((slots, total if exp_bias else 0)),
        offset=np.zeros((slots, steps + 1), np.int64),
        chosen=np.zeros((slots, steps), np.int64),
        move=np.zeros((slots, steps), np.int64),
        length=np.zeros(slots, np.int64),
        score=np.full(slots, -np.inf),
    )


def require_recorded(name: str, sequences: Sequences, slots: list[int], codes: int | None) -> None:
    """Raise UnsoundError unless the sequences in ``slots`` are such as playouts record; the arrays are ``name/...``."""
    steps, total = sequences.move.shape[1], sequences.code.shape[1]
    within(f"{name}/length", sequences.length, 0, steps)
    within(f"{name}/offset", sequences.offset, 0, total)
    require_numbers(f"{name}/score", sequences.score)
    for slot in slots:
        length = sequences.length[slot]
        offset = sequences.offset[slot, : length + 1]
        counts = np.diff(offset)
        require(offset[0] == 0 and (counts > 0).all(), f"{name}/offset", "at least one move a step, from 0 on")
        within(f"{name}/chosen", sequences.chosen[slot, :length], 0, counts - 1)
        if codes is not None:
            within(f"{name}/code", sequences.code[slot, : offset[-1]], 0, codes - 1)
        require_finite(f"{name}/exp_bias", sequences.exp_bias[slot, : offset[-1]])
