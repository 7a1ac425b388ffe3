from decimal import Decimal

import pytest

from nrpa.base.numerals import decimal_of, number_of, whole_of


def test_numbers_as_they_are_written():
    """Whole ones, floats and exact decimals."""
    assert (whole_of("-12"), whole_of("+0"), whole_of("0012")) == (-12, 0, 12)
    assert (number_of("1"), number_of("-.5"), number_of("2."), number_of("1e-3")) == (1.0, -0.5, 2.0, 0.001)
    assert (decimal_of("0.10"), decimal_of("1E3"), decimal_of("0")) == (Decimal("0.10"), Decimal(1000), Decimal(0))


@pytest.mark.parametrize(
    "text", ["", " 1", "1 ", "\u0661", "1\u0661", "1_0", "²", "x", "0x1", "nan", "inf", "Infinity"]
)
def test_no_numbers(text):
    """Blanks, underscores, digits of other scripts and what is not finite."""
    assert whole_of(text) is number_of(text) is decimal_of(text) is None


def test_numbers_out_of_range():
    """Are none: whoever asks says so, with file and line."""
    assert whole_of("1" * 19) is None
    assert whole_of("1" * 19, 19) == int("1" * 19)
    assert whole_of("1.0") is None
    assert number_of("1e400") is None
    assert number_of("1e-400") == 0.0
    assert decimal_of("1e31") is decimal_of("1e-31") is decimal_of("1e-3200300") is decimal_of("1" * 29) is None
