"""Kinds of boxes: their form, Bischoff and Ratcliff's files (thpack of OR-Library), and their generator."""

import math
from collections.abc import Iterator
from itertools import count, permutations
from typing import Any

import numpy as np

from nrpa.io.source import Source
from nrpa.problems.common import fault_in_list, instance_meant, is_whole
from nrpa.problems.lines import Located, located_lines, split_lines
from nrpa.problems.packing.layouts import MOST, fault_in_rows, overlap

KIND = "length, width and height, each followed by 1 if it may stand upright, else 0, and how many boxes"
LONGEST = 100_000
"""The longest side."""
CONTAINER = 587, 233, 220
LEAST, LARGEST, STEADY = (30, 25, 20), (120, 100, 80), 2


def ways_of(row: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Return the sides along the three axes, in each way that a box of a kind may stand."""
    sides = list(zip(row[0:6:2], row[1:6:2], strict=True))
    return sorted({(one[0], two[0], up[0]) for one, two, up in permutations(sides) if up[1]})


def is_side(value: object) -> bool:
    """Return whether a value can be the side of a box or a container."""
    return is_whole(value, 1, LONGEST)


def fault_in_kinds(container: object, boxes: object) -> str | None:
    """Return why arguments are no container and boxes; None if they are."""
    if not (isinstance(container, (list, tuple)) and len(container) == 3 and all(map(is_side, container))):
        return f"container: expected three whole numbers from 1 to {LONGEST:,}"
    fault = fault_in_list(boxes, "boxes are a list of kinds", "kind", KIND, _is_kind)
    if not fault and not 1 <= sum(row[6] for row in boxes) <= MOST:  # type: ignore[attr-defined]
        return f"expected 1 to {MOST:,} boxes"
    return fault


def _is_kind(row: object) -> bool:
    if not isinstance(row, (list, tuple)) or len(row) != 7:
        return False
    is_flagged = all(is_whole(flag, 0, 1) for flag in row[1:6:2]) and sum(row[1:6:2]) > 0
    return is_flagged and all(map(is_side, row[0:6:2])) and is_whole(row[6], 1, MOST)


def read_boxes(source: Source) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the container and the kinds of boxes of one problem in a file, whose name there is its number."""
    lines = iter(located_lines(source.text, source.label))
    (many,) = _numbers(lines, source, 1, "how many problems follow")
    found = {}
    for _ in range(many):
        number, _ = _numbers(lines, source, 2, "the number of a problem and its seed")
        container = _numbers(lines, source, 3, "length, width and height of the container")
        (kinds,) = _numbers(lines, source, 1, "the number of kinds of boxes")
        rows = [_numbers(lines, source, 8, f"the number of the kind, {KIND}") for _ in range(kinds)]
        found[str(number)] = container, [tuple(row[1:]) for row in rows]
    for line in lines:
        line.expected(f"nothing after {many:,} problems")
    return instance_meant(found, source)


def _numbers(lines: Iterator[Located], source: Source, expected: int, what: str) -> list[int]:
    line = next(lines, None) or Located("", source.label, len(split_lines(source.text)) + 1)
    words = line.words()
    if len(words) != expected:
        line.expected(what)
    return [word.whole(0, 10**9, what) for word in words]


def faults_in_loading(solution: Any, container: tuple[int, ...], boxes: list[tuple[int, ...]]) -> list[str]:
    """Return what is wrong with blocks of boxes in a container."""
    fault = fault_in_rows(solution, "[kind, x, y, z, dx, dy, dz, nx, ny, nz]")
    if fault:
        return [fault]
    used = [0] * len(boxes)
    for number, (kind, *block) in enumerate(solution, 1):
        boxes_in = math.prod(block[6:])
        if not (1 <= kind <= len(used) and boxes_in and tuple(block[3:6]) in ways_of(boxes[kind - 1])):
            return [f"block {number}: expected boxes of a kind from 1 to {len(used)}, as they may stand"]
        used[kind - 1] += boxes_in
    rows = np.array(solution, np.int64).reshape(-1, 10)
    low, size = rows[:, 1:4], rows[:, 4:7] * rows[:, 7:]
    faults = [
        *(
            f"kind {k}: {n} boxes, of {row[6]}"
            for k, (n, row) in enumerate(zip(used, boxes, strict=True), 1)
            if n > row[6]
        ),
        "a block sticks out" if (low + size > container).any() else None,
        overlap(low, size),
    ]
    return [fault for fault in faults if fault]


def draw_boxes(kinds: int, seed: int) -> str:
    """Return a problem as a file of Bischoff and Ratcliff's form, drawn by their generator.

    Their problem p has the seed 2502505 + 100 (p - 1); BR1 to BR7 have 3, 5, 8, 10, 12, 15 and 20 kinds of boxes.
    """
    random = _minimal_standard(seed)
    boxes = []
    for _ in range(kinds):
        sides = [int(low + next(random) * (high - low + 1)) for low, high in zip(LEAST, LARGEST, strict=True)]
        one, two, three = sorted(sides, reverse=True)
        upright = one < STEADY * three, two < STEADY * three, True
        boxes.append([one, int(upright[0]), two, int(upright[1]), three, 1, 1])
    volumes = [row[0] * row[2] * row[4] for row in boxes]
    room = math.prod(CONTAINER) - sum(volumes)
    while volumes[kind := int(next(random) * kinds)] <= room:
        boxes[kind][6] += 1
        room -= volumes[kind]
    rows = [(1, seed), CONTAINER, (kinds,), *((number, *row) for number, row in enumerate(boxes, 1))]
    return "".join(f"{' '.join(map(str, row))}\n" for row in ((1,), *rows))


def _minimal_standard(seed: int) -> Iterator[float]:
    """Yield numbers from 0 to 1 of Park and Miller's generator, after the first ten."""
    for place in count():
        seed = 16_807 * seed % (2**31 - 1)
        if place >= 10:
            yield seed / (2**31 - 1)
