"""Rough energies of loops by their sizes alone, for the bias of folding."""

import math
from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import jit
from nrpa.problems.rna.vienna import Folder

LARGEST = 30
STACK = -2.0
LOGARITHM = 1.07856
"""1.75 RT: loops grow by this times the logarithm of their size (Jacobson & Stockmayer)."""


class Loops(NamedTuple):
    """Loop energies in kcal/mol, as of loops of A closed by GC pairs."""

    hairpin: np.ndarray  # float64[31], by the number of bases in the loop
    # float64[31, 31], by the bases on each side, at most 30 in all; also of bulges, and without bases the mean stack
    interior: np.ndarray
    multi: np.ndarray  # float64[2], with two helices inside, and for each further one


def measure_loops(folder: Folder) -> Loops:
    """Return the energies that a parameter set gives to sample loops."""
    hairpin = np.zeros(LARGEST + 1)
    for size in range(3, LARGEST + 1):
        hairpin[size] = folder.loop(f"G{'A' * size}C", f"({'.' * size})", 0)
    interior = np.full((LARGEST + 1, LARGEST + 1), math.inf)
    for left in range(LARGEST + 1):
        for right in range(LARGEST + 1 - left):
            sequence = f"G{'A' * left}GAAAAC{'A' * right}C"
            interior[left, right] = folder.loop(sequence, f"({'.' * left}(....){'.' * right})", 0)
    interior[0, 0] = STACK
    two, three = (folder.loop(f"G{'AGAAAAC' * k}AC", f"({'.(....)' * k}.)", 0) for k in (2, 3))
    return Loops(hairpin, interior, np.array([two, three - two]))


@jit
def hairpin_energy(loops, size):
    """Return the energy of a hairpin loop."""
    if size <= LARGEST:
        return loops.hairpin[size]
    return loops.hairpin[LARGEST] + LOGARITHM * math.log(size / LARGEST)


@jit
def interior_energy(loops, left, right):
    """Return the energy of an interior loop, a bulge or a stack."""
    total = left + right
    if total <= LARGEST:
        return loops.interior[left, right]
    half = LARGEST // 2
    return loops.interior[half, half] + LOGARITHM * math.log(total / LARGEST)


@jit
def multi_energy(loops, inside):
    """Return the energy of a loop with several helices."""
    return loops.multi[0] + (inside - 2) * loops.multi[1]
