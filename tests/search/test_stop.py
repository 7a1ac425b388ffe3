import math

import numpy as np
import pytest

import nrpa
from nrpa.search.stop import (
    AnyOf,
    NoImprovement,
    PlayoutLimit,
    Progress,
    ScoreLimit,
    SearchLimit,
    TimeLimit,
    as_criteria,
)

NOW = Progress(seconds=5.0, playouts=100, score=-50.0, improved_seconds=2.0, improved_playouts=40, searches=3)


@pytest.mark.parametrize(
    ("criterion", "applies", "seconds", "playouts"),
    [
        (TimeLimit(5.0), True, 0.0, math.inf),
        (TimeLimit(6.0), False, 1.0, math.inf),
        (PlayoutLimit(100), True, math.inf, 0),
        (PlayoutLimit(130), False, math.inf, 30),
        (SearchLimit(3), True, math.inf, math.inf),
        (SearchLimit(4), False, math.inf, math.inf),
        (ScoreLimit(-50.0), True, math.inf, math.inf),
        (ScoreLimit(-49.0), False, math.inf, math.inf),
        (NoImprovement(playouts=60), True, math.inf, 0),
        (NoImprovement(playouts=61), False, math.inf, 1),
        (NoImprovement(time=3.0), True, 0.0, math.inf),
        (NoImprovement(time=3.5, playouts=80), False, 0.5, 20),
    ],
)
def test_each_criterion(criterion, applies, seconds, playouts):
    """Whether it applies, and how much of the budget is left."""
    assert criterion.applies(NOW) is applies
    assert criterion.seconds_left(NOW) == seconds
    assert criterion.playouts_left(NOW) == playouts


def test_any_of_takes_the_first_that_applies():
    """And the least that is left of any of them."""
    several = AnyOf((TimeLimit(6.0), PlayoutLimit(100), ScoreLimit(-60.0)))
    assert several.first(NOW) == PlayoutLimit(100)
    assert several.seconds_left(NOW) == 1.0
    assert AnyOf((SearchLimit(5), SearchLimit(7))).searches_left(NOW) == 2
    assert AnyOf(()).first(NOW) is None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TimeLimit(0), "time must be a positive number, not 0"),
        (lambda: TimeLimit(math.nan), "time must"),
        (lambda: PlayoutLimit(0), "playouts must be a whole number of at least 1"),
        (lambda: PlayoutLimit(1.5), "playouts"),
        (lambda: PlayoutLimit(np.int64(0)), "playouts must be a whole number of at least 1, not 0$"),
        (lambda: SearchLimit(True), "searches must be a whole number of at least 1, not True"),
        (lambda: TimeLimit(True), "time must be a positive number, not True"),
        (lambda: ScoreLimit(math.nan), "target must be a number"),
        (NoImprovement, "no improvement needs"),
        (lambda: NoImprovement(playouts=1.5), "no improvement's playouts must be a whole number"),
        (lambda: SearchLimit(math.inf), "searches must be a whole number of at least 1, not inf"),
        (lambda: NoImprovement(time=-1), "no improvement's time"),
    ],
)
def test_criteria_out_of_range(make, message):
    """Each is refused when it is made, not when it is used."""
    with pytest.raises(nrpa.InputError, match=message):
        make()


@pytest.mark.parametrize("number", [1e6, np.float32(1e6), np.int64(10**6)])
def test_counts_may_be_whole_floats(number):
    """Those of playouts and of searches, in all criteria alike."""
    made = PlayoutLimit(number).playouts, NoImprovement(playouts=number).playouts, SearchLimit(number).searches
    assert [(each, type(each)) for each in made] == [(10**6, int)] * 3


def test_as_criteria():
    """One, several or none."""
    assert as_criteria(None) == []
    assert as_criteria(TimeLimit(1)) == [TimeLimit(1)]
    assert as_criteria([TimeLimit(1), PlayoutLimit(2)]) == [TimeLimit(1), PlayoutLimit(2)]


def test_numbers_of_numpy():
    """Taken like Python's, and kept as Python's."""
    assert type(PlayoutLimit(np.int32(5)).playouts) is int
    assert type(SearchLimit(np.uint8(5)).searches) is int
    assert type(TimeLimit(np.float32(0.5)).time) is float
    patience = NoImprovement(playouts=np.int64(5), time=np.float64(2))
    assert (type(patience.playouts), type(patience.time)) == (int, float)


@pytest.mark.parametrize("stop", [5, "abc", [nrpa.TimeLimit(1), None]])
def test_what_is_no_criterion(stop):
    """Refused in a sentence."""
    with pytest.raises(nrpa.InputError, match=r"stop must be criteria such as nrpa.TimeLimit\(5\), not"):
        as_criteria(stop)
