"""The changes of a game that is an order of names, and how often each kind is tried.

A kind is tried in proportion to what it has gained for the moves that were played again for it: the weights of an
adaptive large neighbourhood search.

References
----------
S. Ropke and D. Pisinger, *An Adaptive Large Neighborhood Search Heuristic for the Pickup and Delivery Problem with Time
Windows*, Transportation Science 40, 2006: kinds of change that are weighed by what they have earned.

D. S. Johnson and L. A. McGeoch, *The Traveling Salesman Problem: A Case Study in Local Optimization*, 1997: neighbour
lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nrpa.engine.random import uniform
from nrpa.machine.jit import jit

LEAVE_OUT, PUT_ELSEWHERE, PUT_IN, REPLACE, BLOCK_ELSEWHERE, PUT_ANYWHERE, SWAP, SWAP_NEAR, REVERSE, BLOCKS = range(10)
# Those with random moves once more, which are drawn by their worth (``nrpa.solvers.tempering.move_worth``).
LEAVE_OUT_BY_WORTH, PUT_IN_BY_WORTH, REPLACE_BY_WORTH = range(10, 13)
# Those that bring a thing right behind another one where it goes well (``TemperingSearch.load_code``).
REVERSE_TO_NEIGHBOUR, BLOCK_TO_NEIGHBOUR = range(13, 15)
KINDS = 15
# The share of each at first: a kind and the one by worth count as one.
AT_FIRST = 0.05, 0.1, 0.05, 0.05, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.0, 0.0
# How often a problem with temperatures of its own, which were chosen with these shares, tries the first five kinds.
FIXED = 0.25, 0.40, 0.15, 0.10, 0.10, *[0.0] * 10
# Of an order, and of choices for places, which are changed at one place, at two or at some (``sequence``); where the
# choices of places differ, and in a set, which has no order, places are not exchanged.
OF_ORDER = 0.0, 0.1, 0.0, 0.0, 0.15, 0.15, 0.15, 0.15, 0.15, 0.15, *[0.0] * 5
OF_CHOICES = 0.1, 0.0, 0.2, 0.5, 0.0, 0.0, 0.1, 0.1, *[0.0] * 7
WITHOUT_SWAPS = 0.2, 0.0, 0.2, 0.6, *[0.0] * 11
# What the last two kinds share at first, where they are tried.
TO_NEIGHBOURS = 0.5
MOST_LEFT_OUT, LONGEST_BLOCK, MEAN_DISTANCE = 4, 4, 10.0
# What all kinds share whatever they have gained, and how much of that is remembered from turn to turn.
FOR_ALL, REMEMBERED = 0.1, 0.9


class Shares(NamedTuple):
    """How often each chain tries each kind of change, and why.

    - ``share``, float64[chains, KINDS]: The probability of each.
    - ``gained``, float64[chains, KINDS]: The improvements of the score by taken changes; older ones count for less.
    - ``played``, float64[chains, KINDS]: The moves that were played again for it; older ones count for less.
    """

    share: np.ndarray
    gained: np.ndarray
    played: np.ndarray


def allocate_shares(chains: int, at_first: Sequence[float]) -> Shares:
    """Return the shares of kinds that have gained nothing yet."""
    share = np.tile(at_first, (chains, 1))
    return Shares(share, np.zeros((chains, KINDS)), np.zeros((chains, KINDS)))


@jit
def draw_kind(shares, chain, random):
    """Draw a kind of change."""
    left = uniform(random)
    for kind in range(KINDS - 1):
        if left < shares.share[chain, kind]:
            return np.int64(kind)
        left -= shares.share[chain, kind]
    return np.int64(KINDS - 1) if shares.share[chain, KINDS - 1] > 0.0 else np.int64(BLOCK_ELSEWHERE)


@jit
def count_change(shares, chain, kind, gain, played):
    """Count a change: the improvement if it was taken, and the moves that were played again."""
    shares.gained[chain, kind] += max(gain, 0.0)
    shares.played[chain, kind] += played


@jit
def adapt_shares(shares, chain, at_first, to_neighbours):
    """Let each kind have a share in proportion to that at first, float64[KINDS], and to its gain for a move played."""
    total = 0.0
    for kind in range(KINDS):
        first = first_share(at_first, kind, to_neighbours)
        total += first * shares.gained[chain, kind] / max(shares.played[chain, kind], 1.0)
    for kind in range(KINDS):
        if total > 0.0:
            earned = shares.gained[chain, kind] / max(shares.played[chain, kind], 1.0) / total
            first = first_share(at_first, kind, to_neighbours)
            shares.share[chain, kind] = first * (FOR_ALL + (1.0 - FOR_ALL) * earned)
        shares.gained[chain, kind] *= REMEMBERED
        shares.played[chain, kind] *= REMEMBERED


@jit
def first_share(at_first, kind, to_neighbours):
    """Return the share of a kind before any has gained; ``to_neighbours`` says if things are brought to others."""
    if not to_neighbours:
        return at_first[kind]
    if kind in (REVERSE_TO_NEIGHBOUR, BLOCK_TO_NEIGHBOUR):
        return TO_NEIGHBOURS / 2.0
    return (1.0 - TO_NEIGHBOURS) * at_first[kind]


@jit
def change(wanted, games, game, kind, random):
    """Draw a change of a kind; return how many moves stay, how many names are wanted, and if one is drawn before them.

    - ``wanted``, int64[steps + 1]: Where the names go of what shall follow the first moves, by rank.
    """
    length = games.length[game]
    if length == 0:
        return 0, 0, False
    if kind in (LEAVE_OUT, LEAVE_OUT_BY_WORTH):
        return leave_moves_out(wanted, games, game, below(MOST_LEFT_OUT, random) + 1, random)
    if kind in (PUT_IN, REPLACE, PUT_IN_BY_WORTH, REPLACE_BY_WORTH):
        step = below(length, random)
        after = step if kind in (PUT_IN, PUT_IN_BY_WORTH) else step + 1
        return step, copy_names(wanted, 0, games, game, after, length), True
    if kind in (SWAP, SWAP_NEAR, REVERSE):
        return exchange_moves(wanted, games, game, kind, random)
    begin, between, end = draw_blocks(length, kind, random)
    at = copy_names(wanted, 0, games, game, between, end)
    at = copy_names(wanted, at, games, game, begin, between)
    return begin, copy_names(wanted, at, games, game, end, length), False


@jit
def leave_moves_out(wanted, games, game, most, random):
    """Leave out at most ``most`` moves, drawn one by one (``change``)."""
    length = games.length[game]
    first = length
    for step in range(length):
        wanted[step] = 1
    for _ in range(most):
        step = below(length, random)
        wanted[step] = 0
        first = min(first, step)
    at = 0
    for step in range(first, length):
        kept = wanted[step]
        wanted[at] = games.name[game, step]
        at += kept
    return first, at, False


@jit
def exchange_moves(wanted, games, game, kind, random):
    """Exchange two moves, or reverse the order of the moves from one to another (``change``)."""
    length = games.length[game]
    begin, end = draw_ends(length, kind, random)
    last = end - begin
    copy_names(wanted, 0, games, game, begin, length)
    for rank in range((last + 1) // 2 if kind == REVERSE else 1):
        wanted[rank], wanted[last - rank] = wanted[last - rank], wanted[rank]
    return begin, length - begin, False


@jit
def draw_ends(length, kind, random):
    """Draw the first and the last of the moves that are exchanged or reversed."""
    one = below(length, random)
    other = one + near(random) if kind == SWAP_NEAR else length
    if other >= length:
        other = below(length, random)
    return min(one, other), max(one, other)


@jit
def draw_blocks(length, kind, random):
    """Draw two blocks that follow each other, to change places; return where they begin, meet and end."""
    if kind == BLOCKS:
        return two_blocks(length, random)
    size = min(2 + below(LONGEST_BLOCK - 1, random), length) if kind == BLOCK_ELSEWHERE else 1
    return elsewhere(length, size, kind == PUT_ANYWHERE, random)


@jit
def draw_neighbour(order, where, neighbours, kind, random):
    """Draw a thing and one that goes well behind it, and how an order changes so that they meet (``draw_order``).

    - ``where``, int64[places]: The place of each thing.
    - ``neighbours``, int64[things, NEIGHBOURS]: The things that go well behind each.
    """
    places = order.shape[0]
    at = below(places, random)
    to = where[neighbours[order[at], below(neighbours.shape[1], random)]]
    if kind == REVERSE_TO_NEIGHBOUR:
        begin, end = (at + 1, to + 1) if at < to else (to + 1, at + 1)
        return (begin, begin, end) if begin + 1 < end else (begin, begin, begin)
    size = 1 + below(LONGEST_BLOCK, random)
    if at < to:
        begin, between, end = at + 1, to, min(to + size, places)
    else:
        begin, between, end = to, min(to + size, at), at + 1
    return (begin, between, end) if begin < between else (begin, begin, begin)


@jit
def two_blocks(length, random):
    """Draw two blocks that follow each other, near ones or any; return where they begin, meet and end."""
    begin = below(length, random)
    between = begin + near(random)
    end = between + near(random)
    if end > length:
        one, other, third = below(length, random), below(length, random), below(length, random)
        begin, end = min(one, other, third), max(one, other, third) + 1
        between = one + other + third - begin - end + 1
    return begin, between, end


@jit
def elsewhere(length, size, is_far, random):
    """Draw a block of so many moves and the one that it changes places with, so that it is near by, or anywhere."""
    begin = below(length - size + 1, random)
    if is_far:
        to = below(length - size + 1, random)
    else:
        distance = near(random)
        to = begin + distance if uniform(random) < 0.5 else begin - distance
        to = min(max(to, 0), length - size)
    if to < begin:
        return to, begin, begin + size
    return begin, begin + size, to + size


@jit
def below(bound, random):
    """Return a random whole number of 0 to ``bound`` - 1."""
    return np.int64(uniform(random) * bound)


@jit
def near(random):
    """Draw a distance of at least 1 from an exponential distribution."""
    return 1 + np.int64(-MEAN_DISTANCE * np.log(1.0 - uniform(random)))


@jit
def copy_names(wanted, at, games, game, begin, end):
    """Write the names of the moves ``begin`` to ``end`` - 1 of a game, from place ``at`` on; return the next place."""
    first, to = np.uint64(begin), np.uint64(at)
    for k in range(np.uint64(end - begin)):
        wanted[to + k] = games.name[game, first + k]
    return at + end - begin
