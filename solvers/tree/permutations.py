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
from nrpa.machine.jit import internal, popcount, trailing_zeros
from nrpa.solvers.tree import memory as at

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE = np.uint64(1)


@internal
def write_bits(rows, log, count, highest, playout):
    """Set the bits of a playout that is in the log."""
    players = log.reward.shape[1]
    column, bit = playout // at.SEGMENT, playout % at.SEGMENT
    word, mask = bit >> 6, ONE << np.uint64(bit & 63)
    if bit == 0:
        for player in range(players):
            for w in range(at.WORDS):
                rows.won[column, player, w] = np.uint64(0)
    first = log.playout[playout, 0]
    for i in range(first, first + log.playout[playout, 1]):
        code = np.int64(log.entry[i]) >> at.MOVER_BITS
        segment = np.int64(rows.segment[code, column])
        if segment == 0:
            segment = count[at.SEGMENTS]
            if segment >= rows.word.shape[0]:
                count[at.FULL] = 1
                continue
            count[at.SEGMENTS] += 1
            rows.segment[code, column] = segment
            for w in range(at.WORDS):
                rows.word[segment, w] = np.uint64(0)
        rows.word[segment, word] |= mask
    for player in range(players):
        if log.reward[playout, player] == highest:
            rows.won[column, player, word] |= mask


@internal
def count_permutations(rows, edges, reward, node, count, low, high, path, mask):
    """Count the playouts since the last time that contain the path to a node, move by move of the node."""
    playouts = count[at.PLAYOUTS]
    begin, end = node[at.FIRST], node[at.FIRST] + node[at.COUNT]
    fingerprint = np.int64(0)
    for code in path:
        fingerprint += np.int64(mixed(np.uint64(code + 1)))
    if node[at.PATH] != fingerprint:
        node[at.PATH] = fingerprint
        node[at.COUNTED] = 0
        for edge in range(begin, end):
            edges.number[edge, at.PERMUTED] = 0.0
            edges.number[edge, at.PERMUTED_SUM] = 0.0
    counted = node[at.COUNTED]
    node[at.COUNTED] = playouts
    mover = node[at.MOVER]
    while counted < playouts:
        column = counted // at.SEGMENT
        until = min(playouts, (column + 1) * at.SEGMENT)
        here, last = (counted % at.SEGMENT) >> 6, ((until - 1) % at.SEGMENT) >> 6
        if narrowed(rows, path, mask, column, here, last):
            mask[0, here] &= ALL << np.uint64(counted & 63)
            if until & 63:
                mask[0, last] &= (ONE << np.uint64(until & 63)) - ONE
            if count[at.MANY_VALUES] == 0:
                for w in range(here, last + 1):
                    mask[1, w] = mask[0, w] & rows.won[column, mover, w]
                add_wins(rows, edges, mask, column, here, last, begin, end, low, high)
            else:
                add_rewards(rows, edges, reward, mask, column, here, last, begin, end, mover)
        counted = until


@internal
def narrowed(rows, path, mask, column, here, last):
    """Write which playouts of a segment contain all codes of a path to ``mask[0]``; return whether any does."""
    for w in range(here, last + 1):
        mask[0, w] = ALL
    for code in path:
        segment = rows.segment[code, column] if code >= 0 else 0
        if segment == 0:
            return False
        any_bit = np.uint64(0)
        for w in range(here, last + 1):
            mask[0, w] &= rows.word[segment, w]
            any_bit |= mask[0, w]
        if any_bit == np.uint64(0):
            return False
    return True


@internal
def add_wins(rows, edges, mask, column, here, last, begin, end, low, high):
    """Add the playouts in ``mask[0]`` and, of them, those won, in ``mask[1]``, to each edge, by counting bits."""
    for edge in range(begin, end):
        code = edges.whole[edge, at.CODE]
        segment = rows.segment[code, column] if code >= 0 else 0
        if segment > 0:
            n = 0
            wins = 0
            for w in range(here, last + 1):
                n += popcount(rows.word[segment, w] & mask[0, w])
                wins += popcount(rows.word[segment, w] & mask[1, w])
            edges.number[edge, at.PERMUTED] += n
            edges.number[edge, at.PERMUTED_SUM] += low * n + (high - low) * wins


@internal
def add_rewards(rows, edges, reward, mask, column, here, last, begin, end, mover):
    """Add the rewards of the playouts in ``mask[0]`` one by one, as more than two values ask for."""
    for w in range(here, last + 1):
        bits = mask[0, w]
        while bits != np.uint64(0):
            bit = trailing_zeros(bits)
            bits &= bits - ONE
            gained = reward[column * at.SEGMENT + w * 64 + bit, mover]
            for edge in range(begin, end):
                code = edges.whole[edge, at.CODE]
                segment = rows.segment[code, column] if code >= 0 else 0
                if segment > 0 and (rows.word[segment, w] >> np.uint64(bit)) & ONE:
                    edges.number[edge, at.PERMUTED] += 1.0
                    edges.number[edge, at.PERMUTED_SUM] += gained
