"""Bounds on the number of bins: what no packing can beat, and what two simple heuristics reach."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple


class Bounds(NamedTuple):
    """Lower bounds, the volume and Martello & Toth's L2; upper bounds, by first-fit and best-fit decreasing."""

    l1: int
    l2: int
    ffd: int
    bfd: int

    @property
    def lower(self) -> int:
        """The better lower bound."""
        return max(self.l1, self.l2)

    @property
    def name(self) -> str:
        """The name of the bound that ``lower`` is."""
        return "L1" if self.l1 >= self.l2 else "L2"


def bounds(capacity: int, sizes: Sequence[int]) -> Bounds:
    """Return the bounds of items."""
    return Bounds(
        l1(capacity, sizes),
        l2(capacity, sizes),
        first_fit_decreasing(capacity, sizes),
        best_fit_decreasing(capacity, sizes),
    )


def l1(capacity: int, sizes: Sequence[int]) -> int:
    """Return the volume bound: the sum of the sizes over the capacity, rounded up."""
    return -(-sum(sizes) // capacity)


def l2(capacity: int, sizes: Sequence[int]) -> int:
    """Return the bound L2, which is never below the volume bound.

    For each threshold k ≤ capacity / 2: items above capacity − k fill a bin alone. The others above capacity / 2 have a
    bin each. Those from k to capacity / 2 fill up these bins' room before they need new ones.

    Source: S. Martello and P. Toth, *Knapsack Problems*, Wiley 1990, section 8.3.2.
    """
    ascending = sorted(sizes)
    total = [0, *accumulate(ascending)]
    half = bisect_right(ascending, capacity // 2)
    best = 0
    for k in {0, *ascending[:half]}:
        low = bisect_left(ascending, k)
        high = bisect_right(ascending, capacity - k)
        room = (high - half) * capacity - (total[high] - total[half])
        beyond = max(0, total[half] - total[low] - room)
        best = max(best, len(ascending) - half + -(-beyond // capacity))
    return best


def first_fit_decreasing(capacity: int, sizes: Sequence[int]) -> int:
    """Return the bins used when each item, the largest first, goes into the first bin that has room.

    Bins are the leaves of a binary tree; a node k, above 2 k and 2 k + 1, has the most room of the bins below it.
    """
    leaves = 1 << (len(sizes) - 1).bit_length()
    room = [capacity] * (2 * leaves)
    for size in sorted(sizes, reverse=True):
        node = 1
        while node < leaves:
            node *= 2
            node += room[node] < size
        room[node] -= size
        while node > 1:
            node //= 2
            room[node] = max(room[2 * node], room[2 * node + 1])
    return sum(left < capacity for left in room[leaves:])


def best_fit_decreasing(capacity: int, sizes: Sequence[int]) -> int:
    """Return the bins used when each item, the largest first, goes into the bin whose room fits it most tightly."""
    rooms: list[int] = []
    bins, least = 0, min(sizes)
    for size in sorted(sizes, reverse=True):
        at = bisect_left(rooms, size)
        bins += at == len(rooms)
        left = (rooms.pop(at) if at < len(rooms) else capacity) - size
        if left >= least:
            insort(rooms, left)
    return bins
