from types import SimpleNamespace

import pytest

from nrpa.plots.panels import draw_text
from nrpa.plots.picture import new_axes, new_figure


def drawn(text, axes=None):
    axes = new_axes() if axes is None else axes
    draw_text(SimpleNamespace(draw=lambda solution: text, label="a"), [], axes)
    axes.figure.canvas.draw()
    (written,) = axes.texts
    return written, written.get_window_extent(), axes.figure.bbox


@pytest.mark.parametrize(("lines", "width"), [(1, 1), (32, 1), (32, 70), (100, 70), (400, 1), (1, 400), (32, 400)])
def test_all_of_a_drawing_is_in_the_picture(lines, width):
    """However long or wide: smaller, then broken, and the figure taller."""
    text = "\n".join(["x" * width] * lines)
    for axes in (new_axes(), new_figure(2).axes[1]):
        written, extent, figure = drawn(text, axes)
        assert written.get_text().count("x") == lines * width
        assert extent.y0 >= 0
        assert extent.x1 <= figure.x1 + 1
        assert written.get_fontsize() >= 6


def test_lines_that_fit_stay_as_they_are():
    """With their blanks, at the usual size."""
    written, _, _ = drawn("a  b\n  c")
    assert (written.get_text(), written.get_fontsize()) == ("a  b\n  c", 10)


def test_of_very_many_lines_the_number_of_the_rest():
    """No picture is taller than can be looked at."""
    written, extent, _ = drawn("x\n" * 2000)
    assert written.get_text().endswith("x\n... 1,501 more lines")
    assert extent.y0 >= 0
