"""The independent check of a snake or coil: plain Python, sharing nothing with the kernels."""

from typing import Any

from nrpa.modelling.verdict import Verdict
from nrpa.problems.common import fault_in_list, is_whole


def check_path(dimensions: int, coil: bool, solution: Any) -> Verdict:
    """Check that vertices of a path are neighbours only where they follow each other."""
    what, expected = "a path is a list of dimensions", f"a dimension, 0 to {dimensions - 1}"
    fault = fault_in_list(solution, what, "edge", expected, lambda found: is_whole(found, 0, dimensions - 1))
    if fault is None and len(solution) >= 2**dimensions:
        fault = f"{len(solution)} edges; a path has at most {2**dimensions - 1}"
    if fault:
        return Verdict({}, [fault])
    path = [0]
    for dimension in solution:
        path.append(path[-1] ^ (1 << dimension))
    closed = coil and len(path) > 3 and (path[0] ^ path[-1]).bit_count() == 1
    chords = [
        (i, j)
        for j in range(len(path))
        for i in range(j - 1)
        if (path[i] ^ path[j]).bit_count() <= 1 and not (closed and i == 0 and j == len(path) - 1)
    ]
    faults = [f"vertices {i + 1} and {j + 1} of the path are too near each other" for i, j in chords[:3]]
    if coil and not closed:
        faults.append("the coil is not closed")
    edges = 0 if coil and not closed else len(solution) + closed
    score = len(solution) / 2**dimensions if coil and not closed else float(edges)
    return Verdict({"edges": edges}, faults, score=score, faults_counted=not chords)
