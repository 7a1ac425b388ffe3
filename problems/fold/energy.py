"""The helices that a sequence can form, and the energy of structures, with or without pseudoknots."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from nrpa.problems.rna.structure import CAN_PAIR, SHORTEST_HAIRPIN, helices, pair_table
from nrpa.problems.rna.vienna import Folder

PSEUDOKNOT = 9.6
REMEMBERED, LETTERS_REMEMBERED = 500_000, 10**8
TERMINAL_AU = 0.5
MOST = 2048
"""The most helices offered; of more, those of least energy."""
LETTERS = "ACGU"
BLOCK = 2**20
"""So many pairs of positions are looked at together."""


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
    """Return every run of stacked pairs that a sequence can form, single pairs too; of more than ``most`` the least.

    Parts of longer runs are helices of their own: the best structure often shortens one to make room for another.
    """
    tables = _tables(stacks)
    letters = np.array([LETTERS.index(letter) for letter in sequence])
    rows = max(1, BLOCK // len(letters))
    found = np.empty((0, 4))
    for begin in range(0, len(letters), rows):
        found = _least(np.concatenate([found, *_helices_from(letters, range(begin, begin + rows), *tables)]), most)
    return [Helix(int(first), int(last), int(length), energy) for energy, first, last, length in found.tolist()]


def _tables(stacks: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Return the energies of ends (float64[4, 4], infinite where no pair is) and of stacks (float64[4, 4, 4, 4])."""
    ends, stack = np.full((4, 4), np.inf), np.zeros((4, 4, 4, 4))
    for pair in CAN_PAIR:
        ends[tuple(map(LETTERS.index, pair))] = _end_of_helix(pair)
    for bases, energy in stacks.items():
        stack[tuple(map(LETTERS.index, bases))] = energy
    return ends, stack


def _helices_from(letters: np.ndarray, rows: range, ends: np.ndarray, stack: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the helices that begin in some rows as rows of energy, first, last and length, the shortest first."""
    far = np.arange(len(letters)) - np.arange(len(letters))[rows.start : rows.stop, None] > SHORTEST_HAIRPIN
    first, last = np.nonzero(far & np.isfinite(ends[letters[rows.start : rows.stop, None], letters]))
    first += rows.start
    k, m, stacked, length = first, last, np.zeros(len(first)), 1
    while len(first):
        energy = stacked + (ends[letters[first], letters[last]] + ends[letters[k], letters[m]])
        yield np.column_stack([energy.round(2), first, last, np.full(len(first), length)])
        longer = (m - k - 2 > SHORTEST_HAIRPIN) & np.isfinite(ends[letters[k + 1], letters[m - 1]])
        first, last, k, m, stacked = (each[longer] for each in (first, last, k + 1, m - 1, stacked))
        stacked = stacked + stack[letters[k - 1], letters[k], letters[m], letters[m + 1]]
        length += 1


def _least(found: np.ndarray, most: int) -> np.ndarray:
    """Return the rows of least energy, of equal ones those of the least first, last and length."""
    if len(found) > most:
        found = found[found[:, 0] <= np.partition(found[:, 0], most - 1)[most - 1]]
    return found[np.lexsort(found.T[[3, 2, 1, 0]])][:most]


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
        most = min(REMEMBERED, LETTERS_REMEMBERED // len(sequence))
        self._remembered = lru_cache(most)(lambda symbols: self.of(symbols.decode("ascii")))

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
