import pytest

import nrpa
from nrpa.base.errors import InputError
from nrpa.plots import bins


class Packed:
    """What the picture needs of a result."""

    def __init__(self, solution):
        self.solution = solution


def bars(axes):
    """Return the corners of every bar: left, bottom, right, top."""
    boxes = [path.get_extents() for path in axes.collections[0].get_paths()]
    return [tuple(float(round(side, 6)) for side in (*box.p0, *box.p1)) for box in boxes]


def test_items_are_stacked_in_their_bins():
    """Each item on those before it, in the bar of its bin, under the line of the capacity."""
    problem = nrpa.BinPacking(10, [6, 3, 5, 5, 2.5])
    problem.origin = nrpa.Origin("five")
    axes = bins(Packed([[6, 3], [5, 5], [2.5]]), problem=problem)
    assert bars(axes) == [
        (0.57, 0, 1.43, 6), (0.57, 6, 1.43, 9), (1.57, 0, 2.43, 5), (1.57, 5, 2.43, 10), (2.57, 0, 3.43, 2.5)
    ]  # fmt: skip
    assert list(axes.lines[0].get_ydata()) == [10, 10]
    assert axes.get_title() == "binpacking five: 5 items in 3 bins"


def test_many_bins_have_no_gaps():
    """Two hundred bars side by side."""
    axes = bins(Packed([[7]] * 200), problem=nrpa.BinPacking(10, [7] * 200))
    assert bars(axes)[1] == (1.5, 0, 2.5, 7)
    assert axes.get_title() == "binpacking: 200 items in 200 bins"


@pytest.mark.parametrize("packing", [[], [[]], [[6, 3]], "bins", [6, 3, 5]])
@pytest.mark.parametrize("draw", [bins, nrpa.plots.solution])
def test_what_is_no_packing_is_refused(draw, packing):
    """Whatever it is, by a sentence."""
    with pytest.raises(InputError, match="the solution cannot be drawn: "):
        draw(Packed(packing), problem=nrpa.BinPacking(10, [6, 3, 5]))


def test_an_overfull_bin_is_drawn():
    """It is not valid, but it can be seen what is wrong."""
    axes = bins(Packed([[6, 3, 5]]), problem=nrpa.BinPacking(10, [6, 3, 5]))
    assert bars(axes)[-1] == (0.57, 9, 1.43, 14)


def test_solve_draws_it():
    """The problem's own picture is the packing."""
    problem = nrpa.BinPacking(10, [6, 3, 5])
    axes = nrpa.plots.solution(Packed([[6, 3], [5]]), problem=problem)
    assert axes.get_ylabel() == "size"
