"""A weak Schur partition as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nrpa.base.errors import InputError
from nrpa.base.values import shortened

LARGEST = 10**6


def draw_partition(parts: Sequence[Sequence[int]]) -> str:
    """Return a line for each part: its numbers, runs of them as ``first-last``.

    Parameters
    ----------
    parts : sequence of sequence of int
        The numbers of each part.

    Returns
    -------
    str
        The lines.

    Examples
    --------
    >>> print(draw_partition([[1, 2, 4, 8], [3, 5, 6, 7]]))
    1-2 4 8
    3 5-7
    """
    return "\n".join(" ".join(_runs(sorted(part))) for part in parts)


def parse_partition(text: str) -> list[list[int]]:
    r"""Return the partition that a text holds: a line for each part, as ``draw_partition`` writes it.

    Parameters
    ----------
    text : str
        Numbers and runs ``first-last`` between spaces or commas; ``#`` starts a comment, and lines without a number
        count for nothing.

    Returns
    -------
    list of list of int
        The numbers of each part.

    Raises
    ------
    InputError
        If there is anything else in it; the message names the line.

    Examples
    --------
    >>> parse_partition("1-2 4 8  # first\n3 5-7\n")
    [[1, 2, 4, 8], [3, 5, 6, 7]]
    """
    parts = []
    for line, content in enumerate(text.splitlines(), 1):
        words = content.split("#", 1)[0].replace(",", " ").split()
        if words:
            parts.append([number for word in words for number in _run(word, line)])
    return parts


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
