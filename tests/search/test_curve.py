import re
import time
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import pytest
from user_problems import Bits

import nrpa
from nrpa.base.errors import InputError
from nrpa.modelling.objective import Objective
from nrpa.search.curve import BOTTOM, LEFT, MARGIN, WIDTH, Point, Recorder, curve_svg

NAP = 0.01
FAST = nrpa.NRPA(level=2, iterations=4)


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
    """Doubled seconds are as far apart as each other; the costs fall, and the ends of both axes are labelled."""
    curve = [Point(0.1 * 2**k, 2**k, score) for k, score in enumerate((-5.0, -5.0, 0.0, 5.0))]
    picture = ElementTree.fromstring(curve_svg(curve, COST))
    path = picture.findall("path")[1].get("d")
    steps = [(float(x), float(y)) for x, y in re.findall(r"H([0-9.]+)V([0-9.]+)", path)]
    assert path.startswith(f"M{LEFT:.1f},{MARGIN:.1f}")
    assert steps[-1] == (WIDTH - MARGIN, BOTTOM)
    assert steps[1][0] - steps[0][0] == pytest.approx(steps[2][0] - steps[1][0], abs=0.2)
    assert [y for _, y in steps] == [MARGIN, (MARGIN + BOTTOM) / 2, BOTTOM]
    assert picture.find("title").text == "best cost from 5 after 0.1 s to -5 after 0.8 s"
    assert [text.text for text in picture.findall("text")] == ["5", "-5", "0.1 s", "0.8 s"]


def test_values_with_faults_are_left_out():
    """Unless there are no others."""
    cost = Objective("cost", sign=-1, penalty=1e6)
    curve = [Point(0.1 * 2**k, 2**k, score) for k, score in enumerate((-2e6, -1e6, -9.0, -8.0))]
    assert "best cost from 9 after 0.4 s to 8 after 0.8 s" in curve_svg(curve, cost)
    assert "best cost from 2000000 after 0.1 s to 1000000 after 0.2 s" in curve_svg(curve[:2], cost)


@pytest.mark.parametrize("curve", [[], [Point(0.0, 1, 3.0)], [Point(0.0, 0, 1.0), Point(0.1, 4, 2.0)]])
def test_too_few_points_make_no_picture(curve):
    """Two are needed."""
    assert curve_svg(curve, COST) == ""


def test_a_curve_that_stays_level():
    """It is drawn as a line at the top."""
    assert f"V{MARGIN:.1f}" in curve_svg([Point(0.0, 1, 3.0), Point(0.1, 4, 3.0)], COST)


class Sleeper(Bits):
    """Bits whose score takes time, but no processor."""

    def score(self, state):
        time.sleep(NAP)
        return super().score(state)


def test_whoever_reads_a_result_is_told(capsys):
    """Rows, the summary and what a notebook shows name the processor's clock."""
    result = nrpa.solve(Sleeper(), FAST, seed=1, playouts=4, clock="processor", verbose=True)
    header, row = capsys.readouterr().err.splitlines()[-2:]
    assert header.split()[:3] == ["processor", "seconds", "playouts"]
    assert len(header) == len(row)
    for shown in (result.summary(), result._repr_html_()):
        assert " s of processor time" in shown


def test_the_processor_does_not_count_sleep():
    """What a run sleeps is missing from its seconds by the processor's clock, and in them by that on the wall."""
    playouts = 16
    run = nrpa.start(Sleeper(), FAST, seed=1, clock="processor")
    begun = time.perf_counter()
    run.advance(playouts=playouts)
    gone = time.perf_counter() - begun
    result = run.result()
    assert result.clock == "processor"
    assert 0 < result.seconds <= gone - playouts * NAP
    on_the_wall = nrpa.solve(Sleeper(), FAST, seed=1, playouts=playouts)
    assert on_the_wall.clock == "wall"
    assert on_the_wall.seconds >= playouts * NAP
    assert (on_the_wall.score, on_the_wall.solution) == (result.score, result.solution)


def test_a_checkpoint_keeps_the_clock(tmp_path):
    """A resumed run has the clock that it was started with, and a result says which."""
    run = nrpa.start(nrpa.TSPTW.load("rc201.1"), FAST, seed=1, clock="processor")
    run.advance(playouts=20)
    run.save(tmp_path / "run.npz")
    again = nrpa.resume(tmp_path / "run.npz")
    assert (again.clock, again.progress.seconds) == ("processor", run.progress.seconds)
    again.advance(playouts=40)
    assert again.progress.seconds > run.progress.seconds
    result = again.result()
    assert nrpa.Result.from_json(result.to_json()).clock == "processor"
    with pytest.raises(InputError, match="one worker, and no executor"), ThreadPoolExecutor(1) as executor:
        nrpa.resume(tmp_path / "run.npz", executor=executor)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"clock": "sun"}, "clock must be one of wall, processor, not 'sun'"),
        ({"clock": []}, r"clock must be one of wall, processor, not \[\]"),
        ({"clock": "processor", "workers": 2}, "one worker, and no executor"),
    ],
)
def test_other_clocks_are_refused(given, message):
    """A clock that there is none of, and the processor's where others search as well."""
    with pytest.raises(InputError, match=message):
        nrpa.start(Bits(), FAST, seed=1, **given)
