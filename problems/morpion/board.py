"""The board of the kernels: where a position lies on it, and how moves are numbered."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from nrpa.base.errors import InputError
from nrpa.problems.morpion.kernels import BORDER, CELL_BITS, CELL_MASK, Instance
from nrpa.problems.morpion.rules import STEPS, Dot, MorpionGame, Move, line_of

SIDES = (32, 64)
WORD = 63
LEAST_MARGIN = 10
DIRECTIONS = tuple(STEPS)


@dataclass(frozen=True)
class Board:
    """A square of cells, ``side`` a power of two; (0, 0) of a game is in column ``left`` and row ``top``."""

    side: int
    left: int
    top: int

    @property
    def usable(self) -> range:
        """The coordinates of the cells that a line may have: as many as a word has bits for."""
        return range(min(self.side, WORD - BORDER))

    @property
    def area(self) -> tuple[range, range]:
        """The usable x and y in the game's coordinates."""
        size = len(self.usable)
        return range(-self.left, size - self.left), range(-self.top, size - self.top)

    @property
    def lines(self) -> int:
        """The number of line numbers, used or not."""
        return 4 * self.side**2

    def row_and_place(self, x: int, y: int, direction: str) -> tuple[int, int]:
        """Return where a cell lies in the rows of one direction."""
        row = {"H": y, "V": x, "DP": x + y, "DN": x - y}[direction] % self.side
        return DIRECTIONS.index(direction) * self.side + row, y if direction == "V" else x

    def number(self, move: Move, length: int) -> int:
        """Return the kernels' number of a move."""
        x, y = line_of(move, length)[0]
        row, place = self.row_and_place(x + self.left, y + self.top, move.direction)
        cell = (move.y + self.top) * self.side + move.x + self.left
        return ((move.position * 4 * self.side + row) * self.side + place) << CELL_BITS | cell

    def move(self, number: int) -> Move:
        """Return the move of a kernels' number."""
        code, cell = number >> CELL_BITS, number & CELL_MASK
        y, x = divmod(cell, self.side)
        position, line = divmod(code, self.lines)
        return Move(x - self.left, y - self.top, DIRECTIONS[line // self.side**2], position)


def board_for(dots: set[Dot]) -> Board:
    """Return the smallest board for a game, with the dots of its start in the middle.

    Raises InputError if no board is large enough.
    """
    columns, rows = [x for x, _ in dots], [y for _, y in dots]
    width, height = max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
    for side in SIDES:
        usable = Board(side, 0, 0).usable
        most = len(usable) - 2 * LEAST_MARGIN
        if max(width, height) <= most:
            left = (len(usable) - width) // 2 - min(columns)
            top = (len(usable) - height) // 2 - min(rows)
            return Board(side, left, top)
    raise InputError(f"the start position must fit into {most} rows and columns, not {height} and {width}")


def compile_game(game: MorpionGame, board: Board) -> Instance:
    """Return a position in the form of the kernels."""
    length, reach = game.length, game.length - 1 - game.touching
    dots = np.zeros(4 * board.side, np.int64)
    for x, y in game.dots:
        for direction in DIRECTIONS:
            row, place = board.row_and_place(x + board.left, y + board.top, direction)
            dots[row] |= 1 << (place + BORDER)
    taken = _undrawable(board, length)
    for direction, lines in game.lines.items():
        for x, y in (line[0] for line in lines):
            row, place = board.row_and_place(x + board.left, y + board.top, direction)
            taken[row] |= ((1 << (2 * reach + 1)) - 1) << (place + BORDER - reach)
    columns, rows = board.area
    moves = [m for m in game.legal_moves() if all(x in columns and y in rows for x, y in line_of(m, length))]
    return Instance(
        dots=dots,
        taken=taken,
        open=np.array(sorted(board.number(move, length) for move in moves), np.int64),
        played=len(game.moves),
        side=board.side,
        shift=board.side.bit_length() - 1,
        length=length,
        reach=reach,
        step=np.array([dx + dy * board.side for dx, dy in STEPS.values()]),
        nearly=_nearly(length),
        corner=_corners(board),
    )


def _undrawable(board: Board, length: int) -> np.ndarray:
    """Return the first cells, by row, of the lines that leave the usable part of the board."""
    free = np.zeros(4 * board.side, np.int64)
    for (direction, (dx, dy)), x, y in product(STEPS.items(), board.usable, board.usable):
        if x + (length - 1) * dx in board.usable and y + (length - 1) * dy in board.usable:
            row, place = board.row_and_place(x, y, direction)
            free[row] |= 1 << (place + BORDER)
    return ((1 << WORD) - 1) & ~free


def _corners(board: Board) -> np.ndarray:
    """Return ``Instance.corner``."""
    corners = np.zeros((4 * board.side, board.side), np.uint16)
    for direction, y, x in product(DIRECTIONS, range(board.side), range(board.side)):
        corners[board.row_and_place(x, y, direction)] = y * board.side + x
    return corners.ravel()


def _nearly(length: int) -> np.ndarray:
    """Return ``Instance.nearly``: bit k of entry w is set if bits k to k + length - 1 of w lack exactly one."""
    whole = (1 << length) - 1
    around = np.arange(1 << (2 * length - 1))
    table = np.zeros(len(around), np.uint8)
    for k in range(length):
        lacking = whole & ~(around >> k)
        one = (lacking != 0) & (lacking & (lacking - 1) == 0)
        table |= (one << k).astype(np.uint8)
    return table
