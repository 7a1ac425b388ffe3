"""The structures into which sequences folded instead of the target."""

from __future__ import annotations

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
    """The structures that won against the target last: a sequence that loses to one of them need not be folded.

    Parameters
    ----------
    folder : Folder
        Gives energies.
    target : str
        The target in dot-bracket notation.
    first : str
        The first rival.
    most : int
        How many are kept; then the oldest goes for each new one.
    """

    def __init__(self, folder: Folder, target: str, first: str, most: int) -> None:
        self._folder = folder
        self._target = target
        self._rivals = [first]
        self._most = most

    def add(self, structure: str) -> None:
        """Take in a structure that is not the target; nothing changes where it is known.

        Parameters
        ----------
        structure : str
            The structure in dot-bracket notation.
        """
        if structure not in self._rivals:
            self._rivals = [*self._rivals, structure][-self._most :]

    def lead(self, sequence: str) -> Lead:
        """Return how far the best rival is ahead.

        Parameters
        ----------
        sequence : str
            The sequence, letters A, C, G and U.

        Returns
        -------
        Lead
            Of rivals of equal energy, the oldest.
        """
        target, *energies = self._folder.energies(sequence, [self._target, *self._rivals])
        least = min(energies)
        return Lead(target - least, self._rivals[energies.index(least)])
