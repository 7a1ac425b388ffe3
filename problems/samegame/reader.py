"""Reading SameGame boards."""

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.problems.common import blank_before, fail, filled_lines, whole_within

SMALLEST, LARGEST = 2, 50
MOST_COLOURS = 20
EMPTY = -1
NONE = (EMPTY, "")
EXPECTED = "expected a colour (a digit or a letter), or '.' or -1 for an empty cell"

Lines = list[tuple[int, str]]
Rows = list[tuple[int, list[str]]]


def parse_board(text: str, label: str) -> np.ndarray:
    """Return the board of a text file: one line a row, the top one first; ``#`` starts a comment.

    With blanks between the cells a colour is a whole number or a letter, and -1 is an empty cell; without blanks it is
    one digit or letter. Capital letters count as small ones; ``.`` is an empty cell. The numbers of rows and columns
    may stand in a line above. Colours are numbered from 0 by their symbols, numbers before letters, in int64[height,
    width]; -1 is an empty cell.
    """
    lines = filled_lines(text.lower())
    if not lines:
        raise InputError(f"{label}: is empty; expected the rows of a SameGame board")
    _check_one_board(text, lines[1:], label)
    lines = _without_sizes(lines, label)
    _check_one_board(text, lines, label)
    rows = _rows(lines)
    _check_shape(rows, label)
    board = _colours(rows, label)
    _check_settled(board, rows, label)
    return board


def _check_one_board(text: str, lines: Lines, label: str) -> None:
    if line := blank_before(text, [number for number, _ in lines]):
        fail(label, line, "a row after a blank line; expected one board, without blank lines between its rows")


def _rows(lines: Lines) -> Rows:
    blanks = any(len(line.split()) > 1 for _, line in lines)
    return [(number, line.split() if blanks else list(line)) for number, line in lines]


def _without_sizes(lines: Lines, label: str) -> Lines:
    """Return the lines without the first one if it says how many rows and columns follow."""
    (number, first), below = lines[0], lines[1:]
    sizes = [whole_within(word, 1, 10**18) or 0 for word in first.split()]
    if len(sizes) > 2 or 0 in sizes or len(below) < SMALLEST:
        return lines
    shape = _shape(_rows(below))
    if sorted([*sizes, *sizes][:2]) == sorted(shape):
        if _shape(_rows(lines))[1]:
            fail(label, number, f"{first!r} can be the sizes of the board or a row; leave out sizes, or write letters")
        return below
    if not _shape(_rows(lines))[1] and shape[1]:
        what = f"{len(below)} rows of {shape[1]} cells"
        fail(label, number, f"expected a row, or the sizes of the board, which has {what}; found {shortened(first)!r}")
    return lines


def _shape(rows: Rows) -> tuple[int, int]:
    """Return the number of rows, and that of the cells in each of them, 0 if they differ."""
    widths = {len(row) for _, row in rows}
    return len(rows), widths.pop() if len(widths) == 1 else 0


def _check_shape(rows: Rows, label: str) -> None:
    first, width = rows[0][0], len(rows[0][1])
    for line, row in rows:
        if len(row) != width:
            fail(label, line, f"expected {width} cells as in line {first}, found {len(row)}")
    for figure, what in ((width, "columns"), (len(rows), "rows")):
        if not SMALLEST <= figure <= LARGEST:
            fail(label, rows[-1][0], f"expected {SMALLEST} to {LARGEST} {what}, found {figure}")


def _colours(rows: Rows, label: str) -> np.ndarray:
    symbols = [[_symbol(word, label, line) for word in row] for line, row in rows]
    colours = sorted({symbol for row in symbols for symbol in row} - {NONE})
    if len(colours) > MOST_COLOURS:
        raise InputError(f"{label}: expected at most {MOST_COLOURS} colours, found {len(colours)}")
    if not colours:
        raise InputError(f"{label}: every cell is empty; expected a board to play on")
    number = {NONE: EMPTY, **{symbol: k for k, symbol in enumerate(colours)}}
    return np.array([[number[symbol] for symbol in row] for row in symbols])


def _symbol(word: str, label: str, line: int) -> tuple[int, str]:
    """Return what orders the colour that a cell is written as: a number, or a letter after all numbers."""
    if word in (".", "-1"):
        return NONE
    if len(word) == 1 and "a" <= word <= "z":
        return 10**4, word
    if not (word.isascii() and word.isdigit() and len(word) <= 4):
        fail(label, line, f"{EXPECTED}, found {word[:20]!r}")
    return int(word), ""


def _check_settled(board: np.ndarray, rows: Rows, label: str) -> None:
    """Refuse cells that hang over an empty one, and columns beyond an empty one."""
    full = board != EMPTY
    for y, x in np.argwhere(full[:-1] & ~full[1:])[:1]:
        fail(label, rows[y][0], f"the cell in column {x + 1} hangs over an empty one")
    bottom = full[-1]
    for x in np.flatnonzero(bottom[1:] & ~bottom[:-1])[:1]:
        fail(
            label, rows[-1][0], f"column {x + 1} is empty; expected the columns to the right of it moved up to the left"
        )
