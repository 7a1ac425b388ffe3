from decimal import Decimal

import pytest

from nrpa.problems.binpacking.check import check_packing

SIZES = [Decimal(size) for size in (6, 4, 4, 3)]


def check(bins):
    return check_packing(Decimal(10), SIZES, bins)


def test_a_good_packing():
    """The bins are counted, the tie-break is half of what the mean squared fill lacks."""
    verdict = check([[6, 4], [4, 3]])
    assert verdict.valid
    assert verdict.figures == {"bins": 2}
    assert verdict.score == pytest.approx(-2 - (1 - (1 + 0.49) / 2) / 2)


def test_fractions_are_added_exactly():
    """Ten tenths fill a bin of 1, no more."""
    verdict = check_packing(Decimal(1), [Decimal("0.1")] * 10, [[0.1] * 10])
    assert verdict.valid
    assert verdict.score == -1


@pytest.mark.parametrize(
    ("bins", "fault"),
    [
        ([[6, 4, 4], [3]], "bin 1 holds 14, more than 10"),
        ([[6, 4], [4, 3], []], "bin 3 is empty"),
    ],
)
def test_bad_bins_are_named(bins, fault):
    """A bin that is too full or empty is named; the items are all there, so there is a score."""
    verdict = check(bins)
    assert verdict.faults == [fault]
    assert verdict.score is not None


@pytest.mark.parametrize(
    ("bins", "fault"),
    [
        ([[6, 4], [3]], "1 item of size 4 is missing"),
        ([[6, 4], [4, 3], [3]], "1 item of size 3 is too many"),
        ([[6, 4], [4, 2]], "1 item of size 3 is missing"),
        ([[6], [3]], "2 items of size 4 are missing"),
        ([[6, "4"]], "bin 1 holds '4', which is not a size"),
        ([[6, True]], "bin 1 holds True, which is not a size"),
        ([6, 4], "bin 1 is no list of sizes: 6"),
        ({"a": 1}, "a packing is a list of bins, not dict"),
        ([[6, float("nan")], [4, 4, 3]], "1 item of size NaN is too many"),
    ],
)
def test_what_is_no_packing(bins, fault):
    """Items that are not the instance's are named, and there are no figures."""
    verdict = check(bins)
    assert fault in verdict.faults
    assert verdict.figures == {}
    assert verdict.score is None
