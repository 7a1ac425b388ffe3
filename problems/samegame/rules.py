"""The rules of SameGame in plain Python, sharing nothing with the kernels.

A board here is a list of columns, each a list of colours from the bottom up: falling and closing up need no more than
leaving cells out.
"""

from collections.abc import Iterator
from typing import NamedTuple

CLEARED = 1000

Columns = list[list[int]]
Cell = tuple[int, int]


class Step(NamedTuple):
    """One move of a game: the board before it, the cells (column, row) that it takes, the points that they bring."""

    board: Columns
    cells: set[Cell]
    points: int


def group(board: Columns, column: int, row: int) -> set[Cell]:
    """Return the cells that are connected with a cell through its own colour."""
    if not (0 <= column < len(board) and 0 <= row < len(board[column])):
        return set()
    colour = board[column][row]
    found = {(column, row)}
    left = [(column, row)]
    while left:
        x, y = left.pop()
        for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            inside = 0 <= near[0] < len(board) and 0 <= near[1] < len(board[near[0]])
            if inside and near not in found and board[near[0]][near[1]] == colour:
                found.add(near)
                left.append(near)
    return found


def groups(board: Columns) -> list[set[Cell]]:
    """Return the groups of two cells and more."""
    found: list[set[Cell]] = []
    seen: set[Cell] = set()
    for column, cells in enumerate(board):
        for row in range(len(cells)):
            if (column, row) not in seen:
                connected = group(board, column, row)
                seen |= connected
                if len(connected) > 1:
                    found.append(connected)
    return found


def without(board: Columns, cells: set[Cell]) -> Columns:
    """Return a board after cells are taken: what lies above falls, empty columns close."""
    kept = [[c for y, c in enumerate(column) if (x, y) not in cells] for x, column in enumerate(board)]
    return [column for column in kept if column]


def replay(board: Columns, moves: list[Cell]) -> Iterator[Step]:
    """Yield the steps of a game; end before a move that is not legal."""
    for column, row in moves:
        cells = group(board, column, row)
        if len(cells) < 2:
            return
        after = without(board, cells)
        yield Step(board, cells, (len(cells) - 2) ** 2 + (0 if after else CLEARED))
        board = after
