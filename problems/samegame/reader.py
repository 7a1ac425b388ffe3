"""Reading SameGame boards."""

import numpy as np

from nrpa.base.errors import InputError
from nrpa.problems.common import fail, filled_lines

SMALLEST, LARGEST = 2, 50
MOST_COLOURS = 20
EMPTY = -1

Rows = list[tuple[int, list[str]]]


def parse_board(text: str, label: str) -> np.ndarray:
    """Return the board of a text file: one line a row, the top one first; ``#`` starts a comment.

    With blanks between the cells a colour is a whole number or a letter; without blanks it is one digit or letter.
    Capital letters count as small ones; ``.`` is an empty cell. Colours are numbered from 0 by their symbols, numbers
    before letters, in int64[height, width]; −1 is an empty cell.
    """
    lines = filled_lines(text.lower())
    if not lines:
        raise InputError(f"{label}: is empty; expected the rows of a SameGame board")
    blanks = any(len(line.split()) > 1 for _, line in lines)
    rows = [(k, line.split() if blanks else list(line)) for k, line in lines]
    _check_shape(rows, label)
    board = _colours(rows, label)
    _check_settled(board, rows, label)
    return board


def _check_shape(rows: Rows, label: str) -> None:
    first, width = rows[0][0], len(rows[0][1])
    for line, row in rows:
        if len(row) != width:
            fail(label, line, f"expected {width} cells as in line {first}, found {len(row)}")
    for figure, what in ((width, "columns"), (len(rows), "rows")):
        if not SMALLEST <= figure <= LARGEST:
            fail(label, rows[-1][0], f"expected {SMALLEST} to {LARGEST} {what}, found {figure}")


def _colours(rows: Rows, label: str) -> np.ndarray:
    symbols = {symbol for line, row in rows for symbol in row if _is_colour(symbol, label, line)}
    if len(symbols) > MOST_COLOURS:
        raise InputError(f"{label}: expected at most {MOST_COLOURS} colours, found {len(symbols)}")
    if not symbols:
        raise InputError(f"{label}: every cell is empty; expected a board to play on")
    number = {symbol: k for k, symbol in enumerate(sorted(symbols, key=_order))}
    return np.array([[number.get(symbol, EMPTY) for symbol in row] for _, row in rows])


def _is_colour(symbol: str, label: str, line: int) -> bool:
    if symbol == ".":
        return False
    letter = len(symbol) == 1 and "a" <= symbol <= "z"
    if not (letter or (symbol.isascii() and symbol.isdigit() and len(symbol) <= 4)):
        fail(label, line, f"expected a colour (a digit or a letter) or '.', found {symbol[:20]!r}")
    return True


def _order(symbol: str) -> tuple[int, str]:
    return (int(symbol), symbol) if symbol.isdigit() else (10_000, symbol)


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
