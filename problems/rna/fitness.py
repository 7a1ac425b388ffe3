"""The fitness of a sequence, as the search sees it."""

import threading
import time
from functools import lru_cache
from typing import NamedTuple

from nrpa.modelling.objective import Objective
from nrpa.problems.rna.demands import NOTHING, Demands
from nrpa.problems.rna.order import ENSEMBLE, hamming, names_of, score_of
from nrpa.problems.rna.structure import base_pairs
from nrpa.problems.rna.vienna import Folder

REMEMBERED = 200_000
FITNESS = Objective("fitness", sign=+1, digits=4)


class Folded(NamedTuple):
    """A sequence's structure of minimum free energy, in dot-bracket notation, and its fitness, at most 1."""

    structure: str
    fitness: float


class Fitness:
    """The fitness of sequences for one target, as in NEMO; a search folds nothing twice.

    It is 1 when the structure of minimum free energy is the target; else K / e, or K e where K is negative, with K = 1
    − distance / (2 pairs) and e = 1.01 + E(target) − MFE. A target without pairs has K = 1 / (1 + distance). What else
    is demanded and broken counts 1 less each. So far, ``folds`` folds were made, in ``seconds``.

    Source: Portela, as in ``bias``.
    """

    def __init__(self, folder: Folder, target: str, demands: Demands = NOTHING, order: Objective = FITNESS) -> None:
        self.folds = 0
        self.seconds = 0.0
        self._folder = folder
        self._target = target
        self._demands = demands
        self._order = order
        self._pairs = base_pairs(target)
        self._remembered = lru_cache(REMEMBERED)(lambda letters: self._evaluate(letters.decode("ascii")))
        self._ranked = lru_cache(REMEMBERED)(lambda letters: self._rank(letters.decode("ascii")))
        self._lock = threading.Lock()

    def __call__(self, letters: bytes) -> float:
        """Return the score of a sequence given as ASCII: its fitness, if nothing else counts."""
        return self._remembered(letters).fitness if self._order == FITNESS else self._ranked(letters)

    def fold(self, sequence: str) -> Folded:
        """Return the structure and the fitness of a sequence."""
        return self._remembered(sequence.encode("ascii"))

    def forget(self) -> None:
        """Begin without sequences that were folded."""
        self._remembered.cache_clear()
        self._ranked.cache_clear()

    def _rank(self, sequence: str) -> float:
        structure = self.fold(sequence).structure
        figures: dict[str, float] = {
            "faults": self._demands.broken(sequence),
            "hamming": hamming(structure, self._target),
        }
        figures |= {"distance": len(self._pairs ^ base_pairs(structure))}
        if not {*ENSEMBLE}.isdisjoint(names_of(self._order)):
            figures |= dict(zip(ENSEMBLE, self._folder.ensemble(sequence, self._target), strict=True))
        return score_of(self._order, figures)

    def _evaluate(self, sequence: str) -> Folded:
        start = time.perf_counter()
        structure, energy = self._folder.mfe(sequence)
        with self._lock:
            self.seconds += time.perf_counter() - start
            self.folds += 1
        broken = self._demands.broken(sequence)
        if structure == self._target:
            return Folded(structure, 1.0 - broken)
        distance = len(self._pairs ^ base_pairs(structure))
        closeness = 1.0 - 0.5 * distance / len(self._pairs) if self._pairs else 1.0 / (1.0 + distance)
        excess = 1.01 + self._folder.energy(sequence, self._target) - energy
        return Folded(structure, (closeness / excess if closeness >= 0 else closeness * excess) - broken)
