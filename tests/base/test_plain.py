import json
import math
from decimal import Decimal

import numpy as np
import pytest

from nrpa.base.plain import plain, unwritable


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
