"""The independent check of a snake or coil: plain Python, sharing nothing with the kernels."""

from __future__ import annotations

from typing import Any

from nrpa.base.values import shortened
from nrpa.modelling.verdict import Verdict


def check_path(dimensions: int, coil: bool, solution: Any) -> Verdict:
    """Check that vertices of a path are neighbours only where they follow each other.

    Parameters
    ----------
    dimensions : int
        Of the hypercube.
    coil : bool
        Whether the path has to close: its last vertex is then a neighbour of its first.
    solution : object
        What may be a path: a list of the dimensions, from 0, along which its edges go.

    Returns
    -------
    Verdict
        Its figures are ``edges``, the closing one of a coil included. Of a coil that is not closed they are 0.

    Examples
    --------
    >>> check_path(3, False, [0, 1, 2, 0]).figures
    {'edges': 4}
    >>> check_path(3, True, [0, 1, 2, 0, 1]).score
    6.0
    """
    fault = form_fault(dimensions, solution)
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
    return Verdict({"edges": edges}, faults, score=score)


def form_fault(dimensions: int, solution: Any) -> str | None:
    """Return why something is not a list of dimensions, None if it is.

    Parameters
    ----------
    dimensions : int
        How many there are.
    solution : object
        What may be a path.

    Returns
    -------
    str or None
        The fault in words.
    """
    if not isinstance(solution, list):
        return f"a path is a list of dimensions, not {type(solution).__name__}"
    for edge, dimension in enumerate(solution, 1):
        if not isinstance(dimension, int) or isinstance(dimension, bool) or not 0 <= dimension < dimensions:
            return f"edge {edge}: expected a dimension, 0 to {dimensions - 1}, found {shortened(repr(dimension))}"
    if len(solution) >= 2**dimensions:
        return f"{len(solution)} edges; a path has at most {2**dimensions - 1}"
    return None
