import numpy as np

from nrpa.engine.random import random_state, uniform

MASK = 2**64 - 1


def reference(state):
    """xoroshiro128+ on Python's integers."""

    def rotate(x, k):
        return ((x << k) | (x >> (64 - k))) & MASK

    s0, s1 = state
    bits = (s0 + s1) & MASK
    s1 ^= s0
    return bits, (rotate(s0, 24) ^ s1 ^ ((s1 << 16) & MASK), rotate(s1, 37))


def test_uniform_is_xoroshiro128_plus():
    """The top 53 bits of each word, as a fraction."""
    state = random_state(42)
    plain = tuple(int(word) for word in state)
    for _ in range(1000):
        bits, plain = reference(plain)
        assert uniform(state) == (bits >> 11) / 2**53


def test_seeds_differ_and_repeat():
    """The state depends on the seed alone."""
    assert random_state(1).tolist() == random_state(1).tolist()
    assert random_state(1).tolist() != random_state(2).tolist()
    assert random_state(1).dtype == np.uint64
