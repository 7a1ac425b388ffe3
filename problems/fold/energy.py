"""The energy of a structure, with or without pseudoknots."""

from functools import lru_cache

from nrpa.problems.fold.helices import helix_energy
from nrpa.problems.rna.structure import helices, pair_table
from nrpa.problems.rna.vienna import Folder

PSEUDOKNOT = 9.6
REMEMBERED = 500_000


class Energy:
    """The energy of structures of one sequence; a search evaluates nothing twice.

    Round brackets alone: ViennaRNA's. Square brackets are helices that cross the round ones. Each adds its stacks, its
    ends and ``PSEUDOKNOT``, 9.6 kcal/mol to start a pseudoknot. The round ones are evaluated as if the others were not
    there.

    Source: R. M. Dirks and N. A. Pierce, *A partition function algorithm for nucleic acid secondary structure including
    pseudoknots*, J. Comput. Chem. 24, 2003: β1 is what starts a pseudoknot.
    """

    def __init__(self, folder: Folder, stacks: dict[str, float], sequence: str) -> None:
        self._folder = folder
        self._stacks = stacks
        self._sequence = sequence
        self._remembered = lru_cache(REMEMBERED)(lambda symbols: self.of(symbols.decode("ascii")))

    def __call__(self, symbols: bytes) -> float:
        """Return the energy of a structure given as ASCII."""
        return self._remembered(symbols)

    def forget(self) -> None:
        """Begin without structures that were evaluated."""
        self._remembered.cache_clear()

    def of(self, structure: str) -> float:
        """Return the energy of a structure, evaluated anew."""
        if "[" not in structure:
            return self._folder.energy(self._sequence, structure)
        energy = self._folder.energy(self._sequence, structure.replace("[", ".").replace("]", "."))
        for pairs in helices(pair_table(structure, "[]")):
            energy += PSEUDOKNOT + helix_energy(self._stacks, self._sequence, pairs)
        return round(energy, 2)
