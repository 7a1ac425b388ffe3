"""A hash table of 64-bit keys in one array, with open addressing and linear probing.

A key is at its own slot, or at the first free slot after it. When keys are removed in the reverse order of their
insertion, the table is again as it was before.

References
----------
D. E. Knuth, *The Art of Computer Programming*, volume 3, section 6.4: multiplicative hashing and Algorithm L.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.random import GOLDEN
from nrpa.machine.jit import jit, leading_zeros, load

# The mark of a free slot. A key that equals it takes the place of another: a hash collision like any other.
FREE = np.int64(-(2**63))
SUBSTITUTE = np.int64(0x5DEECE66D1234567)
ONE = np.uint64(1)
STIR = GOLDEN.view(np.int64)


class HashTable(NamedTuple):
    """A table of S slots, where S is a power of two, at least 2."""

    # int64[2 S]: at 2 s the key of slot s, or FREE; at 2 s + 1 its value: side by side, as they are read together
    word: np.ndarray

    @property
    def slots(self) -> int:
        """The number of slots."""
        return len(self.word) // 2


def hash_table(slots: int, value: int = 0) -> HashTable:
    """Return an empty table of at least so many slots.

    >>> table = hash_table(5)
    >>> table.slots
    8
    >>> slot = find(table, 42)
    >>> is_free(table, slot)
    True
    >>> occupy(table, slot, 42)
    >>> is_free(table, find(table, 42))
    False
    """
    word = np.full(2 * table_size(slots), value, np.int64)
    word[::2] = FREE
    return HashTable(word)


def table_size(slots: int) -> int:
    """Return the number of slots of a table of at least so many."""
    return max(2, 1 << (slots - 1).bit_length())


@jit
def home_slot(key, slots):
    """Return the slot (uint64) of a key (int64) in an empty table of so many slots, a power of two, at least 2."""
    return (np.uint64(key) * GOLDEN) >> np.uint64(leading_zeros(np.uint64(slots - 1)))


@jit
def shared_entry(key, entries):
    """Return the entry of a key (int64) in a table of so many entries, a power of two, in which keys may share one."""
    return (((key ^ (key >> 32)) * STIR) >> 32) & (entries - 1)


@jit
def find(table, key):
    """Return the slot (uint64) of a key (int64), or the free one where it belongs; at least one slot must be free."""
    slots = table.word.shape[0] // 2
    last = np.uint64(slots - 1)
    wanted = SUBSTITUTE if key == FREE else key
    slot = home_slot(wanted, slots)
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
def value_at(table, slot):
    """Return the value of a slot."""
    return table.word[(np.uint64(slot) << ONE) + ONE]


@jit
def set_value(table, slot, value):
    """Set the value of a slot."""
    table.word[(np.uint64(slot) << ONE) + ONE] = value


@jit
def occupy(table, slot, key):
    """Put a key into a free slot."""
    table.word[np.uint64(slot) << ONE] = SUBSTITUTE if key == FREE else key


@jit
def vacate(table, slot):
    """Take the key out of ``slot``. Keys must be taken out in the reverse order of ``occupy``."""
    table.word[np.uint64(slot) << ONE] = FREE


def rehashed(table: HashTable, larger: HashTable) -> HashTable:
    """Return a larger table, which is empty, with the keys and values of a table."""
    load(_put_all, HashTable, [], (table, larger))(table, larger)
    return larger


def _put_all(table, larger):
    for slot in range(table.word.shape[0] // 2):
        key = table.word[2 * slot]
        if key != FREE:
            target = find(larger, key)
            larger.word[target << ONE] = key
            larger.word[(target << ONE) + ONE] = table.word[2 * slot + 1]
