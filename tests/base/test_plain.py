import json
import math
import sys
from decimal import Decimal
from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest

from nrpa.base.errors import InputError
from nrpa.base.plain import CannotBeSavedError, data_frame, decoded, encoded, plain, unwritable


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


THINGS = [
    None,
    True,
    0,
    -(2**63),
    2**63,
    10**400,
    0.1,
    -0.0,
    math.inf,
    -math.inf,
    "",
    "é\ud800",
    b"\x00\xff",
    (),
    (1,),
    ((1, "a"), (True, (2.5, None))),
    frozenset({1, "b", (3, 4)}),
    np.int64(5),
    np.uint8(255),
    np.float32(0.1),
    np.float64(-2.5),
    np.bool_(True),
    (np.int64(1), 1),
]


def types_of(thing):
    inner = [types_of(part) for part in thing] if isinstance(thing, tuple) else []
    return type(thing), inner


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
def test_a_thing_comes_back_as_it_was(thing):
    """Through JSON text: equal, and of the same types, those of its parts included."""
    again = decoded(json.loads(json.dumps(encoded(thing), allow_nan=False)))
    assert again == thing
    assert types_of(again) == types_of(thing)
    assert repr(again) == repr(thing) or isinstance(thing, frozenset)


class Place(NamedTuple):
    x: int


class Colour(Enum):
    RED = 1


class Word(str):
    pass


@pytest.mark.parametrize(
    "thing", [Place(1), Colour.RED, Word("a"), math.nan, np.float64("nan"), object(), range(3), 1j]
)
def test_a_thing_that_would_not_come_back_is_refused(thing):
    """By itself and inside a tuple; the message shows it with its type."""
    for held in (thing, (1, (thing,))):
        with pytest.raises(CannotBeSavedError, match=type(thing).__name__):
            encoded(held)


@pytest.mark.parametrize(
    "value", [[], [1], {}, {"tuple": 1}, {"x": []}, {"tuple": [], "int": "1"}, {"int": "x"}, {"int5": {"tuple": []}}]
)
def test_other_json_is_refused(value):
    """Nothing but what ``encoded`` writes is read."""
    with pytest.raises((ValueError, TypeError)):
        decoded(value)


def test_columns_become_a_table():
    """In their order."""
    pytest.importorskip("pandas")
    frame = data_frame({"b": [1, 2], "a": ["x", "y"]})
    assert list(frame.columns) == ["b", "a"]
    assert frame["a"].tolist() == ["x", "y"]


def test_without_pandas_a_sentence_says_so(monkeypatch):
    """It is no dependency."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="needs pandas, which is not installed: pip install pandas"):
        data_frame({"a": [1]})
