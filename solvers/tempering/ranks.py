"""Which of the listed moves a changed game wants first, where the problem has no kernel ``find``.

As long as each wanted move is legal in its turn, one comparison with the listed moves finds it. The first that is not
makes a hash table of all names that are still wanted, so that a step takes time in proportion to the legal moves alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.hash_table import HashTable, find, hash_table, is_free, occupy, set_value, vacate, value_at
from nrpa.machine.jit import inlined, jit

NONE = -1


class Ranks(NamedTuple):
    """The ranks of the wanted names, by name."""

    by_move: np.ndarray  # bool[1]: whether a move is its own name; else its code is
    entered: np.ndarray  # bool[1]: whether the table is that of this changed game
    first: HashTable  # by name, the lowest rank that no move has had yet, or NONE
    slots: np.ndarray  # int64[1]: how many slots are taken
    slot: np.ndarray  # int64[steps + 1]: those, in the order in which they were taken
    following: np.ndarray  # int64[steps + 1]: by rank, the next higher rank of the same name, or NONE


def allocate_ranks(steps: int, by_move: bool = False) -> Ranks:
    """Return an empty table for the ranks of so many names."""
    slots, slot, following = np.zeros(1, np.int64), *np.zeros((2, steps + 1), np.int64)
    return Ranks(np.full(1, by_move), np.zeros(1, np.bool_), hash_table(4 * steps), slots, slot, following)


@inlined
def names_listed(ranks, moves):
    """Return the names of the listed moves, int64[moves]."""
    return moves.move if ranks.by_move[0] else moves.code


@jit
def next_listed(ranks, wanted, tried, end, listed, count):
    """Return the index of the listed move of the lowest rank, or NONE, and how many ranks have been tried in turn."""
    if not ranks.entered[0]:
        if tried == end:
            return np.int64(NONE), tried
        index = last_index(listed, count, wanted[tried])
        if index != NONE:
            return index, tried + 1
        enter_ranks(ranks, wanted, tried, end)
    return lowest(ranks, listed, count), tried


@jit
def last_index(listed, count, name):
    """Return the last index of a name among those listed, or NONE."""
    found = np.int64(NONE)
    for index in range(np.uint64(count)):
        if listed[index] == name:
            found = np.int64(index)
    return found


@jit
def enter_ranks(ranks, wanted, begin, end):
    """Make a table of the names of the ranks ``begin`` to ``end`` - 1."""
    first, slots = ranks.first, ranks.slots
    while slots[0] > 0:
        slots[0] -= 1
        vacate(first, ranks.slot[slots[0]])
    ranks.entered[0] = True
    for rank in range(end - 1, begin - 1, -1):
        slot = find(first, wanted[rank])
        if is_free(first, slot):
            occupy(first, slot, wanted[rank])
            set_value(first, slot, NONE)
            ranks.slot[slots[0]] = slot
            slots[0] += 1
        ranks.following[rank] = value_at(first, slot)
        set_value(first, slot, rank)


@jit
def lowest(ranks, listed, count):
    """Return the last index of the listed name with the lowest rank, which is then done; NONE where none is wanted."""
    index, least, slot = np.int64(NONE), np.int64(ranks.following.shape[0]), np.uint64(0)
    for each in range(np.uint64(count)):
        at = find(ranks.first, listed[each])
        if not is_free(ranks.first, at) and 0 <= value_at(ranks.first, at) <= least:
            index, least, slot = np.int64(each), value_at(ranks.first, at), at
    if index != NONE:
        set_value(ranks.first, slot, ranks.following[least])
    return index
