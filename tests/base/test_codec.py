import json
import math
from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest

from nrpa.base.codec import CannotBeSavedError, decoded, encoded

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
