"""Adapt: move the policy of a level towards its best sequence. There are three ways; all give the same result.

At each step of the sequence, w[code] -= (α/τ) (p - δ) for each legal move, where p is its probability before this
Adapt, and δ is 1 for the chosen move, else 0. p is proportional to e^(w/τ + γβ); with γ = 1, as in the papers, it is
that of the playout.

A policy keeps g = e^(w/τ + β) (``nrpa.engine.policy``), so that a step lowers each legal move, g *= e^(-(α/τ²) p), and
lifts the chosen one, g *= e^(α/τ²).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nrpa.engine.kernels import all_moves, legal_moves, play, reset
from nrpa.engine.policy import HIGHEST, LOWEST, copy_row, index_of, lift, locate, lower, value
from nrpa.engine.random import FOUR, ONE, THREE, TWO
from nrpa.machine.jit import jit

PLAIN = 0
MEMOIZED = 1
OPTIMIZED = 2


class Rate(NamedTuple):
    """The learning rate as Adapt uses it."""

    scaled: float  # -(α/τ²) / 2^squarings, in [-1, 0)
    squarings: int  # how often e^x must be squared to undo that division
    up: float  # e^(α/τ²), the factor for the chosen move


class Rates(NamedTuple):
    """The learning rate of each level."""

    scaled: np.ndarray  # float64[levels + 1]
    squarings: np.ndarray  # int64[levels + 1]
    up: np.ndarray  # float64[levels + 1]


class Bias(NamedTuple):
    """The bias β as playouts and Adapt use it."""

    by_move: bool  # whether β comes with the moves
    gamma: float  # γ, the factor of β in the probabilities of Adapt
    # float64[codes] or [0]: e^((γ - 1) β) of each code, the factor from e^(w/τ + β) to e^(w/τ + γβ); empty where γ = 1
    # or β does not depend on the code alone
    correction: np.ndarray


def learning_rate(alpha: float, tau: float) -> Rate:
    """Return the learning rate as Adapt uses it.

    >>> rate = learning_rate(alpha=1.0, tau=1.0)
    >>> rate.scaled, rate.squarings
    (-1.0, 0)
    >>> print(f"{rate.up:.4f}")
    2.7183
    """
    step = alpha / tau**2
    squarings = max(0, math.ceil(math.log2(step)))
    with np.errstate(over="ignore"):
        up = float(np.exp(np.float64(step)))
    return Rate(-step / 2**squarings, squarings, up)


def learning_rates(alphas: list[float], tau: float) -> Rates:
    """Return the learning rates of levels."""
    scaled, squarings, up = zip(*(learning_rate(alpha, tau) for alpha in alphas), strict=True)
    return Rates(np.array(scaled), np.array(squarings, np.int64), np.array(up))


@jit
def rate_of(rates, level):
    """Return the learning rate of a level."""
    return Rate(rates.scaled[level], rates.squarings[level], rates.up[level])


@jit
def adapt(position, policy, level, sequences, slot, settings, rate, factors):
    """Move the policy of a level towards a sequence; ``factors``, float64[max_total], is a work area.

    Source: T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 2, 5 and 6.
    """
    if settings.adapt == OPTIMIZED:
        adapt_optimized(policy, level, sequences, slot, settings.bias, rate, factors)
    elif settings.adapt == MEMOIZED:
        adapt_memoized(policy, level, sequences, slot, settings.bias, rate, factors)
    else:
        adapt_plain(position, policy, level, sequences, slot, settings.bias, rate, factors)


@jit
def adapt_plain(position, policy, level, sequences, slot, bias, rate, factors):
    """Adapt a copy of the policy (row 0); the sequence in ``slot`` is played again for its legal moves.

    Source: C. D. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, IJCAI 2011; T. Cazenave,
    *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 2 (Adapt of NRPA) and 5 (of GNRPA).
    """
    instance, state, moves, _ = position
    copy_row(policy, level, 0)
    reset(instance, state)
    for i in range(sequences.length[slot]):
        count = legal_moves(instance, state, moves)
        if count != sequences.offset[slot, i + 1] - sequences.offset[slot, i]:
            count = all_moves(instance, state, moves)  # the move was among these alone
        chosen = sequences.chosen[slot, i]
        locate(policy, level, moves.code, 0, count, -1)
        adapt_step(policy, level, moves.code, moves.exp_bias, bias, 0, count, rate, factors)
        lift(policy, 0, index_of(policy, moves.code, chosen), rate.up)
        play(instance, state, moves.move[chosen])
    copy_row(policy, 0, level)


@jit
def adapt_memoized(policy, level, sequences, slot, bias, rate, factors):
    """Adapt a copy of the policy; the codes are those that the playout recorded.

    Source: T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithm 5.
    """
    code = sequences.code[slot]
    exp_bias = sequences.exp_bias[slot]
    steps = sequences.length[slot]
    locate(policy, level, code, 0, sequences.offset[slot, steps], slot)
    copy_row(policy, level, 0)
    for i in range(steps):
        first = sequences.offset[slot, i]
        count = sequences.offset[slot, i + 1] - first
        adapt_step(policy, level, code, exp_bias, bias, first, count, rate, factors)
        lift(policy, 0, index_of(policy, code, first + sequences.chosen[slot, i]), rate.up)
    copy_row(policy, 0, level)


@jit
def adapt_step(policy, level, code, exp_bias, bias, first, count, rate, factors):
    """Lower the legal moves of one step in the copy; the parameters are those of ``weights``."""
    weights(policy, level, code, exp_bias, bias, first, count, factors)  # e^(w/τ + γβ)
    gradients(factors, 0, count, rate.scaled)  # -(α/τ²) p / 2^squarings
    exponentials(factors, count, rate.squarings)  # e^(-(α/τ²) p)
    for m in range(np.uint64(count)):
        lower(policy, 0, index_of(policy, code, np.uint64(first) + m), factors[m])


@jit
def adapt_optimized(policy, level, sequences, slot, bias, rate, factors):
    """Adapt without a copy: the codes come from the sequence, and all factors are computed before any g changes.

    Source: T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithm 6.
    """
    code = sequences.code[slot]
    offset = sequences.offset[slot]
    steps = sequences.length[slot]
    count = offset[steps]
    locate(policy, level, code, 0, count, slot)
    weights(policy, level, code, sequences.exp_bias[slot], bias, 0, count, factors)  # e^(w/τ + γβ)
    for i in range(steps):
        gradients(factors, offset[i], offset[i + 1], rate.scaled)  # -(α/τ²) p / 2^squarings
    exponentials(factors, count, rate.squarings)  # e^(-(α/τ²) p)
    for m in range(np.uint64(count)):
        lower(policy, level, index_of(policy, code, m), factors[m])
    for i in range(steps):
        lift(policy, level, index_of(policy, code, offset[i] + sequences.chosen[slot, i]), rate.up)


@jit
def weights(policy, row, code, exp_bias, bias, first, count, out):
    """Write the weights e^(w/τ + γβ) of ``count`` moves, those from ``first`` on, to ``out`` (float64)."""
    if bias.gamma == 1.0:
        plain_weights(policy, row, code, exp_bias, bias.by_move, first, count, out)
    else:
        weights_with_gamma(policy, row, code, exp_bias, bias, first, count, out)


@jit
def plain_weights(policy, row, code, exp_bias, by_move, first, count, out):
    """Write the weights for γ = 1: a function of its own, which no other γ makes slower."""
    for m in range(np.uint64(count)):
        out[m] = value(policy, row, index_of(policy, code, np.uint64(first) + m))
    if by_move:
        for m in range(np.uint64(count)):
            out[m] *= exp_bias[np.uint64(first) + m]


@jit
def weights_with_gamma(policy, row, code, exp_bias, bias, first, count, out):
    """Write the weights for any γ: e^(w/τ + β) turned into e^(w/τ + γβ)."""
    for m in range(np.uint64(count)):
        weight = value(policy, row, index_of(policy, code, np.uint64(first) + m))
        if bias.by_move:
            weight *= exp_bias[np.uint64(first) + m] ** bias.gamma
        elif bias.correction.shape[0] > 0:
            weight = min(max(weight * bias.correction[code[np.uint64(first) + m]], LOWEST), HIGHEST)
        out[m] = weight


@jit
def gradients(x, first, end, scaled):
    """Turn ``x[first:end]``, the weights of the moves of one step, into their probabilities times ``scaled``.

    Four at a time, and the one to three at the end together: the processor cannot predict a jump that depends on their
    number.
    """
    after = np.uint64(end)
    total = 0.0
    m = np.uint64(first)
    while m + THREE < after:
        total += x[m]
        total += x[m + ONE]
        total += x[m + TWO]
        total += x[m + THREE]
        m += FOUR
    if m < after:
        last = after - ONE
        total += x[m]
        total += x[min(m + ONE, last)] if m < last else 0.0
        total += x[min(m + TWO, last)] if m + ONE < last else 0.0
    factor = scaled / total
    m = np.uint64(first)
    while m + THREE < after:
        scale_four(x, factor, m, m + ONE, m + TWO, m + THREE)
        m += FOUR
    if m < after:
        last = after - ONE
        scale_four(x, factor, m, min(m + ONE, last), min(m + TWO, last), last)


@jit
def scale_four(x, factor, m0, m1, m2, m3):
    """Multiply the four entries by ``factor``; one that is named again is multiplied once."""
    y0, y1, y2, y3 = x[m0] * factor, x[m1] * factor, x[m2] * factor, x[m3] * factor
    x[m0] = y0
    x[m1] = y1
    x[m2] = y2
    x[m3] = y3


@jit
def exponentials(x, count, squarings):
    """Replace each of the first ``count`` x, in [-1, 0], by e^(x · 2^squarings).

    The polynomial of degree 12 that is e^x at 0 and at Chebyshev's 12 nodes of [-1, 0], by Estrin's scheme, squared
    ``squarings`` times; the error is about 2^squarings ulp.
    """
    for m in range(count):
        y = x[m]
        y2 = y * y
        y4 = y2 * y2
        low = (1.0 + y) + (0.4999999999999964 + 0.1666666666664944 * y) * y2
        middle = (0.041666666663443576 + 0.008333333302138762 * y) + (
            0.0013888887104824001 + 0.0001984120502317959 * y
        ) * y2
        high = (
            (2.4800032289946006e-05 + 2.753231109497008e-06 * y)
            + (2.7289403227036547e-07 + 2.3200975871202737e-08 * y) * y2
            + 1.3221480811326931e-09 * y4
        )
        x[m] = low + middle * y4 + high * (y4 * y4)
    for _ in range(squarings):
        for m in range(count):
            x[m] *= x[m]
