"""The branches of a target: a pair and all that is inside it, folded by itself before the whole.

To fold takes more than the square of the length, so to fold all branches of a long target takes little beside one fold
of it. RNAinverse begins with small parts as well (I. Hofacker et al., Monatshefte für Chemie 125, 1994).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nrpa.problems.rna.vienna import expected_seconds

if TYPE_CHECKING:
    from nrpa.problems.rna.kernels import Instance

WORTH = 150
"""The fewest bases of a target whose branches are folded by themselves: below, a fold takes a few milliseconds."""
LEAST, MOST = 16, 0.8
"""The fewest bases of a branch, and its longest part of the target."""
GROWTH = 1.3
"""A branch is at least so many times as long as the longest branch inside it."""
SECONDS, SECONDS_OF_CHANGES = 2.0, 0.002
MOST_FOLDS, FEWEST_FOLDS, PATIENCE = 200, 10, 40


def branches(partner: list[int]) -> list[tuple[int, int]]:
    """Return the branches of a target, each after those inside it."""
    found: list[tuple[int, int]] = []
    if len(partner) < WORTH:
        return found
    outermost = [(i, j) for i, j in enumerate(partner) if j > i and not (i > 0 and partner[i - 1] == j + 1)]
    for i, j in sorted(outermost, key=lambda pair: (pair[1] - pair[0], pair[0])):
        bases = j - i + 1
        inside = max([last - first + 1 for first, last in found if i < first and last < j], default=0)
        if LEAST <= bases <= MOST * len(partner) and bases >= GROWTH * inside:
            found.append((i, j))
    return found


def folds_of_branch(bases: int, count: int) -> int:
    """Return how many folds a branch may take: all branches together about two seconds, or 10 folds each."""
    affordable = int(SECONDS / count / (expected_seconds(bases) + SECONDS_OF_CHANGES))
    return max(FEWEST_FOLDS, min(MOST_FOLDS, affordable))


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
