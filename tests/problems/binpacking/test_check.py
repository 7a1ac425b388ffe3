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
