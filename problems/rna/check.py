"""The independent check of a design: folded again, compared in plain Python."""

from typing import Any

from nrpa.base.errors import InputError
from nrpa.modelling.verdict import Verdict
from nrpa.problems.rna.structure import CAN_PAIR, base_pairs, parse_sequence
from nrpa.problems.rna.vienna import Folder


def check_design(folder: Folder, target: str, sequence: Any) -> Verdict:
    """Fold a sequence again and compare its structure with the target."""
    if not isinstance(sequence, str):
        return Verdict({}, [f"a design is a string of bases, not {type(sequence).__name__}"])
    try:
        sequence = parse_sequence(sequence)
    except InputError as error:
        return Verdict({}, [str(error)])
    if len(sequence) != len(target):
        return Verdict({}, [f"the sequence has {len(sequence)} bases, the target {len(target)}"])
    faults = [
        f"{sequence[i]} at position {i + 1} and {sequence[j]} at position {j + 1} cannot pair, as the target wants"
        for i, j in sorted(base_pairs(target))
        if sequence[i] + sequence[j] not in CAN_PAIR
    ]
    structure, energy = folder.mfe(sequence)
    wanted, found = base_pairs(target), base_pairs(structure)
    distance = len(wanted ^ found)
    if distance:
        faults.append(f"it folds into another structure, {distance} base pairs away: {structure}")
    fitness = 1.0
    if distance:
        closeness = 1.0 - distance / (2.0 * len(wanted)) if wanted else 1.0 / (1.0 + distance)
        excess = 1.01 + folder.energy(sequence, target) - energy
        fitness = closeness / excess if closeness >= 0 else closeness * excess
    figures = {"fitness": fitness, "sequence": sequence, "structure": structure, "energy": energy, "distance": distance}
    return Verdict(figures, faults, score=fitness, faults_counted=True)
