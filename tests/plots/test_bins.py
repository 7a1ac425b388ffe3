from nrpa.plots import bins

import nrpa


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
    problem = nrpa.BinPacking(10, [6, 3, 5, 5, 2.5], label="five")
    axes = bins(Packed([[6, 3], [5, 5], [2.5]]), problem=problem)
    assert bars(axes) == [
        (0.57, 0, 1.43, 6), (0.57, 6, 1.43, 9), (1.57, 0, 2.43, 5), (1.57, 5, 2.43, 10), (2.57, 0, 3.43, 2.5)
    ]  # fmt: skip
    assert list(axes.lines[0].get_ydata()) == [10, 10]
    assert axes.get_title() == "five: 5 items in 3 bins"


def test_many_bins_have_no_gaps():
    """Two hundred bars side by side."""
    axes = bins(Packed([[7]] * 200), problem=nrpa.BinPacking(10, [7] * 200))
    assert bars(axes)[1] == (1.5, 0, 2.5, 7)
    assert axes.get_title() == "200 items in 200 bins"


def test_solve_draws_it():
    """The problem's own picture is the packing."""
    problem = nrpa.BinPacking(10, [6, 3, 5])
    axes = nrpa.plots.solution(Packed([[6, 3], [5]]), problem=problem)
    assert axes.get_ylabel() == "size"
