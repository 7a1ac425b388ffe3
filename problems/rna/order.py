"""Designs compared by several figures, one after the other, in place of the fitness."""

from __future__ import annotations

from collections.abc import Mapping

from nrpa.base.errors import InputError, did_you_mean
from nrpa.base.values import shortened
from nrpa.modelling.objective import Lexicographic, Objective
from nrpa.problems.rna.vienna import LONG

ENSEMBLE = ("defect", "probability")
PARTS = {
    "distance": Objective("distance", -1),
    "hamming": Objective("hamming", -1),
    "defect": Objective("defect", -1, digits=4),
    "probability": Objective("probability", 1, digits=4),
}
FAULTS = Objective("faults", -1)


def parse_order(text: str, bases: int, most_faults: int) -> Objective:
    """Return the objective that names make for so many bases; faults first if there can be any.

    Raises InputError for other names, and for so many that one number does not hold them.
    """
    names = text.replace(",", " ").split()
    for name in names or [text]:
        if name not in PARTS or names.count(name) > 1:
            expected = f"some of {', '.join(PARTS)}, each once, with commas or blanks between"
            meant = did_you_mean(name, PARTS) if name not in PARTS else ""
            raise InputError(f"order must be {expected}, not {shortened(repr(text))}{meant and f'; {meant}'}")
        if name in ENSEMBLE and bases > LONG:
            raise InputError(f"order: {name} is for at most {LONG:,} bases, and the target has {bases:,}")
    parts, sizes = [PARTS[name] for name in names], [1 if name in ENSEMBLE else bases for name in names]
    if most_faults:
        parts, sizes = [FAULTS, *parts], [most_faults, *sizes]
    if len(parts) == 1:
        return parts[0]
    try:
        objective = Lexicographic(*parts, most=max(sizes[1:]))
        objective.packed(sizes)
    except (InputError, ValueError):
        raise InputError(f"order: {text} of {bases:,} bases does not fit into one number; leave a name out") from None
    return objective


def names_of(objective: Objective) -> list[str]:
    """Return the names of the figures of an order."""
    return objective.name.split(", ")


def score_of(objective: Objective, figures: Mapping[str, float]) -> float:
    """Return the score of figures by their order."""
    values = [figures[name] for name in names_of(objective)]
    return objective.score(values if len(values) > 1 else values[0])


def hamming(structure: str, target: str) -> int:
    """Return at how many positions two structures differ."""
    return sum(a != b for a, b in zip(structure, target, strict=True))
