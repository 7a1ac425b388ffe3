"""The parts that all memories share, and how they grow."""

from typing import NamedTuple

import numpy as np

from nrpa.engine.hash_table import HashTable, find, hash_table, occupy
from nrpa.solvers.search import Capacity, common_parts, enlarged


class Grown(NamedTuple):
    row: np.ndarray
    table: HashTable
    best: tuple
    tally: tuple
    random: np.ndarray
    room: np.ndarray


def made(capacity, slots, seed=0):
    return Grown(np.zeros((2, capacity.moves)), hash_table(slots), **common_parts(capacity, seed))


def test_an_enlarged_memory_holds_what_it_held():
    """Larger arrays begin with the old content, the others are the same arrays, keys are found, the room is new."""
    small, large = Capacity(4, 3, 12), Capacity(8, 5, 40)
    memory = made(small, 4, seed=5)
    memory.row[:] = [[1, 2, 3], [4, 5, 6]]
    memory.best.move[:] = 7, 8, 9, 10
    keys = [11, 2**40, -3]
    for number, key in enumerate(keys):
        slot = find(memory.table, key)
        occupy(memory.table, slot, key)
        memory.table.word[2 * slot + 1] = number
    grown = enlarged(memory, made(large, 64))
    assert grown.row.tolist() == [[1, 2, 3, 0, 0], [4, 5, 6, 0, 0]]
    assert grown.best.move.tolist() == [7, 8, 9, 10, 0, 0, 0, 0]
    assert grown.random is memory.random
    assert grown.best.score is memory.best.score
    assert grown.room.tolist() == [8, 5, 40]
    assert (grown.table.slots, memory.table.slots) == (64, 4)
    assert [grown.table.word[2 * int(find(grown.table, key)) + 1] for key in keys] == [0, 1, 2]
