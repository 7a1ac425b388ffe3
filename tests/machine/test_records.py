"""Records as whole numbers, by their addresses, beside the same records by value."""

from typing import NamedTuple

import numpy as np
import pytest
from numba import typeof
from numba.core.errors import TypingError

from nrpa.machine.jit import entry_point
from nrpa.machine.records import AtAddress, is_written, record_at, written


class Parts(NamedTuple):
    whole: int
    number: float
    flag: bool
    small: np.int32
    word: np.uint64
    inner: tuple


PARTS = Parts(
    -7, 2.5, True, np.int32(9), np.uint64(2**63 + 5), (np.arange(6.0).reshape(2, 3), np.arange(12, dtype=np.uint8)[::3])
)


def total(address):
    parts = record(address)
    table, steps = parts.inner
    sizes = table.shape[0] * 10 + table.shape[1] + 100 * steps.shape[0]
    sizes += parts.word - np.uint64(2**63)
    return parts.whole + parts.number + parts.flag + parts.small + table.sum() + steps.sum() + sizes


record = record_at(typeof(PARTS))


def test_a_record_is_read_as_it_was_written():
    """Numbers of several types, and arrays in a record inside it, one of them with strides."""
    words = written(PARTS)
    entry = entry_point(total, Parts, [])
    assert entry(words.ctypes.data) == -7 + 2.5 + 1 + 9 + 15 + (0 + 3 + 6 + 9) + 23 + 400 + 5


@pytest.mark.parametrize("value", ["letters", 1j, None, (1, ("a",))], ids=str)
def test_what_no_whole_numbers_stand_for_is_not_written(value):
    """A problem that has such values in its records is compiled together with each search."""
    assert not is_written(typeof(value))


class Inner(NamedTuple):
    flag: bool
    sums: np.ndarray


class Outer(NamedTuple):
    first: np.ndarray
    nothing: None
    inner: Inner
    several: tuple
    share: float
    last: np.ndarray


def outer():
    first, several = np.arange(6, dtype=np.int32)[::2], (np.ones((2, 2)), np.zeros(1, [("count", np.int64)]))
    return Outer(first, None, Inner(True, np.array([2.0, 4.0])), several, 0.25, np.arange(3.0))


def counted(of):
    """Read all of a record, and write to two of its arrays."""
    inner = of.inner
    inner.sums[1] += of.share
    of.several[1][0]["count"] += len(of.last)
    known = 100.0 if of.nothing is None else 0.0
    return of.first.sum() + of.several[0].sum() + (inner.sums[1] if inner.flag else 0.0) + of.last[2] + known


def lacking(of):
    return of.middle


def test_a_record_by_its_address_is_the_record():
    """With records and tuples in it, strides, None, and arrays that are written to."""
    mine, other = outer(), outer()
    assert entry_point(counted, Outer, [])(AtAddress(mine)) == counted(other) == 6 + 4 + 4.25 + 2 + 100
    assert (mine.inner.sums == other.inner.sums).all()
    assert mine.several[1]["count"] == other.several[1]["count"] == 3


def test_a_field_that_a_record_lacks_is_refused():
    """When it is compiled."""
    with pytest.raises(TypingError, match="Unknown attribute 'middle'"):
        entry_point(lacking, Outer, [])(AtAddress(outer()))
