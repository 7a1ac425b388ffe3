"""Adapt: move the policy of a level towards its best sequence, in three ways of equal result.

The gradient step w -= (α/τ)(p - δ) on g = e^(w/τ) is g *= e^(-(α/τ²) p), and g *= e^(α/τ²) for the chosen move; all p
come from the policy before this Adapt. The exponentials have arguments in [-α/τ², 0] and are computed together.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import jit
from nrpa.engine.kernels import legal_moves, play, reset
from nrpa.engine.policy import copy_row, lift, locate, lower, place, value

PLAIN = 0
MEMOIZED = 1
OPTIMIZED = 2


class Rate(NamedTuple):
    """The learning rate as Adapt uses it.

    scaled: -(α/τ²) / 2^squarings, within [-1/4, 0).
    squarings: how often e^x is squared to undo that division.
    up: e^(α/τ²), the factor of the chosen move.
    """

    scaled: float
    squarings: int
    up: float


def learning_rate(alpha: float, tau: float) -> Rate:
    """Return the ``Rate`` of learning rate α and temperature τ."""
    step = alpha / tau**2
    squarings = max(0, math.ceil(math.log2(step / 0.25)))
    with np.errstate(over="ignore"):
        up = float(np.exp(np.float64(step)))
    return Rate(-step / 2**squarings, squarings, up)


@jit
def exponentials(x, count, squarings):
    """Replace ``x[:count]``, each within [-1/4, 0], by e^(x · 2^squarings), to about 2^squarings ulp."""
    for m in range(count):
        y = x[m]
        e = 1.0 / 39916800.0
        e = e * y + 1.0 / 3628800.0
        e = e * y + 1.0 / 362880.0
        e = e * y + 1.0 / 40320.0
        e = e * y + 1.0 / 5040.0
        e = e * y + 1.0 / 720.0
        e = e * y + 1.0 / 120.0
        e = e * y + 1.0 / 24.0
        e = e * y + 1.0 / 6.0
        e = e * y + 0.5
        e = e * y + 1.0
        x[m] = e * y + 1.0
    for _ in range(squarings):
        for m in range(count):
            x[m] *= x[m]


@jit
def weights(policy, row, code, exp_bias, use_bias, first, count, out):
    """Write the weights g e^β of ``count`` moves, the codes from ``code[first]`` on, into ``out[:count]``."""
    for m in range(np.uint64(count)):
        out[m] = value(policy, row, place(policy, code, np.uint64(first) + m))
    if use_bias:
        for m in range(np.uint64(count)):
            out[m] *= exp_bias[np.uint64(first) + m]


@jit
def gradients(x, first, end, scaled):
    """Turn the weights of one step, ``x[first:end]``, into ``scaled`` times their probabilities."""
    total = 0.0
    for m in range(np.uint64(first), np.uint64(end)):
        total += x[m]
    factor = scaled / total
    for m in range(np.uint64(first), np.uint64(end)):
        x[m] *= factor


@jit
def adapt_optimized(policy, level, sequences, slot, use_bias, rate, factors):
    """Algorithm 6: nothing recomputed, nothing copied."""
    code = sequences.code[slot]
    offset = sequences.offset[slot]
    steps = sequences.length[slot]
    count = offset[steps]
    locate(policy, level, code, 0, count, slot)
    weights(policy, level, code, sequences.exp_bias[slot], use_bias, 0, count, factors)
    for i in range(steps):
        gradients(factors, offset[i], offset[i + 1], rate.scaled)
    exponentials(factors, count, rate.squarings)
    for m in range(np.uint64(count)):
        lower(policy, level, place(policy, code, m), factors[m])
    for i in range(steps):
        lift(policy, level, place(policy, code, offset[i] + sequences.chosen[slot, i]), rate.up)


@jit
def adapt_memoized(policy, level, sequences, slot, use_bias, rate, factors):
    """Algorithm 5 on the memoized codes: the policy is copied, the legal moves are not computed again."""
    code = sequences.code[slot]
    exp_bias = sequences.exp_bias[slot]
    steps = sequences.length[slot]
    locate(policy, level, code, 0, sequences.offset[slot, steps], slot)
    copy_row(policy, level, 0)
    for i in range(steps):
        first = sequences.offset[slot, i]
        count = sequences.offset[slot, i + 1] - first
        adapt_step(policy, level, code, exp_bias, use_bias, first, count, rate, factors)
        lift(policy, 0, place(policy, code, first + sequences.chosen[slot, i]), rate.up)
    copy_row(policy, 0, level)


@jit
def adapt_plain(position, policy, level, sequences, slot, use_bias, rate, factors):
    """Algorithms 2 and 5: the policy is copied and the sequence played again for its legal moves."""
    instance, state, moves = position
    copy_row(policy, level, 0)
    reset(instance, state)
    for i in range(sequences.length[slot]):
        count = legal_moves(instance, state, moves)
        chosen = sequences.chosen[slot, i]
        locate(policy, level, moves.code, 0, count, -1)
        adapt_step(policy, level, moves.code, moves.exp_bias, use_bias, 0, count, rate, factors)
        lift(policy, 0, place(policy, moves.code, chosen), rate.up)
        play(instance, state, moves.move[chosen])
    copy_row(policy, 0, level)


@jit
def adapt_step(policy, level, code, exp_bias, use_bias, first, count, rate, factors):
    """Lower the ``count`` codes of one step in the work copy, by the probabilities that ``level`` gives them."""
    weights(policy, level, code, exp_bias, use_bias, first, count, factors)
    gradients(factors, 0, count, rate.scaled)
    exponentials(factors, count, rate.squarings)
    for m in range(np.uint64(count)):
        lower(policy, 0, place(policy, code, np.uint64(first) + m), factors[m])
