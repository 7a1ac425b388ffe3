import pytest

import nrpa
from nrpa.base.errors import InputError

pytest.importorskip("RNA")

from nrpa.plots import arcs
from nrpa.problems.fold.problem import Folding
from nrpa.problems.rna.problem import InverseFolding


class Found:
    """What the picture needs of a result."""

    def __init__(self, solution):
        self.solution = solution


def drawn(axes):
    """Return the arcs: first and last position, and whether they lie above the sequence."""
    return sorted(
        (arc.center[0] - arc.width / 2, arc.center[0] + arc.width / 2, arc.theta1 == 0) for arc in axes.patches
    )


def dashes(axes):
    """Return for each middle of arcs whether the lines around it are dashed."""
    found = {}
    for arc in axes.patches:
        dashed = arc.get_linestyle() not in ("-", "solid")
        found.setdefault(arc.center[0], set()).add(dashed)
    return found


def test_a_design_that_misses_its_target():
    """What it folds into is above, the pairs of the target that it lacks are below."""
    problem = InverseFolding("((((....))))")
    sequence = "AGGGAAAACCCA"
    structure = problem.check(sequence).figures["structure"]
    assert structure == ".(((....)))."
    axes = arcs(Found(sequence), problem=problem)
    assert drawn(axes) == [(1, 12, False), (2, 11, True), (3, 10, True), (4, 9, True)]
    assert [text.get_text() for text in axes.texts] == list(sequence)
    assert axes.get_title() == "rna ((((....)))): distance 1 from the target"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["in both", "in the target only"]


def test_pairs_that_cross_are_told_apart():
    """Round brackets make solid arcs, square ones dashed arcs; with pseudoknots there is no optimum beside them."""
    problem = Folding("GGGGGAAAAACCCCCAAAAACCCCCAAAAAGGGGG", pseudoknots=True)
    structure = "(((((.....[[[[[.....))))).....]]]]]"
    axes = arcs(Found(structure), problem=problem)
    assert drawn(axes) == sorted([(k, 26 - k, True) for k in range(1, 6)] + [(k, 46 - k, True) for k in range(11, 16)])
    assert dashes(axes) == {13: {False}, 23: {True}}


def test_a_structure_beside_the_optimum():
    """The helix of the optimum that the structure lacks is below the line."""
    problem = Folding("GGGGAAAACCCC")
    axes = arcs(Found("." * 12), problem=problem)
    assert drawn(axes) == [(k, 13 - k, False) for k in range(1, 5)]
    assert axes.get_title() == "fold GGGGAAAACCCC: 0.00 kcal/mol"


@pytest.mark.parametrize(
    ("problem", "solution"),
    [
        (InverseFolding("((((....))))"), "AGGG"),
        (InverseFolding("((((....))))"), "XGGGAAAACCCA"),
        (InverseFolding("((((....))))"), 7),
        (Folding("GGGGAAAACCCC"), "(((......))"),
        (Folding("GGGGAAAACCCC"), "((((....)))."),
    ],
)
def test_what_is_no_structure_is_refused(problem, solution):
    """A sequence or structure of another length, other letters, unbalanced brackets."""
    with pytest.raises(InputError, match="the solution cannot be drawn: "):
        arcs(Found(solution), problem=problem)


def test_another_problem_has_no_arcs():
    """Not even if it has a picture of its own."""
    with pytest.raises(InputError, match="arcs are drawn of RNA structures, not of binpacking"):
        arcs(Found([[6, 3], [5]]), problem=nrpa.BinPacking(10, [6, 3, 5]))
