"""Random numbers inside kernels, xoroshiro128+ on a state array owned by the search; draws in proportion to weights."""

import numpy as np

from nrpa.engine.status import NO_PROBABILITY
from nrpa.machine.jit import as_int64, inlined, jit

Seed = int | np.random.SeedSequence

# 2^64 divided by the golden ratio: odd, and without a pattern in its bits. A factor that mixes the bits of a hash.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
# The bits of an infinite float64.
INFINITY = np.uint64(0x7FF0000000000000)
ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))


def random_state(seed: Seed) -> np.ndarray:
    """Return the state of a random number generator.

    Returns uint64[2]: the state, drawn from ``numpy.random.SeedSequence(seed)``.

    >>> state = random_state(1)
    >>> 0.0 <= uniform(state) < 1.0
    True
    """
    state: np.ndarray = random_states(seed, 1)[0]
    return state


def random_states(seed: Seed, number: int) -> np.ndarray:
    """Return the states of several generators, uint64[number, 2]; the first one is ``random_state(seed)``."""
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return sequence.generate_state(2 * number, np.uint64).reshape(number, 2)


@jit
def uniform(state):
    """Return a random number, uniform on [0, 1), and move the generator on.

    Source: D. Blackman and S. Vigna, *Scrambled Linear Pseudorandom Number Generators*, 2018: xoroshiro128+ with the
    constants 24, 16 and 37.
    """
    s0 = state[0]
    s1 = state[1]
    bits = s0 + s1
    s1 ^= s0
    state[0] = ((s0 << np.uint64(24)) | (s0 >> np.uint64(40))) ^ s1 ^ (s1 << np.uint64(16))
    state[1] = (s1 << np.uint64(37)) | (s1 >> np.uint64(27))
    return np.float64(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@jit
def mixed(word):
    """Return a word of 64 bits with all of its bits mixed, one to one.

    Source: G. L. Steele, D. Lea and C. H. Flood, *Fast Splittable Pseudorandom Number Generators*, 2014: the finalizer
    of SplitMix64.
    """
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@jit
def random_index(weights, count, random):
    """Return a random index, with probabilities in proportion to ``count`` weights >= 0; or NO_PROBABILITY."""
    return index_from_sums(weights, count, cumulate(weights, np.uint64(count)), random)


@jit
def index_from_sums(sums, count, total, random):
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
