"""The independent check."""

import pytest

import nrpa

PATH = [(0, 1), (1, 2)]


@pytest.mark.parametrize(
    ("colours", "solution", "fault"),
    [
        (0, "121", "a colouring is a list of the nodes' colours, not str"),
        (0, [1, 2], "expected the colours of 3 nodes, found 2"),
        (0, [1, 2, 0], "node 3: expected a colour, a whole number from 1, found 0"),
        (0, [1, 2, 2.0], "node 3: expected a colour, a whole number from 1, found 2.0"),
        (0, [1, 2, True], "node 3: expected a colour, a whole number from 1, found True"),
        (0, [1, 2, 2], "nodes 2 and 3 are neighbours of one colour, 2"),
        (2, [1, 2, 3], "there are 3 colours; expected at most 2"),
    ],
)
def test_faults(colours, solution, fault):
    """Each fault in words."""
    assert nrpa.Coloring(3, PATH, colors=colours).check(solution).faults == [fault]


def test_clashes_are_no_fault_with_colours_given():
    """They are the objective then."""
    verdict = nrpa.Coloring(3, PATH, colors=2).check([1, 1, 1])
    assert (verdict.faults, verdict.score, verdict.figures) == ([], -2.0, {"colors": 1, "clashes": 2})
