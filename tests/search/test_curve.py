import re
from xml.etree import ElementTree

import pytest

from nrpa.modelling.objective import Objective
from nrpa.search.curve import HEIGHT, MARGIN, WIDTH, Point, Recorder, curve_svg


def test_marks_hold_what_was_true_at_the_mark():
    """A time mark has the best of the last slice that ended before it; a playout mark is exact."""
    recorder = Recorder()
    recorder.record(Point(0.004, 1, -9.0))
    recorder.record(Point(0.009, 2, -7.0))
    recorder.record(Point(0.025, 4, -7.0))
    recorder.record(Point(0.050, 7, -3.0))
    assert recorder.curve == [
        Point(0.004, 1, -9.0),
        Point(0.009, 2, -7.0),
        Point(0.01, 2, -7.0),
        Point(0.02, 2, -7.0),
        Point(0.025, 4, -7.0),
        Point(0.04, 4, -7.0),
    ]
    assert recorder.improvements == [Point(0.004, 1, -9.0), Point(0.009, 2, -7.0), Point(0.050, 7, -3.0)]


def test_marks_before_the_first_playout_are_left_out():
    """Where there is no score there is no point."""
    recorder = Recorder()
    recorder.record(Point(0.5, 1, -1.0))
    assert recorder.curve == [Point(0.5, 1, -1.0)]
    assert recorder.next_seconds == 0.64


def test_marks_are_told_ahead():
    """So that a slice can end on them."""
    recorder = Recorder()
    assert (recorder.next_seconds, recorder.next_playouts) == (0.01, 1)
    recorder.record(Point(0.012, 1, 0.0))
    assert (recorder.next_seconds, recorder.next_playouts) == (0.02, 2)


COST = Objective("cost", sign=-1)


def test_a_step_for_each_point():
    """Powers of two are as far apart as each other; the best is at the top, the first at the left."""
    curve = [Point(0.1 * k, 2**k, score) for k, score in enumerate((-5.0, -5.0, 0.0, 5.0))]
    picture = ElementTree.fromstring(curve_svg(curve, COST))
    path = picture.find("path").get("d")
    steps = [(float(x), float(y)) for x, y in re.findall(r"H([0-9.]+)V([0-9.]+)", path)]
    assert path.startswith(f"M{MARGIN:.1f},{HEIGHT - MARGIN:.1f}")
    assert steps[-1] == (WIDTH - MARGIN, MARGIN)
    assert steps[1][0] - steps[0][0] == pytest.approx(steps[2][0] - steps[1][0], abs=0.2)
    assert [y for _, y in steps] == [HEIGHT - MARGIN, HEIGHT / 2, MARGIN]
    assert picture.find("title").text == "best cost from 5 after 1 playouts to -5 after 8"


@pytest.mark.parametrize("curve", [[], [Point(0.0, 1, 3.0)], [Point(0.0, 0, 1.0), Point(0.1, 4, 2.0)]])
def test_too_few_points_make_no_picture(curve):
    """Two are needed."""
    assert curve_svg(curve, COST) == ""


def test_a_curve_that_stays_level():
    """It is drawn as a line at the bottom."""
    assert f"V{HEIGHT - MARGIN:.1f}" in curve_svg([Point(0.0, 1, 3.0), Point(0.1, 4, 3.0)], COST)
