"""What a block is worth in a corner of a free space: its volume, what it touches, and what room it leaves.

References
----------
I. Araya, K. Guerrero and E. Nuñez, *VCS: a new heuristic function for selecting boxes in the single container loading
problem*, Computers & Operations Research 82, 2017: the worth and its exponents.
"""

# mypy: ignore-errors

import numpy as np

from nrpa.compiling.options import allocating

TOUCHING, LOSS, FEWNESS = 4.0, 1.0, 0.2
"""Exponents: of the share of a block's surface that touches something, of the room that can be filled, of boxes."""
NEAR = 0.04
"""What is as near as this share of the space's side counts as touched."""


@allocating
def choose(space, able, placed, count, container, blocks, best, worth, most):
    """Write the ``most`` blocks that are worth most in a space to ``best``, and what they are to ``worth``.

    Returns how many there are. ``able``, int64[n], are those that the boxes left make, of most ``basic`` worth first.
    """
    sides, basic, rows = blocks
    long, wide, high = space[3] - space[0], space[4] - space[1], space[5] - space[2]
    first = 0
    while first < len(able) and not _fits(sides, able[first], long, wide, high):
        first += 1
    if first == len(able):
        return 0
    near, at_end = np.empty(3, np.int64), at_ends(space, container)
    for axis in range(3):
        near[axis] = int(NEAR * (space[axis + 3] - space[axis]))
    faces, many = _faces(space, placed, count, container, near)
    found = 0
    for block in able[first:]:
        if not _fits(sides, block, long, wide, high):
            continue
        if found == most and basic[block] <= worth[most - 1]:
            break
        value = _worth(basic[block], sides, block, space, at_end, faces, many, near, rows)
        if found < most:
            found += 1
        elif value <= worth[most - 1]:
            continue
        place = found - 1
        while place > 0 and worth[place - 1] < value:
            best[place], worth[place] = best[place - 1], worth[place - 1]
            place -= 1
        best[place], worth[place] = block, value
    return found


@allocating
def _fits(sides, block, long, wide, high):
    return sides[block, 0] <= long and sides[block, 1] <= wide and sides[block, 2] <= high


@allocating
def at_ends(space, container):
    """Return for each axis whether the space's larger end is nearer to the container's than the smaller, int64[3]."""
    ends = np.empty(3, np.int64)
    for axis in range(3):
        ends[axis] = container[axis] - space[axis + 3] < space[axis]
    return ends


@allocating
def _faces(space, placed, count, container, near):
    """Return what is near each face of a space, int64[6, count + 1, 4], and how many rectangles that is, int64[6].

    A face is that of least or of largest x, y, z; the rectangles of one do not overlap. ``near`` is how near, int64[3].
    """
    found, many = np.empty((6, count + 1, 4), np.int64), np.zeros(6, np.int64)
    for face in range(6):
        axis, is_last = face % 3, face >= 3
        u, v = (axis + 1) % 3, (axis + 2) % 3
        to_wall = container[axis] - space[axis + 3] if is_last else space[axis]
        if to_wall <= near[axis]:
            found[face, 0, 0], found[face, 0, 1] = space[u], space[v]
            found[face, 0, 2], found[face, 0, 3] = space[u + 3], space[v + 3]
            many[face] = 1
            continue
        for block in range(count):
            gap = placed[block, axis] - space[axis + 3] if is_last else space[axis] - placed[block, axis + 3]
            if 0 <= gap <= near[axis]:
                place = many[face]
                found[face, place, 0] = max(space[u], placed[block, u])
                found[face, place, 1] = max(space[v], placed[block, v])
                found[face, place, 2] = min(space[u + 3], placed[block, u + 3])
                found[face, place, 3] = min(space[v + 3], placed[block, v + 3])
                is_seen = (
                    found[face, place, 0] < found[face, place, 2] and found[face, place, 1] < found[face, place, 3]
                )
                many[face] += is_seen
    return found, many


@allocating
def _worth(basic, sides, block, space, at_end, faces, many, near, rows):
    """Return the worth of a block of ``sides`` in the corner ``at_end`` of a space, its ``basic`` worth at most.

    ``rows`` is the longest row of boxes for each length, int64[3, longest + 1].
    """
    usable, touched = 1.0, 0.0
    for axis in range(3):
        length, u, v = space[axis + 3] - space[axis], (axis + 1) % 3, (axis + 2) % 3
        gap = length - sides[block, axis]
        usable *= (sides[block, axis] + rows[axis, gap]) / length
        low_u = space[u + 3] - sides[block, u] if at_end[u] else space[u]
        low_v = space[v + 3] - sides[block, v] if at_end[v] else space[v]
        high_u, high_v = low_u + sides[block, u], low_v + sides[block, v]
        for is_last in range(2):
            if is_last == at_end[axis] or gap <= near[axis]:
                face = axis + 3 * is_last
                for place in range(many[face]):
                    along_u = min(high_u, faces[face, place, 2]) - max(low_u, faces[face, place, 0])
                    along_v = min(high_v, faces[face, place, 3]) - max(low_v, faces[face, place, 1])
                    if along_u > 0 and along_v > 0:
                        touched += along_u * along_v
    long, wide, high = sides[block, 0], sides[block, 1], sides[block, 2]
    surface = 2.0 * (long * wide + wide * high + long * high)
    return basic * usable**LOSS * min(1.0, touched / surface) ** TOUCHING
