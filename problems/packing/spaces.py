"""The free spaces of a container as the largest boxes that are empty; they overlap (Parreño et al. 2008)."""

# mypy: ignore-errors

import numpy as np

from nrpa.compiling.options import allocating


@allocating
def nearest(spaces, many, container):
    """Return which space is filled next: that with a corner nearest to one of the container's, of several the largest.

    Of those as large, the first by its corners, so that the order of spaces does not matter.
    """
    at, least, largest = 0, 0, 0
    for other in range(many):
        distance, volume = 0, 1
        for axis in range(3):
            distance += min(spaces[other, axis], container[axis] - spaces[other, axis + 3])
            volume *= spaces[other, axis + 3] - spaces[other, axis]
        is_nearer = other == 0 or distance < least or (distance == least and volume > largest)
        is_level = distance == least and volume == largest
        if is_nearer or (is_level and _is_before(spaces, other, at)):
            at, least, largest = other, distance, volume
    return at


@allocating
def _is_before(spaces, one, other):
    for side in range(6):
        if spaces[one, side] != spaces[other, side]:
            return spaces[one, side] < spaces[other, side]
    return False


@allocating
def cut(spaces, many, begin, end, thinnest):
    """Return the spaces that are left when a block is put from ``begin`` to ``end``, and how many there are.

    A space has where it begins, and where it ends. No side of what is left is below ``thinnest``. Spaces beyond the
    length of the array are left out.
    """
    found, kept = np.zeros_like(spaces), 0
    parts, count = np.empty((6 * many, 6), np.int64), 0
    for place in range(many):
        if not _meets(spaces, place, begin, end):
            for side in range(6):
                found[kept, side] = spaces[place, side]
            kept += 1
            continue
        for face in range(6):
            axis = face % 3
            left = begin[axis] - spaces[place, axis] if face < 3 else spaces[place, axis + 3] - end[axis]
            if left >= thinnest:
                for side in range(6):
                    parts[count, side] = spaces[place, side]
                if face < 3:
                    parts[count, axis + 3] = begin[axis]
                else:
                    parts[count, axis] = end[axis]
                count += 1
    whole = kept
    for place in range(count):
        if kept < len(found) and not _is_inside(parts, place, found, whole) and not _is_twice(parts, count, place):
            for side in range(6):
                found[kept, side] = parts[place, side]
            kept += 1
    return found, kept


@allocating
def _meets(spaces, place, begin, end):
    is_met = True
    for axis in range(3):
        is_met = is_met and spaces[place, axis] < end[axis] and spaces[place, axis + 3] > begin[axis]
    return is_met


@allocating
def _is_inside(parts, part, spaces, many):
    is_inside = False
    for place in range(many):
        is_inside = is_inside or _holds(spaces, place, parts, part)
    return is_inside


@allocating
def _is_twice(parts, count, place):
    """Return whether a part lies within another; of two that are equal, the second does."""
    for other in range(count):
        is_held = other != place and _holds(parts, other, parts, place)
        if is_held and (other < place or not _holds(parts, place, parts, other)):
            return True
    return False


@allocating
def _holds(outer, one, inner, other):
    for axis in range(3):
        if outer[one, axis] > inner[other, axis] or outer[one, axis + 3] < inner[other, axis + 3]:
            return False
    return True
