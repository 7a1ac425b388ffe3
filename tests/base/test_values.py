import json
import math
from decimal import Decimal

import numpy as np
import pytest

from nrpa.base.values import decimal_of, listed, number_of, plain, unwritable, whole_of


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


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (np.int8(-3), -3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.arange(4).reshape(2, 2), [[0, 1], [2, 3]]),
        ((1, [2.5, ("x",)]), [1, [2.5, ["x"]]]),
        ({np.int64(1): {3, 1}, "a": {}}, {"1": [1, 3], "a": {}}),
    ],
)
def test_what_json_can_hold(value, expected):
    """NumPy's numbers and arrays, tuples and sets as numbers and lists."""
    found = plain(value)
    assert found == expected
    assert type(found) is type(expected)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert unwritable(value) == ""


@pytest.mark.parametrize(
    ("value", "what", "expected"),
    [
        (math.nan, "nan (float)", "nan"),
        ([1, np.float64(-math.inf)], "-inf (float)", [1, "-inf"]),
        (np.array([1.0, math.inf]), "inf (float)", [1.0, "inf"]),
        ({"a": [Decimal("1.5")]}, "Decimal('1.5') (Decimal)", {"a": ["Decimal('1.5')"]}),
        (b"x" * 100, f"b'{'x' * 57}… (bytes)", repr(b"x" * 100)),
        (1j, "1j (complex)", "1j"),
    ],
)
def test_what_json_cannot_hold(value, what, expected):
    """It is named, and becomes text."""
    assert unwritable(value) == what
    assert plain(value) == expected
    json.dumps(plain(value), allow_nan=False)


def test_lists_in_lists_end_somewhere():
    """As deep as no solution is, so that a text of brackets ends no check."""
    deep = nested = ()
    for _ in range(20_000):
        nested = (nested,)
    found = listed(nested)
    for _ in range(8):
        assert isinstance(found, list)
        found = found[0]
    assert isinstance(found, tuple)
    assert listed(deep) == []
