from matplotlib.figure import Figure

from nrpa import Snake
from nrpa.plots.groups import draw_walk


def test_an_edge_is_a_mark_in_the_row_of_its_dimension():
    """One mark an edge, in order."""
    axes = Figure().subplots()
    draw_walk(Snake(3), [0, 1, 2, 0], axes)
    marks = [segment.mean(axis=0).round(9).tolist() for segment in axes.collections[0].get_segments()]
    assert marks == [[1, 0], [2, 1], [3, 2], [4, 0]]
    assert axes.get_title() == "snake in 3 dimensions: 4 edges"
