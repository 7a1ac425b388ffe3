"""Which of the listed moves a changed game wants first, where the problem has no kernel ``find``.

As long as each wanted move is legal in its turn, one comparison with the listed moves finds it. The first that is not
makes a hash table of all names that are still wanted, so that a step takes time in proportion to the legal moves alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.draws import STIR
from nrpa.machine.jit import inlined, jit

NONE = -1


class Ranks(NamedTuple):
    """The ranks of the wanted names, by name."""

    by_move: np.ndarray  # bool[1]: whether a move is its own name; else its code is
    tables: np.ndarray  # int64[1]: how many tables were made; entries of older ones count as empty
    entered: np.ndarray  # bool[1]: whether there is a table for this changed game
    table: np.ndarray  # int64[a power of two]: in which table an entry was made
    name: np.ndarray  # int64[as many]: the name
    first: np.ndarray  # int64[as many]: the lowest rank of the name that no move has had yet, or NONE
    following: np.ndarray  # int64[steps + 1]: by rank, the next higher rank of the same name, or NONE


def allocate_ranks(steps: int, by_move: bool = False) -> Ranks:
    """Return room for the ranks of so many names."""
    size = 1 << (4 * steps).bit_length()
    return Ranks(
        np.full(1, by_move),
        np.zeros(1, np.int64),
        np.zeros(1, np.bool_),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(steps + 1, np.int64),
    )


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
        enter(ranks, wanted, tried, end)
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
def enter(ranks, wanted, begin, end):
    """Make a table of the names of the ranks ``begin`` to ``end`` - 1."""
    ranks.entered[0] = True
    ranks.tables[0] += 1
    for rank in range(end - 1, begin - 1, -1):
        at = entry_of(ranks, wanted[rank])
        if ranks.table[at] == ranks.tables[0]:
            ranks.following[rank] = ranks.first[at]
        else:
            ranks.table[at] = ranks.tables[0]
            ranks.name[at] = wanted[rank]
            ranks.following[rank] = NONE
        ranks.first[at] = rank


@jit
def entry_of(ranks, name):
    """Return where the table has a name, or would have it."""
    last = np.uint64(ranks.table.shape[0] - 1)
    at = np.uint64(((name ^ (name >> 32)) * STIR) >> 32) & last
    while ranks.table[at] == ranks.tables[0] and ranks.name[at] != name:
        at = (at + np.uint64(1)) & last
    return at


@jit
def lowest(ranks, listed, count):
    """Return the last index of the listed name with the lowest rank, which is then done; NONE where none is wanted."""
    index, least = np.int64(NONE), ranks.following.shape[0]
    entry = np.uint64(0)
    for each in range(np.uint64(count)):
        at = entry_of(ranks, listed[each])
        if ranks.table[at] == ranks.tables[0] and 0 <= ranks.first[at] <= least:
            index, least, entry = np.int64(each), ranks.first[at], at
    if index != NONE:
        ranks.first[entry] = ranks.following[least]
    return index
