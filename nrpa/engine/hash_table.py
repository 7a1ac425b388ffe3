"""A hash table of 64-bit keys in one array: open addressing, linear probing.

A key is found at its slot or at the first free slot after it. With linear probing a removal in reverse order of
insertion leaves the table as it was before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.intrinsics import leading_zeros
from nrpa.engine.jit import jit

# The mark of a free slot. A key that equals it takes the place of another: a hash collision like any other.
FREE = np.int64(-(2**63))
SUBSTITUTE = np.int64(0x5DEECE66D1234567)
ONE = np.uint64(1)
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class HashTable(NamedTuple):
    """A table of S slots, S a power of two, at least 2.

    word: int64[2 S], the key of slot s at 2 s, or FREE, and its value at 2 s + 1: side by side, as they are read.
    """

    word: np.ndarray

    @property
    def slots(self) -> int:
        """The number of slots."""
        return len(self.word) // 2


def hash_table(slots: int, value: int = 0) -> HashTable:
    """Return an empty table of at least ``slots`` slots that all hold ``value``."""
    size = max(2, 2 ** (slots - 1).bit_length())
    word = np.full(2 * size, value, np.int64)
    word[::2] = FREE
    return HashTable(word)


@jit
def find(table, key):
    """Return the slot of ``key``, or the free one where it belongs, as uint64."""
    last = np.uint64(table.word.shape[0] // 2 - 1)
    wanted = SUBSTITUTE if key == FREE else key
    slot = (np.uint64(wanted) * MULTIPLIER) >> np.uint64(leading_zeros(last))
    while True:
        found = table.word[slot << ONE]
        if found == wanted or found == FREE:  # noqa: PLR1714, SIM109
            return slot
        slot = (slot + ONE) & last


@jit
def is_free(table, slot):
    """Return whether no key is in ``slot``."""
    return table.word[np.uint64(slot) << ONE] == FREE


@jit
def occupy(table, slot, key):
    """Put ``key`` into the free ``slot`` that ``find`` gave for it."""
    table.word[np.uint64(slot) << ONE] = SUBSTITUTE if key == FREE else key


@jit
def vacate(table, slot):
    """Take the key out of ``slot``; only in reverse order of ``occupy``."""
    table.word[np.uint64(slot) << ONE] = FREE
