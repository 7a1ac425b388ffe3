"""The free spaces of a container as the largest boxes that are empty; they overlap (Parreño et al. 2008)."""

# mypy: ignore-errors

import numpy as np


def nearest(spaces, many):
    """Return which space is filled next: that nearest to the back, the lowest of several, the leftmost of these."""
    at = 0
    for other in range(1, many):
        one, best = spaces[other], spaces[at]
        if (one[0], one[2], one[1]) < (best[0], best[2], best[1]):
            at = other
    return at


def blocks_of(space, dx, dy, dz, left):
    """Return how many boxes a block has in each direction: a column, two walls, a layer, all; none if none fits."""
    x, y, z = (space[3] - space[0]) // dx, (space[4] - space[1]) // dy, (space[5] - space[2]) // dz
    high, wide = min(z, left), min(y, left)
    if min(x, wide, high) == 0:
        return [(0, 0, 0)][:0]  # empty, of a type that is known when it is compiled
    across = min(y, left // high)
    return [
        (1, 1, high),
        (1, across, high),
        (min(x, left // high), 1, high),
        (min(x, left // wide), wide, 1),
        (min(x, left // (across * high)), across, high),
    ]


def cut(spaces, many, begin, end, thinnest):
    """Return the spaces that are left when a block is put from ``begin`` to ``end``, and how many there are.

    A space has where it begins, and where it ends. No side of what is left is below ``thinnest``. Spaces beyond the
    length of the array are left out.
    """
    parts, count = _parts(spaces, many, begin, end, thinnest)
    found, kept = np.zeros_like(spaces), 0
    for place in range(count):
        if kept < len(found) and not _is_inside(parts, count, place):
            found[kept] = parts[place]
            kept += 1
    return found, kept


def _parts(spaces, many, begin, end, thinnest):
    """Return the spaces that the block does not meet, and the parts of the others beside it, in six directions."""
    parts, count = np.zeros((6 * many, 6), np.int64), 0
    for place in range(many):
        space = spaces[place]
        if not _meets(space, begin, end):
            parts[count] = space
            count += 1
            continue
        for axis in range(3):
            if begin[axis] - space[axis] >= thinnest:
                parts[count] = space
                parts[count, axis + 3] = begin[axis]
                count += 1
            if space[axis + 3] - end[axis] >= thinnest:
                parts[count] = space
                parts[count, axis] = end[axis]
                count += 1
    return parts, count


def _meets(space, begin, end):
    is_before = space[3] <= begin[0] or space[4] <= begin[1] or space[5] <= begin[2]
    return not (is_before or space[0] >= end[0] or space[1] >= end[1] or space[2] >= end[2])


def _is_inside(parts, count, place):
    """Return whether a part lies within another; of two that are equal, the second does."""
    for other in range(count):
        is_held = other != place and _holds(parts[other], parts[place])
        if is_held and (other < place or not _holds(parts[place], parts[other])):
            return True
    return False


def _holds(outer, inner):
    begins = outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] <= inner[2]
    return begins and outer[3] >= inner[3] and outer[4] >= inner[4] and outer[5] >= inner[5]
