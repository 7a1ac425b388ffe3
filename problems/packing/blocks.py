"""Blocks of boxes without a gap: single boxes, and two blocks side by side that make a larger one."""

from typing import NamedTuple

import numpy as np

from nrpa.compiling.options import allocating

MOST = 4_000
"""The most blocks; single boxes are there in any number."""


class Blocks(NamedTuple):
    """Blocks, in the order in which they were made; single boxes come first."""

    sides: np.ndarray  # int64[blocks, 3]
    counts: np.ndarray  # int64[blocks, kinds]: how many boxes of each kind a block has
    parts: np.ndarray  # int64[blocks, 3]: two blocks, and the axis along which they stand; or a way, -1, -1


def blocks_of(ways: np.ndarray, left: np.ndarray, container: np.ndarray) -> Blocks:
    """Return blocks of no more boxes than are ``left``, int64[kinds], in ``ways``, int64[n, 4]: a kind and three sides.

    From boxes as they may stand, new blocks are joined to each block along each axis, the largest first (the simple
    and general blocks of Fanslau and Bortfeldt, INFORMS Journal on Computing 22, 2010, without their gaps).
    """
    fitting = np.flatnonzero((ways[:, 1:] <= container).all(axis=1))
    sides = ways[fitting, 1:]
    counts = (ways[fitting, :1] == np.arange(len(left))).astype(np.int64)
    parts = np.stack((fitting, *[np.full(len(fitting), -1)] * 2), axis=1)
    seen = {*map(bytes, np.hstack((sides, counts)))}
    newest = range(len(sides))
    while newest and len(sides) < MOST:
        joined = []
        for one in sorted(newest, key=lambda block: -int(sides[block].prod())):
            is_equal = sides == sides[one]
            for axis in range(3):
                fits = sides[:, axis] + sides[one, axis] <= container[axis]
                others = np.flatnonzero(is_equal[:, axis - 1] & is_equal[:, axis - 2] & fits)
                others = others[(counts[others] + counts[one] <= left).all(axis=1)]
                joined += [(one, other, axis) for other in others.tolist()]
            if len(joined) >= 4 * MOST:
                break
        more = np.array(joined, np.int64).reshape(-1, 3)
        new_sides, new_counts = sides[more[:, 0]], counts[more[:, 0]] + counts[more[:, 1]]
        rows = np.arange(len(more))
        new_sides[rows, more[:, 2]] += sides[more[:, 1], more[:, 2]]
        unseen = list[int]()
        for row, key in enumerate(map(bytes, np.hstack((new_sides, new_counts)))):
            if key not in seen and len(sides) + len(unseen) < MOST:
                seen.add(key)
                unseen.append(row)
        newest = range(len(sides), len(sides) + len(unseen))
        sides, counts = np.vstack((sides, new_sides[unseen])), np.vstack((counts, new_counts[unseen]))
        parts = np.vstack((parts, more[unseen]))
    return Blocks(sides, counts, parts)


def rows_of(blocks: Blocks, ways: np.ndarray, block: int) -> list[list[int]]:
    """Return a block as rows ``kind, x, y, z, dx, dy, dz, nx, ny, nz``, from kind 1; equal boxes in a row are one."""
    one, other, axis = blocks.parts[block].tolist()
    if other < 0:
        return [[int(ways[one, 0]) + 1, 0, 0, 0, *ways[one, 1:].tolist(), 1, 1, 1]]
    rows = rows_of(blocks, ways, one)
    for row in rows_of(blocks, ways, other):
        row[1 + axis] += int(blocks.sides[one, axis])
        rows.append(row)
    first, last = rows[0], rows[-1]
    is_lattice = len(rows) == 2 and first[0] == last[0] and first[4:7] == last[4:7]
    if is_lattice and all(first[7 + side] == last[7 + side] for side in range(3) if side != axis):
        first[7 + axis] += last[7 + axis]
        return [first]
    return rows


def reachable(ways: np.ndarray, left: np.ndarray, container: np.ndarray) -> np.ndarray:
    """Return the longest row of boxes that is not longer than a length, int64[3, longest + 1], for each axis."""
    found = np.zeros((3, int(container.max()) + 1), np.int64)
    for axis in range(3):
        reached, all_of_them = 1, (1 << int(container[axis]) + 1) - 1
        for kind, number in enumerate(left.tolist()):
            lengths = {*ways[ways[:, 0] == kind, 1 + axis].tolist()}
            for _ in range(number):
                before = reached
                for length in lengths:
                    reached |= before << length & all_of_them
                if reached == before:
                    break
        bits = np.array([*bin(reached)[:1:-1]]) == "1"
        found[axis, : len(bits)] = np.where(bits, np.arange(len(bits)), 0)
        found[axis] = np.maximum.accumulate(found[axis])
    return found


def kinds_in(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which kinds each block has, int64[blocks, n], and how many boxes of each; -1 and 0 follow them."""
    most = int((counts > 0).sum(axis=1).max(initial=1))
    kinds = np.argsort(counts == 0, axis=1, kind="stable")[:, :most]
    numbers = np.take_along_axis(counts, kinds, axis=1)
    return np.where(numbers > 0, kinds, -1), numbers


@allocating
def still_able(able: np.ndarray, left: np.ndarray, kinds: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return which blocks of ``able`` the boxes ``left`` make, int64[n]."""
    found, kept = np.empty_like(able), 0
    for block in able:
        is_able = True
        for place in range(kinds.shape[1]):
            kind = kinds[block, place]
            if kind >= 0 and numbers[block, place] > left[kind]:
                is_able = False
                break
        if is_able:
            found[kept] = block
            kept += 1
    return found[:kept].copy()
