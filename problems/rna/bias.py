"""The bias of inverse folding: which bases designers choose where.

The weights are those of the playouts of NEMO (Portela, An unexpectedly effective Monte Carlo technique for the RNA
inverse folding problem, bioRxiv 345587, 2018), used as β = log p as Cazenave & Fournier do (Monte Carlo Inverse
Folding, 2020). Where NEMO draws several bases at once, the later ones depend here on the earlier.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from nrpa.problems.rna.structure import WIDTH

A, U, G, C = range(4)
GC = 1

PAIR = (16, 16, 9, 9, 2, 2)
DEMOTED = (-6, -6, 6, 6, 0, 0)
UNPAIRED = (93, 1, 5, 1)
AFTER_PAIRED = ((5, 0, 2, 1), (0, 6, 1, 4), (2, 1, 5, 0), (6, 4, 0, 1))
INTERIOR_FIRST = (5, 1, 20, 1)
INTERIOR_SECOND = ((4, 0, 4, 1), (0, 6, 1, 2), (6, 1, 2, 0), (4, 1, 0, 1))
JUNCTION = (97, 1, 1, 1)
BOOSTED = 48
LEAST = 0.002
"""The least probability of a move: NEMO excludes some, here they are only unlikely."""

# Of the hairpins, 11 in 12 get the G-A mismatch; of the 1-1 loops 9 in 10 get G-G, of the 2-2 loops 3 in 4 UG/GU.
HAIRPIN_BOOST = ((G, A, 11 / 12),)
ONE_ONE_BOOST = ((G, G, 0.9), (G, A, 0.03), (A, G, 0.03), (U, U, 0.01))
TWO_TWO_BOOST = ((U, G, 0.75), (G, A, 0.075), (A, G, 0.075), (U, U, 0.025))
INTERIOR_BOOST = ((G, A, 0.3), (A, G, 0.3), (U, U, 0.1))


Rows = tuple[int, list[Any]]
"""The position that a step's bias depends on, and weights by what is there."""


