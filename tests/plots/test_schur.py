from matplotlib.figure import Figure

from nrpa import WeakSchur
from nrpa.plots.groups import draw_parts


def test_runs_are_drawn_in_rows():
    """A bar for each run of numbers, in the row of its part."""
    axes = Figure().subplots()
    draw_parts(WeakSchur(3), [[1, 2, 4], [3], []], axes)
    boxes = [[path.get_extents().bounds for path in rows.get_paths()] for rows in axes.collections]
    assert [[(x, width) for x, _, width, _ in row] for row in boxes] == [[(0.5, 2.0), (3.5, 1.0)], [(2.5, 1.0)], []]
    assert axes.get_title() == "schur 3 parts: 4 numbers"
