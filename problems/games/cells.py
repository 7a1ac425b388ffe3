"""Names and texts of square boards."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

LARGEST = 19
EMPTY = -1
MARKS = "XOZ"
"""What the stones of the first, second and third player look like as text."""


def cell_name(cell: int, size: int) -> str:
    """Return the name of a cell: a letter for its column and the number of its row, from the top.

    Parameters
    ----------
    cell : int
        The cell, counted row after row from 0.
    size : int
        The cells of a row, at most 26.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> cell_name(9, 7)
    'c2'
    """
    row, column = divmod(cell, size)
    return f"{ascii_lowercase[column]}{row + 1}"


def mark(owner: int) -> str:
    """Return what the stone of a player, or an empty cell (EMPTY), looks like as text."""
    return "." if owner == EMPTY else MARKS[owner]


def board_text(cells: Sequence[int], size: int, slant: int = 0) -> str:
    """Return a board as text, with the letters of its columns and the numbers of its rows.

    Parameters
    ----------
    cells : sequence of int
        The owner of each cell, row after row, or EMPTY.
    size : int
        The cells of a row.
    slant : int
        How far each row is moved to the right of the one above it.

    Returns
    -------
    str
        A line for the letters, and one for each row.

    Examples
    --------
    >>> print(board_text([0, -1, 1, 0], 2, slant=1))
        a b
     1  X .
     2   O X
    """
    lines = ["    " + " ".join(ascii_lowercase[:size])]
    for row in range(size):
        marks = " ".join(mark(owner) for owner in cells[row * size : (row + 1) * size])
        lines.append(f"{row + 1:2}  {' ' * (slant * row)}{marks}")
    return "\n".join(lines)


def neighbours(cell: int, size: int, steps: Sequence[tuple[int, int]]) -> list[int]:
    """Return the cells of the board that some steps lead to.

    Parameters
    ----------
    cell : int
        Where the steps begin.
    size : int
        The cells of a row.
    steps : sequence of (int, int)
        Steps in rows and columns.

    Returns
    -------
    list of int
        The cells, without those off the board.

    Examples
    --------
    >>> neighbours(0, 3, ((0, 1), (1, 0), (0, -1), (-1, 0)))
    [1, 3]
    """
    row, column = divmod(cell, size)
    ends = [(row + down, column + right) for down, right in steps]
    return [r * size + c for r, c in ends if 0 <= r < size and 0 <= c < size]
