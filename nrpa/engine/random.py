"""Random numbers inside kernels: xoroshiro128+ on a state array owned by the search."""

import numpy as np

from nrpa.engine.jit import jit

Seed = int | np.random.SeedSequence

# 2^64 divided by the golden ratio: odd, and without a pattern in its bits. A factor that mixes the bits of a hash.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


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