class Bias:
    """The bias of a target: ``context`` (int64[steps]) and ``exp_bias`` (float64[steps, 7, 6]) of its Instance."""

    def __init__(self, partner: list[int], position: list[int]) -> None:
        self._partner = partner
        self._branches = _branches(partner)
        self.context = np.full(len(position), -1)
        self.exp_bias = np.ones((len(position), 1 + WIDTH, WIDTH))
        for step, i in enumerate(position):
            near, weights = self._pair(i) if partner[i] >= 0 else self._unpaired(i)
            self.context[step] = near
            for given, row in enumerate(weights):
                self.exp_bias[step, given, : len(row)] = np.maximum(np.divide(row, np.sum(row)), LEAST)

    def _at(self, i: int) -> int:
        return self._partner[i] if 0 <= i < len(self._partner) else -1

    def _pair(self, i: int) -> Rows:
        """Left neighbours in a junction need the stronger pair; a triloop has at most one GC pair of its two."""
        j = self._partner[i]
        weights = np.array(PAIR)
        right, left = self._at(i + 1), self._at(i - 1)
        if right >= 0 and right != j - 1 and self._branches[i + 1] > 2:
            weights += DEMOTED
        if left >= 0 and left != j + 1 and self._branches[i] > 2:
            weights -= DEMOTED
        weights = np.maximum(weights, 0)
        if j - i != 4 or left != j + 1:
            return -1, [weights]
        strong = (*weights[:2], 0, 0, 0, 0)
        return i - 1, [weights, strong, strong, *[weights] * 4]

    def _unpaired(self, i: int) -> Rows:
        before, after = self._at(i - 1), self._at(i + 1)
        if after >= 0 and after + 1 < len(self._partner):
            other = after + 1
        elif before > 0:
            other = before - 1
        else:
            return self._plain(i)
        if self._partner[other] >= 0:
            # By pair, seen from its first base.
            return other, [UNPAIRED, *(AFTER_PAIRED[base] for base in (C, G, U, A, U, G))]
        first, second = min(i, other), max(i, other)
        if self._branches[i] == 1 and second - first == self._size(i) - 1 and self._closed(first):
            return self._hairpin(i, first, second)
        if self._branches[i] == 2 and self._closed_interior(first, second):
            return self._interior(i, first, second)
        return self._junction(i)

    def _plain(self, i: int) -> Rows:
        """Favour U or C in the middle of a triloop after a G, against a slide into a GNRA tetraloop."""
        if self._at(i - 2) == i + 2:
            anti = (52, 25, 3, 20)
            return i - 2, [UNPAIRED, UNPAIRED, anti, UNPAIRED, UNPAIRED, UNPAIRED, anti]
        return -1, [UNPAIRED]

    def _size(self, i: int) -> int:
        """Return the length of the run of unpaired bases around ``i``."""
        left = right = i
        while left > 0 and self._partner[left - 1] < 0:
            left -= 1
        while right + 1 < len(self._partner) and self._partner[right + 1] < 0:
            right += 1
        return right - left + 1

    def _closed(self, first: int) -> bool:
        return first > 0 and self._at(first - 1) > first

    def _closed_interior(self, first: int, second: int) -> bool:
        """Whether the bases lie on the two sides of an interior loop, both of at least one base."""
        left = first
        while left >= 0 and self._partner[left] < 0:
            left -= 1
        return left >= 0 and self._partner[left] > second

    def _hairpin(self, i: int, first: int, second: int) -> Rows:
        if second - first < 3:
            return -1, [UNPAIRED]
        marginal, conditional = _mixture(HAIRPIN_BOOST, UNPAIRED, [UNPAIRED] * 4)
        return (-1, [marginal]) if i == first else (first, [UNPAIRED, *conditional])

    def _interior(self, i: int, first: int, second: int) -> Rows:
        sizes = self._size(first), self._size(second)
        boost = {(1, 1): ONE_ONE_BOOST, (2, 2): TWO_TWO_BOOST}.get(sizes, INTERIOR_BOOST)
        inner = sizes == (2, 2) and self._at(first + 1) >= 0
        if inner:
            boost = ((G, U, 0.5), (G, A, 0.15), (A, G, 0.15), (U, U, 0.05))
        marginal, conditional = _mixture(boost, INTERIOR_FIRST, INTERIOR_SECOND)
        if i == second:
            return first, [UNPAIRED, *conditional]
        if inner:
            plain, _ = _mixture(INTERIOR_BOOST, INTERIOR_FIRST, INTERIOR_SECOND)
            return i - 1, [plain, plain, (4, 2, 92, 2), plain, plain]
        return -1, [marginal]

    def _junction(self, i: int) -> Rows:
        """Beside a GC pair: a C before its G, a G after its G (on the side away from the loop's next helix)."""
        before, after = self._at(i - 1), self._at(i + 1)
        boosted = list(JUNCTION)
        if after >= 0 and before < 0:
            near, boosted[C] = i + 1, BOOSTED
        elif before >= 0 and after < 0:
            near, boosted[G] = i - 1, BOOSTED
        else:
            return -1, [JUNCTION]
        return near, [JUNCTION, *(boosted if pair == GC else JUNCTION for pair in range(WIDTH))]


def _branches(partner: list[int]) -> list[int]:
    """Return the number of helices around each position's loop; for a paired base, the loop on its left."""
    loop = [0] * len(partner)
    count = [0]
    stack = [0]
    for i, j in enumerate(partner):
        loop[i] = stack[-1]
        if j > i:
            count[stack[-1]] += 1
            count.append(1)
            stack.append(len(count) - 1)
        elif j >= 0:
            stack.pop()
    return [count[k] for k in loop]


def _mixture(
    boosts: tuple[tuple[int, int, float], ...], first: tuple[int, ...], second: Sequence[tuple[int, ...]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the first base's probabilities, and the second's given the first, of boosted pairs and the rest."""
    rows = np.array([np.array(row) / sum(row) for row in second])
    rest = 1.0 - sum(p for _, _, p in boosts)
    joint = rest * (np.array(first) / sum(first))[:, None] * rows
    for a, b, p in boosts:
        joint[a, b] += p
    marginal = joint.sum(axis=1)
    return marginal, joint / marginal[:, None]
