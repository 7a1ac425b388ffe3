"""The independent check."""

import nrpa

PATH = [(0, 1), (1, 2)]


def test_clashes_are_no_fault_with_colours_given():
    """They are the objective then."""
    verdict = nrpa.Coloring(3, PATH, colors=2).check([1, 1, 1])
    assert (verdict.faults, verdict.score, verdict.figures) == ([], -2.0, {"colors": 1, "clashes": 2})
