"""The independent check of a colouring: plain Python, sharing nothing with the kernels."""

from collections.abc import Iterable
from typing import Any

from nrpa.modelling.verdict import Verdict
from nrpa.problems.common import fault_in_list, is_whole


def check_coloring(nodes: int, edges: Iterable[tuple[int, int]], colours: int, solution: Any) -> Verdict:
    """Check that neighbours have different colours."""
    what, expected = "a colouring is a list of the nodes' colours", "a colour, a whole number from 1"
    fault = fault_in_list(solution, what, "node", expected, lambda found: is_whole(found, 1))
    if fault is None and len(solution) != nodes:
        fault = f"expected the colours of {nodes} nodes, found {len(solution)}"
    if fault:
        return Verdict({}, [fault])
    clashes = [(a, b) for a, b in edges if solution[a] == solution[b]]
    used = len(set(solution))
    figures = {"colors": used, "clashes": len(clashes)}
    if colours:
        faults = [f"there are {used} colours; expected at most {colours}"] if used > colours else []
        return Verdict(figures, faults, score=-float(len(clashes)))
    faults = [f"nodes {a + 1} and {b + 1} are neighbours of one colour, {solution[a]}" for a, b in clashes[:3]]
    squares = sum(solution.count(colour) ** 2 for colour in set(solution))
    return Verdict(figures, faults, score=-used - 0.5 + 0.5 * squares / nodes**2)
