"""The structures into which sequences folded instead of the target."""

import math
from typing import NamedTuple

from nrpa.problems.rna.vienna import Folder


class Lead(NamedTuple):
    """The best rival for a sequence, and the energy of the target minus that of the rival, in kcal/mol.

    Where the energy is positive, the sequence does not fold into the target.
    """

    energy: float
    rival: str


class Rivals:
    """The structures that won against the target: a sequence that loses to one of them need not be folded."""

    def __init__(self, folder: Folder, target: str, first: str, most: int) -> None:
        self._folder = folder
        self._target = target
        self._latest_first = [first]
        self._most = most

    def add(self, structure: str) -> None:
        """Take in a structure that won against the target."""
        if structure in self._latest_first:
            self._latest_first.remove(structure)
        self._latest_first.insert(0, structure)
        del self._latest_first[self._most :]

    def lead(self, sequence: str, enough: float = math.inf) -> Lead:
        """Return how far a rival is ahead."""
        target, *energies = self._folder.energies(sequence, [self._target, *self._latest_first], enough)
        least = min(energies)
        rival = self._latest_first[energies.index(least)]
        if target - least >= enough:
            self.add(rival)
        return Lead(target - least, rival)
