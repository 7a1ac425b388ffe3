"""RNA folding by the dynamic programming of ViennaRNA, which is exact: drawn sequences."""

from __future__ import annotations

import random
from typing import Any

import nrpa

INSTANCES = "100 random bases", "200 random bases", "400 random bases"
PEER = "ViennaRNA"
BASELINE = "no pairs"


def load(instance: str) -> nrpa.Folding:
    """Return a problem of so many bases, which are drawn with their number as the seed."""
    bases = int(instance.split(maxsplit=1)[0])
    return nrpa.Folding("".join(random.Random(bases).choices("ACGU", k=bases)))


def answer(problem: Any, _seconds: float) -> str:
    """Return the structure of least energy."""
    import RNA

    structure: str = RNA.fold(problem.sequence)[0]
    return structure


def baseline(problem: Any) -> str:
    """Return the sequence as it is."""
    return "." * len(problem.sequence)
