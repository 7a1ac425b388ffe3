from matplotlib.figure import Figure

from nrpa import Coloring
from nrpa.plots.groups import draw_classes


def test_clashes_lie_in_the_frames():
    """Nodes are sorted by colour: a frame a colour, clashing edges in it and red."""
    axes = Figure().subplots()
    draw_classes(Coloring(4, [(0, 1), (0, 2), (2, 3)], colors=2), [1, 2, 1, 2], axes)
    edges, clashes = (sorted(zip(*line.get_data(), strict=True)) for line in axes.lines)
    assert clashes == [(0, 1), (1, 0)]
    assert edges == [(0, 2), (1, 3), (2, 0), (3, 1)]
    assert [patch.get_bbox().bounds for patch in axes.patches] == [(-0.5, -0.5, 2, 2), (1.5, 1.5, 2, 2)]
    assert axes.get_title() == "coloring: 2 colours, 1 clash"
