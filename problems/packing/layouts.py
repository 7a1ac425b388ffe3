"""Layouts of rectangles and boxes as they are read, checked and drawn; nothing of a search."""

from collections import Counter
from collections.abc import Iterable
from string import ascii_letters
from typing import Any

import numpy as np

from nrpa.io.source import Source
from nrpa.problems.common import fault_in_list, is_whole, whole_text
from nrpa.problems.lines import Located, located_lines

LONGEST = 10_000
"""The longest side."""
MOST = 2_000
"""The most rectangles or boxes."""
COLUMNS, EMPTY = 60, "."


def is_side(value: object) -> bool:
    """Return whether a value can be the side of a rectangle or a box."""
    return is_whole(value, 1, LONGEST)


def fault_in_rectangles(rectangles: Any, sides: dict[str, Any]) -> str | None:
    """Return why arguments are no rectangles, or no sides of a strip or of bins; None if they are."""
    for what, side in sides.items():
        if not is_side(side):
            return f"{what}: expected a whole number from 1 to {LONGEST:,}"
    expected = f"a width and a height, whole numbers from 1 to {LONGEST:,}"
    fault = fault_in_list(rectangles, "rectangles are a list of pairs (width, height)", "rectangle", expected, _is_pair)
    if fault is None and not 1 <= len(rectangles) <= MOST:
        return f"expected 1 to {MOST:,} rectangles, found {len(rectangles):,}"
    return fault


def _is_pair(value: object) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2 and all(map(is_side, value))


def is_row(value: object, length: int) -> bool:
    """Return whether a value is a list of so many whole numbers from 0 to 10^8."""
    return isinstance(value, (list, tuple)) and len(value) == length and all(is_whole(x, 0, 10**8) for x in value)


def read_rectangles(source: Source, heading: int, what: str) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the numbers of the second line of 2DPackLib's form, so many, and all rectangles; InputError if it is not.

    The first line has the number of rows, each ``number width height``, and the demand if it is not 1. 2DPackLib has
    two more columns, which mean something in other problems only.
    """
    lines = located_lines(whole_text(source), source.label)
    first, second = [*lines, *[Located("", source.label, len(lines) + 1)] * 2][:2]
    count = first.whole(1, MOST, f"how many rows of rectangles follow, 1 to {MOST:,}")
    sides = second.words()
    if len(sides) != heading:
        second.expected(what)
    head = [_side(word) for word in sides]
    if len(lines) != count + 2:
        first.fail(f"expected as many rows of rectangles as it says, found {len(lines) - 2:,} for {count:,}")
    rectangles: list[tuple[int, int]] = []
    for number, line in enumerate(lines[2:], 1):
        words = line.words()
        if len(words) not in (3, 4, 6):
            line.expected("`number width height`, and the demand if it is not 1")
        words[0].whole(number, number, f"{number}, the number of the row")
        demand = words[3].whole(1, MOST, f"a demand, 1 to {MOST:,}") if len(words) > 3 else 1
        rectangles += [(_side(words[1]), _side(words[2]))] * demand
    return head, rectangles


def _side(word: Located) -> int:
    return word.whole(1, LONGEST, f"a side, a whole number from 1 to {LONGEST:,}")


def fault_in_rows(rows: object, form: str) -> str | None:
    """Return why something is no list of rows of whole numbers; ``form`` says what they mean, as ``[x, y, width]``."""
    length = form.count(",") + 1
    return fault_in_list(rows, f"a layout is a list of rows {form}", "row", form, lambda row: is_row(row, length))


def faults_in_layout(
    rows: np.ndarray, wanted: Iterable[tuple[int, int]], turn: bool, width: int, height: int
) -> list[str]:
    """Return what is wrong with rows ``bin, x, y, width, height`` of what is ``wanted``, int64[rows, 5].

    Rectangles that may ``turn`` are those wanted if they have the same sides.
    """
    number, low, size = rows[:, :1], rows[:, 1:3], rows[:, 3:]
    sides, found = [tuple(sorted(each) if turn else each) for each in wanted], np.sort(size) if turn else size
    out = ~((low + size) <= (width, height)).all(axis=1)
    bins = np.unique(number)
    faults = [
        fault_in_counts(map(tuple, found.tolist()), sides),
        overlap(np.hstack((number, low)), np.hstack((np.ones_like(number), size))),
        f"row {int(out.argmax()) + 1} is not within {width:,} x {height:,}" if out.any() else None,
        None if (bins == np.arange(1, len(bins) + 1)).all() else "bins are not numbered 1, 2, 3, …",
    ]
    return [fault for fault in faults if fault]


def fault_in_counts(found: Iterable[tuple[int, ...]], expected: Iterable[tuple[int, ...]]) -> str | None:
    """Return what is laid more often, or less, than it is there; None if nothing is."""
    have, want = Counter(found), Counter(expected)
    for each in sorted({*have, *want}):
        if have[each] != want[each]:
            return f"{' x '.join(map(str, each))}: expected {want[each]}, found {have[each]}"
    return None


def overlap(low: np.ndarray, size: np.ndarray) -> str | None:
    """Return which two rows overlap; ``low`` and ``size`` have a row for each, a column for each dimension."""
    high = low + size
    for row in range(len(low)):
        meets = ((low[row] < high[:row]) & (low[:row] < high[row])).all(axis=1)
        if meets.any():
            return f"rows {int(meets.argmax()) + 1} and {row + 1} overlap"
    return None


def picture(rows: Iterable[tuple[int, int, int, int]], width: int, height: int) -> str:
    """Return rectangles ``(x, y, width, height)`` as a grid of letters, a dot where there is none, the top row first.

    A line has a character for each unit, or 60 characters where there are more.
    """
    columns = min(width, COLUMNS)
    lines = max(1, round(height * columns / width / (1 if columns == width else 2)))
    x, y = ((np.arange(n) + 0.5) * length / n for n, length in ((columns, width), (lines, height)))
    grid = np.full((lines, columns), EMPTY)
    for number, (left, low, w, h) in enumerate(rows):
        inside = ((low <= y) & (y < low + h))[:, None] & ((left <= x) & (x < left + w))
        grid[inside] = ascii_letters[number % len(ascii_letters)]
    return "\n".join("".join(line) for line in grid[::-1])
