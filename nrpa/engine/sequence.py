"""Sequences: what a playout records, all that Adapt needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Sequences(NamedTuple):
    """One sequence a slot. Step i of slot s has the legal moves ``code[s, offset[s, i] : offset[s, i + 1]]``.

    Attributes
    ----------
    code : ndarray of int64, shape (slots, total)
        The codes of the legal moves, step after step.
    exp_bias : ndarray of float64, shape (slots, total) or (slots, 0)
        Their e^β; empty where the problem has none by move.
    offset : ndarray of int64, shape (slots, steps + 1)
        Where each step begins.
    chosen : ndarray of int64, shape (slots, steps)
        The position of the chosen move among the legal moves of its step.
    move : ndarray of int64, shape (slots, steps)
        The chosen move.
    length : ndarray of int64, shape (slots,)
        The number of steps.
    score : ndarray of float64, shape (slots,)
        The score.
    """

    code: np.ndarray
    exp_bias: np.ndarray
    offset: np.ndarray
    chosen: np.ndarray
    move: np.ndarray
    length: np.ndarray
    score: np.ndarray


def allocate_sequences(slots: int, steps: int, total: int, exp_bias: bool) -> Sequences:
    """Return empty sequences, of score -inf.

    Parameters
    ----------
    slots : int
        The number of sequences.
    steps : int
        The most moves of each.
    total : int
        The most legal moves of each, summed over its steps.
    exp_bias : bool
        Whether e^β of each legal move is kept.

    Returns
    -------
    Sequences
        The sequences.
    """
    return Sequences(
        code=np.zeros((slots, total), np.int64),
        exp_bias=np.ones((slots, total if exp_bias else 0)),
        offset=np.zeros((slots, steps + 1), np.int64),
        chosen=np.zeros((slots, steps), np.int64),
        move=np.zeros((slots, steps), np.int64),
        length=np.zeros(slots, np.int64),
        score=np.full(slots, -np.inf),
    )


def copied_sequences(sequences: Sequences) -> Sequences:
    """Return a copy that takes the time of what is in the sequences, not of all the room that they have.

    Parameters
    ----------
    sequences : Sequences
        The sequences.

    Returns
    -------
    Sequences
        The same ones; zeros where a slot has room left.
    """
    # Zeros (not zeros_like) cost nothing until they are written: the system gives such memory page by page.
    code, exp_bias = np.zeros(sequences.code.shape, np.int64), np.zeros(sequences.exp_bias.shape)
    for slot, length in enumerate(sequences.length):
        used = sequences.offset[slot, length]
        code[slot, :used] = sequences.code[slot, :used]
        exp_bias[slot, :used] = sequences.exp_bias[slot, :used]
    others = {name: getattr(sequences, name).copy() for name in ("offset", "chosen", "move", "length", "score")}
    return Sequences(code=code, exp_bias=exp_bias, **others)
