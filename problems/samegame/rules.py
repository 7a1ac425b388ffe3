"""SameGame in plain Python, sharing nothing with the kernels: the rules, the check of a game, positions as text.

A board here is a list of columns, each a list of colours from the bottom up: falling and closing up need no more than
leaving cells out.
"""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from nrpa.modelling.objective import Verdict
from nrpa.problems.common import fault_in_list, is_whole

CLEARED = 1000
WIDTH, LETTERS = 60, "abcdefghijklmnopqrst"

Columns = list[list[int]]
Cell = tuple[int, int]


class SameGameStep(NamedTuple):
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
    """Return a board after cells are taken: what lies above falls, empty columns close; other columns are shared."""
    kept = board.copy()
    for x in {x for x, _ in cells}:
        kept[x] = [c for y, c in enumerate(board[x]) if (x, y) not in cells]
    return [column for column in kept if column]


def replay(board: Columns, moves: list[Cell]) -> Iterator[SameGameStep]:
    """Yield the steps of a game; end before a move that is not legal."""
    for column, row in moves:
        cells = group(board, column, row)
        if len(cells) < 2:
            return
        after = without(board, cells)
        yield SameGameStep(board, cells, (len(cells) - 2) ** 2 + (0 if after else CLEARED))
        board = after


def board_rows(board: Columns, shape: tuple[int, ...], taken: Iterable[tuple[int, int]] = ()) -> list[str]:
    """Return the rows of a board, from the top: a letter for each colour, a capital where a cell is taken."""
    height, width = shape
    grid = [["."] * width for _ in range(height)]
    for x, column in enumerate(board):
        for y, colour in enumerate(column):
            grid[y][x] = LETTERS[colour]
    for x, y in taken:
        grid[y][x] = grid[y][x].upper()
    return ["".join(row) for row in reversed(grid)]


def draw_samegame(board: Columns, shape: tuple[int, ...], steps: list[SameGameStep], most: int | None = None) -> str:
    """Return the positions of a game as text, side by side."""
    blocks = []
    points = 0
    for k, step in enumerate(steps, start=1):
        points += step.points
        blocks.append([f"{k}: +{step.points} = {points}", *board_rows(step.board, shape, step.cells)])
        board = without(step.board, step.cells)
    blocks.append([f"end: {points}", *board_rows(board, shape)])
    if most is not None and len(blocks) > most:
        last = len(blocks) - 1
        blocks = [blocks[k * last // (most - 1)] for k in range(most)]
    column = max(len(line) for block in blocks for line in block) + 2
    across = max(1, WIDTH // column)
    rows = [blocks[k : k + across] for k in range(0, len(blocks), across)]
    return "\n\n".join("\n".join(_side_by_side(row, column)) for row in rows)


def _side_by_side(blocks: list[list[str]], column: int) -> list[str]:
    return ["".join(part.ljust(column) for part in parts).rstrip() for parts in zip_longest(*blocks, fillvalue="")]


def check_samegame(board: Columns, game: Any) -> Verdict:
    """Check that each cell of a game is of a group when its turn comes, and that no group is left."""

    def is_cell(found: Any) -> bool:
        return isinstance(found, list) and len(found) == 2 and all(map(is_whole, found))

    fault = fault_in_list(game, "a game is a list of cells [column, row]", "move", "a cell [column, row]", is_cell)
    if fault:
        return Verdict({}, [fault])
    steps = list(replay(board, [(column, row) for column, row in game]))
    points, faults = sum(step.points for step in steps), []
    if steps:
        board = without(steps[-1].board, steps[-1].cells)
    if len(steps) < len(game):
        faults.append(_illegal(board, len(steps) + 1, *game[len(steps)]))
    elif groups(board):
        column, row = min(groups(board)[0])
        faults.append(f"the game is not over: a group can be played at [{column}, {row}]")
    figures = {"points": points, "moves": len(steps), "cells_left": sum(map(len, board))}
    return Verdict(figures, faults, score=None if len(steps) < len(game) else float(points))


def _illegal(board: Columns, move: int, column: int, row: int) -> str:
    size = len(group(board, column, row))
    why = "the cell is empty" if size == 0 else "the cell has no neighbour of its colour"
    return f"move {move} at [{column}, {row}] is not legal: {why}"
