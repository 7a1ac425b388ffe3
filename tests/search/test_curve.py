from nrpa.search.curve import Point, Recorder


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
