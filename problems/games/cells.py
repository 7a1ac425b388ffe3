"""Names and texts of square boards."""

from collections.abc import Sequence
from string import ascii_lowercase

import numpy as np

LARGEST = 19
EMPTY = -1
MARKS = "XOZ"
"""What the stones of the first, second and third player look like as text."""


def words_for(cells: int) -> int:
    """Return how many words of 64 bits hold a bit for each of some cells."""
    return -(-cells // 64)


def cell_name(cell: int, size: int) -> str:
    """Return the name of a cell: a letter for its column and the number of its row, from the top."""
    row, column = divmod(cell, size)
    return f"{ascii_lowercase[column]}{row + 1}"


def mark(owner: int) -> str:
    """Return what the stone of a player, or an empty cell (EMPTY), looks like as text."""
    return "." if owner == EMPTY else MARKS[owner]


def board_text(cells: Sequence[int], size: int, slant: int = 0) -> str:
    """Return a board as text, with the letters of its columns and the numbers of its rows.

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
    """Return the cells of the board that some steps lead to."""
    row, column = divmod(cell, size)
    ends = [(row + down, column + right) for down, right in steps]
    return [r * size + c for r, c in ends if 0 <= r < size and 0 <= c < size]


def neighbour_table(size: int, steps: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return the neighbours of each cell, then -1 for those off the board, in int16[size², steps]."""
    table = np.full((size**2, len(steps)), -1, np.int16)
    for cell, row in enumerate(table):
        beside = neighbours(cell, size, steps)
        row[: len(beside)] = beside
    return table
