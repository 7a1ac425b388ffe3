import nrpa
from nrpa.plots.layouts import APART, draw_layout
from nrpa.plots.picture import new_axes
from nrpa.problems.packing.rectangles import RectanglePacking
from nrpa.problems.packing.strip import StripPacking


def drawn(problem, solution):
    """Return the corner and the size of each patch."""
    axes = new_axes()
    draw_layout(problem, solution, axes)
    return [(*patch.get_xy(), patch.get_width(), patch.get_height()) for patch in axes.patches]


def test_a_strip_is_drawn_as_it_lies():
    """Each rectangle, and the strip as high as it is filled."""
    rows = [[0, 0, 2, 3], [2, 0, 1, 4]]
    assert drawn(StripPacking.plain_class(3, [(2, 3), (1, 4)]), rows) == [(0, 0, 2, 3), (2, 0, 1, 4), (0, 0, 3, 4)]


def test_bins_are_drawn_in_rows():
    """The second bin is beside the first, the third below."""
    problem = RectanglePacking.plain_class(10, 10, [(10, 9)] * 3)
    patches = drawn(problem, [[k, 0, 0, 10, 9] for k in (1, 2, 3)])
    assert patches[:3] == [(0, 0, 10, 9), (APART * 10, 0, 10, 9), (0, -APART * 10, 10, 9)]
    assert len(patches) == 6
    assert len(nrpa.plots.panels.panels_of(problem)) == 1
