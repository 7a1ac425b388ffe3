"""Arguments and solutions that are nothing of the kind, for every bundled problem."""

import numpy as np
import pytest

from nrpa.base.errors import InputError
from nrpa.registry import problem_class, problems

RIGHT = {
    "tsptw": {"distances": [[0, 5], [5, 0]], "windows": [[0, 50], [0, 20]], "coordinates": None},
    "vrptw": {
        "distances": [[0, 3], [3, 0]],
        "windows": [[0, 99], [0, 50]],
        "demand": [0, 1],
        "capacity": 2,
        "service": None,
        "coordinates": None,
    },
    "cvrp": {"distances": [[0, 3], [3, 0]], "demand": [0, 1], "capacity": 2, "service": None, "duration": None},
    "richvrp": {
        **{"distances": [[0, 3], [3, 0]], "windows": [[0, 99], [0, 50]], "demand": [0, 1], "capacity": 2},
        **{"service": None, "partners": None, "vehicles": None, "duration": None, "prizes": None, "depots": 1},
    },
    "binpacking": {"capacity": 10, "sizes": [3, 4, 5]},
    "coloring": {"nodes": 3, "edges": [(0, 1), (1, 2)]},
    "fold": {"sequence": "GGGGAAAACCCC"},
    "goals": {"target": "a", "rules": [("a", ["b"], 1)], "stock": ["b"], "depth": 2},
    "latin": {"grid": [[1, 2], [0, 0]]},
    "pancake": {"stack": [2, 1, 3]},
    "rna": {"target": "(((...)))"},
    "samegame": {"board": [[0, 1], [0, 1]]},
    "schur": {"parts": 2},
    "sliding": {"board": [1, 0, 2, 3]},
    "snake": {"dimensions": 3, "coil": False},
    "jobshop": {"jobs": [[(0, 3), (1, 2)], [(1, 2), (0, 4)]]},
    "rcpsp": {"hours": [1, 2], "after": [[1], []], "demand": [[1], [2]], "capacity": [2]},
    "alignment": {"strings": ["ACGT", "ACT"]},
    "traffic": {"links": [["a", "b", 2.0], ["b", "c", 1]], "demands": [["a", "c", 1.5]]},
    "expression": {"points": [[0, 1], [1, 2.5]]},
    "sudoku": {"grid": [[1, 2, 3, 4], [0] * 4, [0] * 4, [0] * 4]},
    "boxes": {"container": (4, 4, 4), "boxes": [(2, 1, 2, 1, 1, 1, 3)]},
    "rectangles": {"width": 5, "height": 4, "rectangles": [(2, 3), (1, 1)]},
    "strip": {"width": 5, "rectangles": [(2, 3), (1, 1)]},
    "morpion": {"variant": "4D", "dots": None, "moves": ()},
}
ODD = [
    *(None, True, -1, 10**9, 2**64, 10**5000, 0.5, 1e308, float("nan"), -float("inf"), 1j, object()),
    *("", "x", "\u1e9a", "\u0663", "\x00", "a" * 1000, b"x", [], [[]], [[1, 2], [3]], [["a", "b"]], [None], {1: 2}),
    *([[float("nan")] * 2] * 2, [[1e200] * 2] * 2, [[2**70] * 2] * 2, [(0, 0)], [(0, 1, 2)], [(10**30, 1)], ["ab"]),
    *(np.zeros((0, 0)), np.array("x"), np.array([1, 2], object), np.full((2, 2), 2**64 - 1, np.uint64)),
    *("A" * 40_000, "(((" + "." * 40_000 + ")))", range(3), np.array([[1, 2], [3, 4]], "M8[D]")),
]


def of_numpy(value):
    """Return a value with arrays of NumPy for lists, where they are regular and of one kind, and its numbers."""
    if isinstance(value, (list, tuple)):
        try:
            array = np.array(value)
        except ValueError:
            return [*map(of_numpy, value)]
        is_mixed = array.dtype.kind == "U" and {*map(type, np.array(value, object).ravel())} != {str}
        return [*map(of_numpy, value)] if is_mixed or array.dtype.kind == "O" or not array.size else array
    return np.array(value)[()] if isinstance(value, (int, float)) and not isinstance(value, bool) else value


@pytest.mark.parametrize("name", [name for name in RIGHT if name != "morpion"])
def test_numbers_and_arrays_of_numpy(name):
    """They make the same problem as Python's."""
    cls = problem_class(name)
    given = {key: of_numpy(value) for key, value in RIGHT[name].items()}
    assert cls(**given).digest() == cls(**RIGHT[name]).digest()


@pytest.mark.parametrize("name", problems.bundled)
def test_wrong_arguments(name):
    """Each is refused in one sentence, or is right after all."""
    cls, right, refusals = problem_class(name), RIGHT.get(name, {}), []
    for key in [*right, *(option.name for option in cls.cli_options)]:
        for odd in ODD:
            try:
                cls(**{**right, key: odd})
            except InputError as error:
                refusals.append(str(error))
    assert len(refusals) > len(ODD) // 2, f"give RIGHT[{name!r}] arguments that are right"
    assert all(text.isprintable() and len(text) < 400 for text in refusals)


@pytest.mark.parametrize("name", RIGHT)
def test_wrong_solutions(name):
    """Each has a fault, and none an exception; but the empty one may be right."""
    problem = problem_class(name)(**RIGHT[name])
    for odd in ODD:
        verdict = problem.check(odd)
        assert verdict.faults or verdict.score is not None
