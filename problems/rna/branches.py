"""The branches of a target, folded by themselves before the whole: a pair and all inside it, or neighbours in a loop.

To fold takes more than the square of the length, so to fold all branches of a long target takes little beside one fold
of it. RNAinverse begins with small parts as well (I. Hofacker et al., Monatshefte für Chemie 125, 1994).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from nrpa.problems.rna.structure import helices
from nrpa.problems.rna.vienna import expected_seconds

if TYPE_CHECKING:
    from nrpa.problems.rna.kernels import Instance

WORTH = 150
"""The fewest bases of a target whose branches are folded by themselves: below, a fold takes a few milliseconds."""
LEAST, MOST = 16, 0.8
"""The fewest bases of a branch, and its longest part of the target."""
GROWTH = 1.3
"""A branch is at least so many times as long as the longest branch inside it."""
NEIGHBOURS = 60
"""The fewest bases of neighbours: shorter ones do not disturb each other."""
SECONDS, LONGEST_SECONDS, SECONDS_OF_CHANGES, SECONDS_OF_RESTART = 4.0, 3.0, 0.002, 0.5
MOST_FOLDS, FEWEST_FOLDS = 200, 30
PATIENCE = 30
"""After so many folds in a row without a higher fitness, an improvement of a branch, or of the whole, ends."""
MOST_ENSEMBLES, FEWEST_ENSEMBLES = 60, 5
FOLDS_OF_ENSEMBLE = 4
"""So many folds take as long as an ensemble."""


def branches(partner: list[int]) -> list[tuple[int, int]]:
    """Return the first and the last position of each branch of a target, after those of the branches inside it."""
    length, found = len(partner), list[tuple[int, int]]()
    if length < WORTH:
        return found
    parts = {*_neighbours(partner, 0, length)}
    for helix in helices(partner):
        i, j = helix[-1]
        parts |= {helix[0], *_neighbours(partner, i + 1, j)}
    for first, last in sorted(parts, key=lambda part: (part[0] - part[1], -part[0])):
        bases = last - first + 1
        around = min((j - i + 1 for i, j in found if i <= first and last <= j), default=math.inf)
        if LEAST <= bases <= MOST * length and bases * GROWTH <= around:
            found.append((first, last))
    return found[::-1]


def _neighbours(partner: list[int], first: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a loop that has no pair around it from ``first`` to ``end``."""
    pairs, i = list[tuple[int, int]](), first
    while i < end:
        if partner[i] > i:
            pairs.append((i, partner[i]))
            i = partner[i]
        i += 1
    yield from _halves(pairs)


def _halves(pairs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield where neighbours begin and end: all, those of each half, and so on."""
    if len(pairs) < 2 or pairs[-1][1] - pairs[0][0] + 1 < NEIGHBOURS:
        return
    first, last = pairs[0][0], pairs[-1][1]
    yield first, last
    half = min(range(1, len(pairs)), key=lambda k: abs(2 * pairs[k][0] - first - last))
    yield from _halves(pairs[:half])
    yield from _halves(pairs[half:])


def folds_of_branch(bases: int, count: int) -> int:
    """Return how many folds a branch may take: all about four seconds together, or 30 each in up to three, but one."""
    seconds = expected_seconds(bases)
    fewest = max(1, min(FEWEST_FOLDS, int(LONGEST_SECONDS / seconds)))
    return max(fewest, min(MOST_FOLDS, int(SECONDS / count / (seconds + SECONDS_OF_CHANGES))))


def ensembles_of_branch(bases: int, count: int) -> int:
    """Return how many ensembles a branch may take: all about four seconds together, or 5 each in up to three."""
    seconds = FOLDS_OF_ENSEMBLE * expected_seconds(bases)
    fewest = min(FEWEST_ENSEMBLES, int(LONGEST_SECONDS / seconds))
    return max(fewest, min(MOST_ENSEMBLES, int(SECONDS / count / seconds)))


def steps_of(instance: Instance, first: int, last: int) -> np.ndarray:
    """Return the steps (int64[steps of the branch]) that decide a branch, in order."""
    return np.flatnonzero((instance.position >= first) & (instance.position <= last))


def instance_of(instance: Instance, first: int, last: int) -> Instance:
    """Return a branch as an instance of its own, whose bias is that of its steps in the whole."""
    steps = steps_of(instance, first, last)
    partner, context = instance.partner[steps], instance.context[steps]
    part: Instance = instance._replace(
        position=instance.position[steps] - first,
        partner=np.where(partner < 0, -1, partner - first),
        context=np.where((context < first) | (context > last), -1, context - first),
        exp_bias=instance.exp_bias[steps],
        allowed=instance.allowed[steps],
        address=0,
        improver=0,
    )
    return part
