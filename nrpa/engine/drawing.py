"""A random index in proportion to weights, by their running sums."""

from __future__ import annotations

import numpy as np

from nrpa.engine.intrinsics import as_int64
from nrpa.engine.jit import inlined, jit
from nrpa.engine.random import uniform
from nrpa.engine.status import NO_PROBABILITY

# The bits of an infinite float64.
INFINITY = np.uint64(0x7FF0000000000000)
ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))


@jit
def draw(weights, count, random):
    """Return a random index, with probabilities in proportion to ``count`` weights >= 0; or NO_PROBABILITY."""
    return draw_from_sums(weights, count, cumulate(weights, np.uint64(count)), random)


@jit
def draw_from_sums(sums, count, total, random):
    """Return a random index, with probabilities in proportion to weights; or NO_PROBABILITY.

    The sums grow: of four, those up to the threshold can be counted without a branch. A float64 is positive and finite
    where its bits, as a whole number, lie between those of 0 and of infinity.
    """
    if np.uint64(as_int64(total)) - ONE >= INFINITY - ONE:
        return NO_PROBABILITY
    threshold = uniform(random) * total
    last = np.uint64(count - 1)
    first = ZERO
    while first + THREE < last and sums[first + THREE] <= threshold:
        first += FOUR
    second = min(first + ONE, last)
    third = min(first + TWO, last)
    chosen = first + np.uint64((first < last) & (sums[first] <= threshold))
    chosen += np.uint64((second < last) & (sums[second] <= threshold))
    chosen += np.uint64((third < last) & (sums[third] <= threshold))
    return np.int64(chosen)


@jit
def cumulate(x, count):
    """Replace the first ``count`` numbers of ``x`` (float64) by their running sums; return the sum of all.

    Four numbers are added at a time, so that only one addition in four has to wait for the one before.
    """
    total = 0.0
    m = ZERO
    while m + THREE < count:
        total = cumulate_four(x, m, total, x[m], x[m + ONE], x[m + TWO], x[m + THREE])
        m += FOUR
    while m < count:
        total += x[m]
        x[m] = total
        m += ONE
    return total


@inlined
def cumulate_four(sums, m, total, first, second, third, fourth):
    """Write the running sums of four more numbers, from entry ``m`` on; return the sum of all."""
    two = first + second
    sums[m] = total + first
    sums[m + ONE] = total + two
    sums[m + TWO] = total + (two + third)
    sums[m + THREE] = total + (two + (third + fourth))
    return sums[m + THREE]
