"""The free spaces of a container as the largest boxes that are empty; they overlap (Parreño et al. 2008)."""

import numpy as np


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
        if (space[:3] >= end).any() or (space[3:] <= begin).any():
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


def _is_inside(parts, count, place):
    """Return whether a part lies within another; of two that are equal, the second does."""
    for other in range(count):
        is_held = other != place and _holds(parts[other], parts[place])
        if is_held and (other < place or not _holds(parts[place], parts[other])):
            return True
    return False


def _holds(outer, inner):
    return (outer[:3] <= inner[:3]).all() and (outer[3:] >= inner[3:]).all()
