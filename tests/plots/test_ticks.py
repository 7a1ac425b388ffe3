import itertools

import pytest

from nrpa.plots.curves import decade_ticks
from nrpa.plots.picture import new_axes


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.05, 2.2, ["0.05", "0.1", "0.2", "0.5", "1", "2"]),
        (1.2, 4.4, ["2", "3", "4"]),
        (0.0001, 300, ["0.0001", "0.001", "0.01", "0.1", "1", "10", "100"]),
    ],
)
def test_labels_are_short_and_do_not_overlap(low, high, expected):
    """1, 2 and 5 of each power of ten; 1 only on a long axis; each whole multiple on a short one."""
    axes = new_axes()
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    decade_ticks(axes)
    axes.figure.canvas.draw()
    labels = axes.get_xticklabels()
    assert [label.get_text() for label in labels] == expected
    boxes = [label.get_window_extent() for label in labels]
    assert all(left.x1 < right.x0 for left, right in itertools.pairwise(boxes))
    assert axes.get_xlim() == (low, high)
