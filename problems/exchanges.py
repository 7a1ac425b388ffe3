"""What kernels that improve sequences share: parts change places or turn round; random numbers of a sequence."""

import numpy as np

from nrpa.engine.random import GOLDEN, mixed
from nrpa.machine.jit import jit


@jit
def exchange(sequence, one, size, other, part):
    """Exchange two parts of ``size`` and ``part`` elements, of which that at ``one`` comes first."""
    turn(sequence, one, one + size)
    turn(sequence, one + size, other)
    turn(sequence, other, other + part)
    turn(sequence, one, other + part)


@jit
def turn(sequence, first, end):
    """Turn the positions ``first`` to ``end`` - 1 round."""
    last = end - 1
    while first < last:
        sequence[first], sequence[last] = sequence[last], sequence[first]
        first += 1
        last -= 1


@jit
def seed(stream, sequence, steps):
    """Let random numbers depend on a sequence alone."""
    word = np.uint64(steps)
    for step in range(steps):
        word = mixed(word ^ np.uint64(sequence[step])) + GOLDEN
    stream[0], stream[1] = mixed(word), mixed(word + np.uint64(1))
