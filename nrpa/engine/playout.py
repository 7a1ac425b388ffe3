"""The playout: from a given state to the end, moves drawn with the policy's probabilities."""

import numpy as np

from nrpa.engine.jit import jit
from nrpa.engine.kernels import legal_moves, play, score
from nrpa.engine.policy import weight
from nrpa.engine.random import uniform
from nrpa.engine.status import SCORE_IS_NAN, TOO_MANY_MOVES, TOO_MANY_STEPS


@jit
def playout(instance, state, moves, policy, row, sequences, slot, use_bias, random, cumulated):
    """Play ``state`` to its end and memoize the sequence in ``slot`` (Algorithm 4 of the GNRPA paper).

    A move m is drawn with probability g(m) e^β(m) / Σ. ``cumulated`` is a work area, float64[max_moves].
    Returns 0, or a negative status (``nrpa.engine.status``); the random numbers are then as they were.
    """
    before = random[0], random[1]
    status = try_playout(instance, state, moves, policy, row, sequences, slot, use_bias, random, cumulated)
    if status < 0:
        random[0], random[1] = before
    return status


@jit
def try_playout(instance, state, moves, policy, row, sequences, slot, use_bias, random, cumulated):
    """Do what ``playout`` does, except for the random numbers of one that fails."""
    capacity = sequences.code.shape[1]
    at = 0
    step = 0
    sequences.offset[slot, 0] = 0
    while True:
        count = legal_moves(instance, state, moves)
        if count <= 0:
            if count < 0:
                return count
            break
        if at + count > capacity:
            return TOO_MANY_MOVES
        if step == sequences.move.shape[1]:
            return TOO_MANY_STEPS
        for m in range(np.uint64(count)):
            code = moves.code[m]
            sequences.code[slot, np.uint64(at) + m] = code
            cumulated[m] = weight(policy, row, code)
        if use_bias:
            for m in range(np.uint64(count)):
                exp_bias = moves.exp_bias[m]
                sequences.exp_bias[slot, np.uint64(at) + m] = exp_bias
                cumulated[m] *= exp_bias
        chosen = draw(cumulated, count, random)
        move = moves.move[chosen]
        sequences.chosen[slot, step] = chosen
        sequences.move[slot, step] = move
        at += count
        step += 1
        sequences.offset[slot, step] = at
        play(instance, state, move)
    sequences.length[slot] = step
    result = score(instance, state)
    sequences.score[slot] = result
    if result != result:
        return SCORE_IS_NAN
    return 0


@jit
def draw(weights, count, random):
    """Return m with probability proportional to ``weights[m]``, m < ``count``; ``weights`` is overwritten."""
    threshold = uniform(random) * cumulate(weights, np.uint64(count))
    chosen = 0
    for m in range(np.uint64(count - 1)):
        chosen += weights[m] <= threshold
    return chosen


@jit
def cumulate(x, count):
    """Replace ``x[:count]`` by its running sums and return the total.

    Four at a time, so that one addition in four has to wait for the one before.
    """
    total = 0.0
    m = np.uint64(0)
    while m + np.uint64(3) < count:
        two = x[m] + x[m + np.uint64(1)]
        three = two + x[m + np.uint64(2)]
        four = two + (x[m + np.uint64(2)] + x[m + np.uint64(3)])
        x[m] = total + x[m]
        x[m + np.uint64(1)] = total + two
        x[m + np.uint64(2)] = total + three
        total += four
        x[m + np.uint64(3)] = total
        m += np.uint64(4)
    while m < count:
        total += x[m]
        x[m] = total
        m += np.uint64(1)
    return total
