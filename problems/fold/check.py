"""The independent check of a structure, in plain Python; only the energies of loops and stacks are ViennaRNA's."""

from typing import Any

from nrpa.base.errors import InputError
from nrpa.modelling.objective import Verdict
from nrpa.problems.rna.structure import CAN_PAIR, base_pairs
from nrpa.problems.rna.vienna import Folder

PSEUDOKNOT = 9.6
END = 0.5


def check_structure(
    folder: Folder, sequence: str, structure: Any, optimum: float | None, *, pseudoknots: bool
) -> Verdict:
    """Check that a sequence can have a structure, and give its energy, beside the optimum if known."""
    if not isinstance(structure, str):
        return Verdict({}, [f"a structure is a string of brackets and dots, not {type(structure).__name__}"])
    if len(structure) != len(sequence):
        return Verdict({}, [f"the structure has {len(structure)} positions, the sequence {len(sequence)}"])
    allowed = ".()[]" if pseudoknots else ".()"
    faults = [
        f"expected one of {allowed} at position {i + 1}, found {symbol!r}"
        for i, symbol in enumerate(structure)
        if symbol not in allowed
    ]
    layers = [_pairs(structure, brackets, faults) for brackets in ("()", "[]")]
    for i, j in sorted(layers[0] | layers[1]):
        if sequence[i] + sequence[j] not in CAN_PAIR:
            faults.append(f"{sequence[i]} at position {i + 1} cannot pair with {sequence[j]} at position {j + 1}")
        if j - i < 4:
            faults.append(f"the hairpin loop between positions {i + 1} and {j + 1} has fewer than three bases")
    if faults:
        return Verdict({}, faults)
    energy = folder.energy(sequence, structure.replace("[", ".").replace("]", "."))
    for i, j in layers[1]:
        if (i - 1, j + 1) not in layers[1]:
            energy += PSEUDOKNOT + _end_energy(sequence, i, j)
        if (i + 1, j - 1) in layers[1]:
            stack = sequence[i] + sequence[i + 1] + "AAAA" + sequence[j - 1] + sequence[j]
            energy += folder.loop(stack, "((....))", 0)
        else:
            energy += _end_energy(sequence, i, j)
    energy = round(energy, 2)
    figures = {
        "energy": energy,
        **({} if optimum is None else {"optimum": optimum}),
        "structure": structure,
        "crossings": sum(a < i < b < j or i < a < j < b for i, j in layers[0] for a, b in layers[1]),
    }
    return Verdict(figures, score=-energy)


def _end_energy(sequence: str, i: int, j: int) -> float:
    return 0.0 if {sequence[i], sequence[j]} == {"G", "C"} else END


def _pairs(structure: str, brackets: str, faults: list[str]) -> set[tuple[int, int]]:
    try:
        return base_pairs(structure, brackets)
    except InputError as error:
        faults.append(str(error))
        return set()
