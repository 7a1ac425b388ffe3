"""What a missed window counts."""

from __future__ import annotations

import math

LEAST = 1e6


def penalty_above(cost: float) -> float:
    """Return what a missed window counts: 10^6, or the first power of ten above a cost that no tour exceeds.

    >>> penalty_above(99_999.0), penalty_above(1e6), penalty_above(2.5e7)
    (1000000.0, 10000000.0, 100000000.0)
    """
    return LEAST if cost < LEAST else 10.0 ** (math.floor(math.log10(cost)) + 1)
