"""A SameGame game as text: its positions, side by side."""

from collections.abc import Iterable
from itertools import zip_longest

from nrpa.problems.samegame.rules import Columns, Step, without

WIDTH = 120
LETTERS = "abcdefghijklmnopqrst"


def draw_board(board: Columns, shape: tuple[int, ...], taken: Iterable[tuple[int, int]] = ()) -> list[str]:
    """Return the rows of a board, from the top: a letter for each colour, a capital where a cell is taken."""
    height, width = shape
    grid = [["."] * width for _ in range(height)]
    for x, column in enumerate(board):
        for y, colour in enumerate(column):
            grid[y][x] = LETTERS[colour]
    for x, y in taken:
        grid[y][x] = grid[y][x].upper()
    return ["".join(row) for row in reversed(grid)]


def draw_game(board: Columns, shape: tuple[int, ...], steps: list[Step], most: int | None = None) -> str:
    """Return the positions of a game as text, side by side."""
    blocks = []
    points = 0
    for k, step in enumerate(steps, start=1):
        points += step.points
        blocks.append([f"{k}: +{step.points} = {points}", *draw_board(step.board, shape, step.cells)])
        board = without(step.board, step.cells)
    blocks.append([f"end: {points}", *draw_board(board, shape)])
    if most is not None and len(blocks) > most:
        last = len(blocks) - 1
        blocks = [blocks[k * last // (most - 1)] for k in range(most)]
    column = max(len(line) for block in blocks for line in block) + 2
    across = max(1, WIDTH // column)
    rows = [blocks[k : k + across] for k in range(0, len(blocks), across)]
    return "\n\n".join("\n".join(_beside(row, column)) for row in rows)


def _beside(blocks: list[list[str]], column: int) -> list[str]:
    return ["".join(part.ljust(column) for part in parts).rstrip() for parts in zip_longest(*blocks, fillvalue="")]
