"""A weak Schur partition as text."""

import re
from collections.abc import Sequence

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.problems.common import filled_lines

LARGEST = 10**6


def draw_partition(parts: Sequence[Sequence[int]]) -> str:
    """Return a line for each part: its numbers, runs of them as ``first-last``.

    >>> print(draw_partition([[1, 2, 4, 8], [3, 5, 6, 7]]))
    1-2 4 8
    3 5-7
    """
    return "\n".join(" ".join(_runs(sorted(part))) for part in parts)


def parse_partition(text: str) -> list[list[int]]:
    """Return the partition that a text holds: a line for each part, as ``draw_partition`` writes it."""
    lines = [(line, content.replace(",", " ").split()) for line, content in filled_lines(text)]
    return [[number for word in words for number in _run(word, line)] for line, words in lines if words]


def _runs(numbers: Sequence[int]) -> list[str]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return [str(first) if first == last else f"{first}-{last}" for first, last in runs]


def _run(word: str, line: int) -> range:
    found = re.fullmatch("([0-9]{1,7})(?:-([0-9]{1,7}))?", word)
    if found:
        first = int(found[1])
        last = int(found[2] or first)
        if 1 <= first <= last <= LARGEST:
            return range(first, last + 1)
    raise InputError(
        f"line {line}: expected a number from 1 to {LARGEST:,}, or a run such as 5-7, found {shortened(word)!r}"
    )
