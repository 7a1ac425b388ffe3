"""Permutation statistics of MCPS: playouts from the root that contain a move and all moves of a path, in any order.

There is a bit row for each code and a bit for each playout. The playouts that contain a path are the AND of the rows of
its codes; how many of them contain a move is a count of bits. A node remembers what has been counted and goes on from
the last playout.

References
----------
T. Cazenave, *Monte Carlo Permutation Search*, 2025: sections 2.1 and 3.4.
"""

from __future__ import annotations

import numpy as np

from nrpa.engine.random import mixed
from nrpa.machine.jit import jit, popcount, trailing_zeros
from nrpa.solvers.tree.memory import MOVER_BITS, SEGMENT, WORDS

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE = np.uint64(1)


@jit
def write_bits(bits, log, count, highest, playout):
    """Set the bits of a playout that is in the log."""
    players = log.rewards.shape[1]
    column, place = playout // SEGMENT, playout % SEGMENT
    word, bit = place >> 6, ONE << np.uint64(place & 63)
    if place == 0:
        for player in range(players):
            for w in range(WORDS):
                bits.won[column, player, w] = np.uint64(0)
    first = log.playouts[playout]["first"]
    for i in range(first, first + log.playouts[playout]["entries"]):
        code = np.int64(log.entries[i]) >> MOVER_BITS
        segment = np.int64(bits.segments[code, column])
        if segment == 0:
            segment = count["segments"]
            if segment >= bits.words.shape[0]:
                count["full"] = 1
                continue
            count["segments"] += 1
            bits.segments[code, column] = segment
            for w in range(WORDS):
                bits.words[segment, w] = np.uint64(0)
        bits.words[segment, word] |= bit
    for player in range(players):
        if log.rewards[playout, player] == highest:
            bits.won[column, player, word] |= bit


@jit
def count_permutations(memory, node, steps, start, depth, mask):
    """Count the playouts since the last time that contain the path to a node, move by move of the node.

    The path are the ``steps`` from ``start`` to ``depth`` - 1.
    """
    bits, permuted, playouts = memory.bits, memory.permuted, memory.count[0]["playouts"]
    begin, end = node["first"], node["first"] + node["count"]
    fingerprint = np.int64(0)
    for step in range(start, depth):
        fingerprint += np.int64(mixed(np.uint64(steps[step]["code"] + 1)))
    if node["path"] != fingerprint:
        node["path"] = fingerprint
        node["counted"] = 0
        for edge in range(begin, end):
            permuted[edge]["tried"] = permuted[edge]["sum"] = 0.0
    counted = node["counted"]
    node["counted"] = playouts
    while counted < playouts:
        column = counted // SEGMENT
        until = min(playouts, (column + 1) * SEGMENT)
        here, last = (counted % SEGMENT) >> 6, ((until - 1) % SEGMENT) >> 6
        if narrowed(bits, steps, start, depth, mask, column, here, last):
            mask[here] &= ALL << np.uint64(counted & 63)
            if until & 63:
                mask[last] &= (ONE << np.uint64(until & 63)) - ONE
            if memory.count[0]["many_values"] == 0:
                add_wins(memory, node, mask, column, here, last)
            else:
                add_rewards(memory, node, mask, column, here, last)
        counted = until


@jit
def narrowed(bits, steps, start, depth, mask, column, here, last):
    """Write which playouts of a segment contain all codes of a path to ``mask``; return whether any does."""
    for w in range(here, last + 1):
        mask[w] = ALL
    for step in range(start, depth):
        code = steps[step]["code"]
        segment = bits.segments[code, column] if code >= 0 else 0
        if segment == 0:
            return False
        any_bit = np.uint64(0)
        for w in range(here, last + 1):
            mask[w] &= bits.words[segment, w]
            any_bit |= mask[w]
        if any_bit == np.uint64(0):
            return False
    return True


@jit
def add_wins(memory, node, mask, column, here, last):
    """Add the playouts in ``mask``, and those of them that the mover won, to each edge, by counting bits."""
    bits, permuted, mover = memory.bits, memory.permuted, node["mover"]
    low, high = memory.extremes[0]["low"], memory.extremes[0]["high"]
    for edge in range(node["first"], node["first"] + node["count"]):
        code = memory.edges[edge]["code"]
        segment = bits.segments[code, column] if code >= 0 else 0
        if segment > 0:
            n = 0
            wins = 0
            for w in range(here, last + 1):
                both = bits.words[segment, w] & mask[w]
                n += popcount(both)
                wins += popcount(both & bits.won[column, mover, w])
            permuted[edge]["tried"] += n
            permuted[edge]["sum"] += low * n + (high - low) * wins


@jit
def add_rewards(memory, node, mask, column, here, last):
    """Add the rewards of the playouts in ``mask`` one by one, as more than two values ask for."""
    bits, permuted, rewards, mover = memory.bits, memory.permuted, memory.log.rewards, node["mover"]
    for w in range(here, last + 1):
        word = mask[w]
        while word != np.uint64(0):
            bit = trailing_zeros(word)
            word &= word - ONE
            gained = rewards[column * SEGMENT + w * 64 + bit, mover]
            for edge in range(node["first"], node["first"] + node["count"]):
                code = memory.edges[edge]["code"]
                segment = bits.segments[code, column] if code >= 0 else 0
                if segment > 0 and (bits.words[segment, w] >> np.uint64(bit)) & ONE:
                    permuted[edge]["tried"] += 1.0
                    permuted[edge]["sum"] += gained
