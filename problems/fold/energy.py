"""The helices that a sequence can form, and the energy of structures, with or without pseudoknots."""

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from nrpa.problems.rna.structure import CAN_PAIR, SHORTEST_HAIRPIN, helices, pair_table
from nrpa.problems.rna.vienna import Folder

PSEUDOKNOT = 9.6
REMEMBERED = 500_000
TERMINAL_AU = 0.5
MOST = 2048
"""The most helices offered; of more, those of least energy."""


class Helix(NamedTuple):
    """``length`` stacked pairs (first, last), (first + 1, last − 1), and so on; the energy of stacks and ends alone."""

    first: int
    last: int
    length: int
    energy: float


def stacking(folder: Folder) -> dict[str, float]:
    """Return the energy of each stack of two pairs."""
    energies = {}
    for outer in sorted(CAN_PAIR):
        for inner in sorted(CAN_PAIR):
            sequence = f"{outer[0]}{inner[0]}AAAA{inner[1]}{outer[1]}"
            energies[outer[0] + inner + outer[1]] = folder.loop(sequence, "((....))", 0)
    return energies


def helix_energy(stacks: dict[str, float], sequence: str, pairs: list[tuple[int, int]]) -> float:
    """Return the energy of stacked pairs alone: their stacks, and 0.5 kcal/mol for each end that is not GC."""
    energy = 0.0
    for (i, j), (k, m) in pairwise(pairs):
        energy += stacks[sequence[i] + sequence[k] + sequence[m] + sequence[j]]
    return round(energy + sum(_end_of_helix(sequence[i] + sequence[j]) for i, j in (pairs[0], pairs[-1])), 2)


def find_helices(sequence: str, stacks: dict[str, float], most: int = MOST) -> list[Helix]:
    """Return every run of stacked pairs that a sequence can form, single pairs too.

    Parts of longer runs are helices of their own: the best structure often shortens one to make room for another.
    """
    n = len(sequence)
    found: list[Helix] = []
    for i in range(n):
        for j in range(i + SHORTEST_HAIRPIN + 1, n):
            stacked = 0.0
            k, m = i, j
            while m - k > SHORTEST_HAIRPIN and sequence[k] + sequence[m] in CAN_PAIR:
                ends = _end_of_helix(sequence[i] + sequence[j]) + _end_of_helix(sequence[k] + sequence[m])
                found.append(Helix(i, j, k - i + 1, round(stacked + ends, 2)))
                k, m = k + 1, m - 1
                stacked += stacks.get(sequence[k - 1] + sequence[k] + sequence[m] + sequence[m + 1], 0.0)
        if len(found) > 20 * most:
            found = _least(found, most)
    return _least(found, most)


def _least(found: list[Helix], most: int) -> list[Helix]:
    return sorted(found, key=lambda helix: helix.energy)[:most]


def _end_of_helix(pair: str) -> float:
    return 0.0 if pair in ("GC", "CG") else TERMINAL_AU


class Energy:
    """The energy of structures of one sequence; a search evaluates nothing twice.

    Round brackets alone: ViennaRNA's. Square brackets are helices that cross the round ones. Each adds its stacks, its
    ends and ``PSEUDOKNOT``, 9.6 kcal/mol to start a pseudoknot. The round ones are evaluated as if the others were not
    there.

    Source: Dirks and Pierce, as in ``Folding``: β1 is what starts a pseudoknot.
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
