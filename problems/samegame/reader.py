"""Reading SameGame boards."""

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.problems.lines import Located, located_lines, refuse_gaps, whole_within

SMALLEST, LARGEST = 2, 254
BEYOND = "; a search numbers cells with 16 bits"
MOST_COLOURS = 20
EMPTY = -1
NONE = (EMPTY, "")
EXPECTED = "a colour (a digit or a letter), or '.' or -1 for an empty cell"
ONE_BOARD = "a row after a blank line; expected one board, without blank lines between its rows"

Lines = list[Located]
Rows = list[list[Located]]


def parse_board(text: str, label: str) -> np.ndarray:
    """Return the board of a text file: one line a row, the top one first; ``#`` starts a comment.

    With blanks between the cells a colour is a whole number or a letter, and -1 is an empty cell; without blanks it is
    one digit or letter. Capital letters count as small ones; ``.`` is an empty cell. The numbers of rows and columns
    may stand in a line above. Colours are numbered from 0 by their symbols, numbers before letters, in int64[height,
    width]; -1 is an empty cell.
    """
    lines = located_lines(text.lower(), label)
    if not lines:
        raise InputError(f"{label}: is empty; expected the rows of a SameGame board")
    if len(lines) > LARGEST + 1:  # a line for the sizes
        _require_size(lines[-1], len(lines), "rows")
    refuse_gaps(text, lines[1:], ONE_BOARD)
    lines = _without_sizes(lines)
    refuse_gaps(text, lines, ONE_BOARD)
    rows = _rows(lines)
    _check_shape(rows)
    board = _colours(rows, label)
    _check_settled(board, rows)
    return board


def _rows(lines: Lines) -> Rows:
    blanks = any(len(line.split()) > 1 for line in lines)
    for line in lines:
        _require_size(line, max(SMALLEST, len(line.split()) if blanks else len(line)), "columns")
    return [line.words() if blanks else [line.at(cell) for cell in line] for line in lines]


def _without_sizes(lines: Lines) -> Lines:
    """Return the lines without the first one if it says how many rows and columns follow."""
    first, below = lines[0], lines[1:]
    sizes = [whole_within(word, 1, 10**18) or 0 for word in first.split()]
    if len(sizes) > 2 or 0 in sizes or len(below) < SMALLEST:
        return lines
    shape = _shape(_rows(below))
    if sorted([*sizes, *sizes][:2]) == sorted(shape):
        if _shape(_rows(lines))[1]:
            first.fail(f"{first!r} can be the sizes of the board or a row; leave out sizes, or write letters")
        return below
    if not _shape(_rows(lines))[1] and shape[1]:
        what = f"{len(below)} rows of {shape[1]} cells"
        first.fail(f"expected a row, or the sizes of the board, which has {what}; found {shortened(first)!r}")
    return lines


def _shape(rows: Rows) -> tuple[int, int]:
    """Return the number of rows, and that of the cells in each of them, 0 if they differ."""
    widths = set(map(len, rows))
    return len(rows), widths.pop() if len(widths) == 1 else 0


def _check_shape(rows: Rows) -> None:
    width = len(rows[0])
    for row in rows:
        if len(row) != width:
            row[0].fail(f"expected {width} cells as in line {rows[0][0].line}, found {len(row)}")
    _require_size(rows[-1][0], width, "columns")
    _require_size(rows[-1][0], len(rows), "rows")


def _require_size(line: Located, figure: int, what: str) -> None:
    if not SMALLEST <= figure <= LARGEST:
        line.fail(f"expected {SMALLEST} to {LARGEST} {what}, found {figure:,}{BEYOND * (figure > LARGEST)}")


def _colours(rows: Rows, label: str) -> np.ndarray:
    symbols = [list(map(_symbol, row)) for row in rows]
    colours = sorted({symbol for row in symbols for symbol in row} - {NONE})
    if len(colours) > MOST_COLOURS:
        raise InputError(f"{label}: expected at most {MOST_COLOURS} colours, found {len(colours)}")
    if not colours:
        raise InputError(f"{label}: every cell is empty; expected a board to play on")
    number = {NONE: EMPTY, **{symbol: k for k, symbol in enumerate(colours)}}
    return np.array([[number[symbol] for symbol in row] for row in symbols])


def _symbol(word: Located) -> tuple[int, str]:
    """Return what orders the colour that a cell is written as: a number, or a letter after all numbers."""
    if word in (".", "-1"):
        return NONE
    if len(word) == 1 and "a" <= word <= "z":
        return 10**4, str(word)
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 4 else word.expected(EXPECTED), ""


def _check_settled(board: np.ndarray, rows: Rows) -> None:
    """Refuse cells that hang over an empty one, and columns beyond an empty one."""
    full = board != EMPTY
    for y, x in np.argwhere(full[:-1] & ~full[1:])[:1]:
        rows[y][x].fail(f"the cell in column {x + 1} hangs over an empty one")
    for x in np.flatnonzero(full[-1, 1:] & ~full[-1, :-1])[:1]:
        right = "expected the columns to the right of it moved up to the left"
        rows[-1][x].fail(f"column {x + 1} is empty; {right}")
