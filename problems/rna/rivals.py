"""The structures into which sequences folded instead of the target."""

from __future__ import annotations

import math
from typing import NamedTuple

from nrpa.problems.rna.vienna import Folder


class Lead(NamedTuple):
    """How far the best rival of the target is ahead, for a sequence.

    Attributes
    ----------
    energy : float
        The energy of the target minus that of the rival, in kcal/mol; the sequence does not fold into the target where
        it is positive.
    rival : str
        The rival in dot-bracket notation.
    """

    energy: float
    rival: str


class Rivals:
    """The structures that won against the target: a sequence that loses to one of them need not be folded.

    Parameters
    ----------
    folder : Folder
        Gives energies.
    target : str
        The target in dot-bracket notation.
    first : str
        The first rival.
    most : int
        How many are kept; then that goes for a new one which was not ahead for the longest time.
    """

    def __init__(self, folder: Folder, target: str, first: str, most: int) -> None:
        self._folder = folder
        self._target = target
        self._latest_first = [first]
        self._most = most

    def add(self, structure: str) -> None:
        """Take in a structure that won against the target.

        Parameters
        ----------
        structure : str
            The structure in dot-bracket notation.
        """
        if structure in self._latest_first:
            self._latest_first.remove(structure)
        self._latest_first.insert(0, structure)
        del self._latest_first[self._most :]

    def lead(self, sequence: str, enough: float = math.inf) -> Lead:
        """Return how far a rival is ahead.

        Parameters
        ----------
        sequence : str
            The sequence, letters A, C, G and U.
        enough : float
            The first rival that is found so far ahead, in kcal/mol, is returned, without a look at the others.

        Returns
        -------
        Lead
            That of the best rival, of equal ones the latest, where none is so far ahead.
        """
        target, *energies = self._folder.energies(sequence, [self._target, *self._latest_first], enough)
        least = min(energies)
        rival = self._latest_first[energies.index(least)]
        if target - least >= enough:
            self.add(rival)
        return Lead(target - least, rival)
