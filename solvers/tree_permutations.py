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

from nrpa.engine.intrinsics import popcount, trailing_zeros
from nrpa.engine.jit import jit
from nrpa.solvers.tree_memory import (
    COUNT,
    COUNTED,
    FIRST,
    FULL,
    MANY_VALUES,
    MOVER,
    PLAYOUTS,
    SEGMENT,
    SEGMENTS,
    WORDS,
)

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE = np.uint64(1)
MIX = np.uint64(0xBF58476D1CE4E5B9)


@jit
def mixed(code):
    """Return 64 bits that look random but follow from ``code``, for a fingerprint of a set of codes."""
    x = np.uint64(code + 1) * MIX
    x ^= x >> np.uint64(29)
    x *= np.uint64(0x94D049BB133111EB)
    return np.int64(x ^ (x >> np.uint64(32)))


@jit
def write_bits(memory, settings, playout):
    """Set the bits of a playout that is in the log.

    Parameters
    ----------
    memory : Memory
        The search; there is room for a segment for each code of the playout, unless memory is full for good.
    settings : Settings
        The options.
    playout : int
        The playout.
    """
    rows, log, count = memory.rows, memory.log, memory.count
    column, bit = playout // SEGMENT, playout % SEGMENT
    word, mask = bit >> 6, ONE << np.uint64(bit & 63)
    if bit == 0:
        for player in range(settings.players):
            for w in range(WORDS):
                rows.won[column, player, w] = np.uint64(0)
    first = log.playout[playout, 0]
    for i in range(first, first + log.playout[playout, 1]):
        code = np.int64(log.entry[i]) // settings.players
        segment = np.int64(rows.segment[code, column])
        if segment == 0:
            segment = count[SEGMENTS]
            if segment >= rows.word.shape[0]:
                count[FULL] = 1
                continue
            count[SEGMENTS] += 1
            rows.segment[code, column] = segment
            for w in range(WORDS):
                rows.word[segment, w] = np.uint64(0)
        rows.word[segment, word] |= mask
    for player in range(settings.players):
        if log.reward[playout, player] == memory.extremes[1]:
            rows.won[column, player, word] |= mask


@jit
def count_permutations(memory, work, node, first, depth):
    """Count the playouts since the last time that contain the path to a node, move by move of the node.

    Parameters
    ----------
    memory : Memory
        The search.
    work : Work
        The work areas: the codes of the path are in ``code``; ``mask`` changes.
    node : int
        The node. If it was reached by other codes before, all playouts are counted anew.
    first, depth : int
        The first step of the path, and the step of the node.
    """
    edges, rows, log, whole = memory.edges, memory.rows, memory.log, memory.nodes.whole
    playouts = memory.count[PLAYOUTS]
    begin, end = whole[node, FIRST], whole[node, FIRST] + whole[node, COUNT]
    path = np.int64(0)
    for step in range(first, depth):
        path += mixed(work.code[step])
    if memory.nodes.path[node] != path:
        memory.nodes.path[node] = path
        whole[node, COUNTED] = 0
        for edge in range(begin, end):
            edges.permuted[edge, 0] = 0.0
            edges.permuted[edge, 1] = 0.0
    counted = whole[node, COUNTED]
    whole[node, COUNTED] = playouts
    mover = whole[node, MOVER]
    two_values = memory.count[MANY_VALUES] == 0
    low = memory.extremes[0]
    gain = memory.extremes[1] - low
    mask, won = work.mask[0], work.mask[1]
    while counted < playouts:
        column = counted // SEGMENT
        until = min(playouts, (column + 1) * SEGMENT)
        here, last = (counted % SEGMENT) >> 6, ((until - 1) % SEGMENT) >> 6
        if narrowed(rows, work, first, depth, column, here, last):
            mask[here] &= ALL << np.uint64(counted & 63)
            if until & 63:
                mask[last] &= (ONE << np.uint64(until & 63)) - ONE
            if two_values:
                for w in range(here, last + 1):
                    won[w] = mask[w] & rows.won[column, mover, w]
                for edge in range(begin, end):
                    code = edges.code[edge]
                    segment = rows.segment[code, column] if code >= 0 else 0
                    if segment > 0:
                        n, wins = count_bits(rows.word[segment], mask, won, here, last + 1)
                        edges.permuted[edge, 0] += n
                        edges.permuted[edge, 1] += low * n + gain * wins
            else:
                add_rewards(memory, mask, column, here, last, begin, end, mover)
        counted = until


@jit
def narrowed(rows, work, first, depth, column, here, last):
    """Write which playouts of a segment contain all codes of the path to ``work.mask``; return whether any does."""
    mask = work.mask[0]
    for w in range(here, last + 1):
        mask[w] = ALL
    for step in range(first, depth):
        code = work.code[step]
        segment = rows.segment[code, column] if code >= 0 else 0
        if segment == 0:
            return False
        any_bit = np.uint64(0)
        for w in range(here, last + 1):
            mask[w] &= rows.word[segment, w]
            any_bit |= mask[w]
        if any_bit == np.uint64(0):
            return False
    return True


@jit
def count_bits(row, mask, won, here, end):
    """Return how many bits two masks have in common with a row, from word ``here`` to word ``end`` - 1."""
    n = 0
    wins = 0
    for w in range(here, end):
        n += popcount(row[w] & mask[w])
        wins += popcount(row[w] & won[w])
    return n, wins


@jit
def add_rewards(memory, mask, column, here, last, begin, end, mover):
    """Add the rewards of the playouts in ``mask`` one by one: what counts bits cannot do for more than two values."""
    edges, rows, log = memory.edges, memory.rows, memory.log
    for w in range(here, last + 1):
        bits = mask[w]
        while bits != np.uint64(0):
            bit = trailing_zeros(bits)
            bits &= bits - ONE
            reward = log.reward[column * SEGMENT + w * 64 + bit, mover]
            for edge in range(begin, end):
                code = edges.code[edge]
                segment = rows.segment[code, column] if code >= 0 else 0
                if segment > 0 and (rows.word[segment, w] >> np.uint64(bit)) & ONE:
                    edges.permuted[edge, 0] += 1.0
                    edges.permuted[edge, 1] += reward
