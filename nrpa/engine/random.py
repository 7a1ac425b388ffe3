"""Random numbers inside kernels: xoroshiro128+ on a state array owned by the search."""

import numpy as np

from nrpa.engine.jit import jit

Seed = int | np.random.SeedSequence

# 2^64 divided by the golden ratio: odd, and without a pattern in its bits. A factor that mixes the bits of a hash.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def random_state(seed: Seed) -> np.ndarray:
    """Return the state of a random number generator.

    Parameters
    ----------
    seed : int or numpy.random.SeedSequence
        The seed, 0 or more. Workers of one search get a ``SeedSequence`` each, spawned from that of the seed.

    Returns
    -------
    ndarray of uint64, shape (2,)
        The state, drawn from ``numpy.random.SeedSequence(seed)``.

    Examples
    --------
    >>> state = random_state(1)
    >>> 0.0 <= uniform(state) < 1.0
    True
    """
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return sequence.generate_state(2, np.uint64)


@jit
def uniform(state):
    """Return a random number, uniform on [0, 1), and move the generator on.

    Parameters
    ----------
    state : ndarray of uint64, shape (2,)
        The state of the generator; it changes.

    Returns
    -------
    float64
        A multiple of 2^-53: the upper 53 of the 64 bits drawn.

    References
    ----------
    D. Blackman and S. Vigna, *Scrambled Linear Pseudorandom Number Generators*, 2018: xoroshiro128+ with the constants
    24, 16 and 37.
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

    References
    ----------
    G. L. Steele, D. Lea and C. H. Flood, *Fast Splittable Pseudorandom Number Generators*, 2014: the finalizer of
    SplitMix64.
    """
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@jit
def stream_of_child(parent, child, out):
    """Derive the stream of a node of a tree from that of its parent: a function of the path from the root alone.

    Parameters
    ----------
    parent : ndarray of uint64, shape (2,)
        The stream of the parent, as the state of a generator that has not drawn.
    child : int
        Which child it is, from 0.
    out : ndarray of uint64, shape (2,)
        Where the stream of the node goes.
    """
    step = GOLDEN * (np.uint64(child) + np.uint64(1))
    first = mixed(parent[0] + step)
    out[1] = mixed(parent[1] ^ mixed(first + GOLDEN))
    out[0] = first
