"""Arrays that know their names."""

from typing import NamedTuple

import numpy as np
import pytest

from nrpa.engine.records import OutOfBounds, guarded


class Inner(NamedTuple):
    rows: np.ndarray


class Outer(NamedTuple):
    size: int
    inner: Inner
    near: np.ndarray


@pytest.fixture
def outer():
    return guarded(Outer(3, Inner(np.zeros((2, 3), np.uint8)), np.zeros(4)), "state")


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda outer: outer.near[4], r"state.near (index 4, size 4)"),
        (lambda outer: outer.near[np.int64(-5)], r"state.near (index -5, size 4)"),
        (lambda outer: outer.near.__setitem__(9, 1.0), r"state.near (index 9, size 4)"),
        (lambda outer: outer.inner.rows[2, 0], r"state.inner.rows (index (2, 0), shape (2, 3))"),
        (lambda outer: outer.inner.rows[1][3], r"state.inner.rows (index 3, size 3)"),
    ],
)
def test_an_index_out_of_bounds_names_the_array(outer, use, said):
    """Read or written, in a nested record, in a row of an array."""
    with pytest.raises(OutOfBounds) as caught:
        use(outer)
    assert str(caught.value) == said


def test_views_write_to_the_same_memory():
    """What a kernel does to a guarded array it does to the array."""
    array = np.zeros(3)
    guarded(array, "mine")[1] = 5.0
    assert array.tolist() == [0.0, 5.0, 0.0]


def test_narrow_elements_are_computed_with_as_compiled(outer):
    """A byte of 0 less 1 is -1, as numba has it, not 255."""
    assert outer.inner.rows[0, 0] - 1 == -1
    assert outer.inner.rows[0, 0] + 300 == 300
