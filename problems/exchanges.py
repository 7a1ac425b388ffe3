"""Parts of a sequence change places, or turn round."""

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
