"""Random numbers inside kernels: xoroshiro128+ on a state array owned by the search."""

import numpy as np

from nrpa.engine.jit import jit

Seed = int | np.random.SeedSequence


def random_state(seed: Seed) -> np.ndarray:
    """Return the generator's state, uint64[2], drawn from ``numpy.random.SeedSequence(seed)``.

    Workers of one search get a ``SeedSequence`` each, spawned from that of the seed.
    """
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return sequence.generate_state(2, np.uint64)


@jit
def uniform(state):
    """Return a float64 uniform on [0, 1) and step ``state`` (Blackman & Vigna, xoroshiro128+, 2018)."""
    s0 = state[0]
    s1 = state[1]
    bits = s0 + s1
    s1 ^= s0
    state[0] = ((s0 << np.uint64(24)) | (s0 >> np.uint64(40))) ^ s1 ^ (s1 << np.uint64(16))
    state[1] = (s1 << np.uint64(37)) | (s1 >> np.uint64(27))
    return np.float64(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)
