import pytest

import nrpa
from nrpa.problems.packing.rectangles import RectanglePacking

Plain = RectanglePacking.plain_class


def test_no_bin_can_be_saved():
    """Four squares above half a side need a bin each; the small ones lie beside them."""
    problem = Plain(5, 5, [(3, 3)] * 4 + [(2, 5), (5, 2)])
    result = nrpa.solve(problem, nrpa.NRPA(level=2), seed=1, playouts=50)
    assert (problem.bound(), result.bins, result.status) == (4, 4, "optimal")


@pytest.mark.parametrize(("turn", "bins"), [(True, 1), (False, 2)])
def test_turning_saves_a_bin(turn, bins):
    """Two rectangles lie side by side only if one is turned."""
    result = nrpa.solve(Plain(4, 3, [(3, 3), (3, 1)], turn=turn), nrpa.RandomSampling(), seed=1, playouts=20)
    assert result.bins == bins


def test_the_score_is_the_fill():
    """Of the same number of bins, the packing with a fuller one is better."""
    problem = Plain(2, 2, [(2, 1), (2, 1), (1, 1), (1, 1)], turn=False)
    full = problem.check([[1, 0, 0, 2, 1], [1, 0, 1, 2, 1], [2, 0, 0, 1, 1], [2, 1, 0, 1, 1]])
    even = problem.check([[1, 0, 0, 2, 1], [2, 0, 0, 2, 1], [1, 0, 1, 1, 1], [2, 1, 1, 1, 1]])
    assert full.score == -2 - (1 - (1 + 1 / 4) / 2) / 2
    assert -3 < even.score < full.score


def test_large_ones_do_not_share_a_bin():
    """The bound without turning takes each side by itself."""
    assert Plain(4, 8, [(3, 5), (3, 5)], turn=False).bound() == 2
    assert Plain(4, 8, [(3, 5), (3, 4)], turn=False).bound() == 1
