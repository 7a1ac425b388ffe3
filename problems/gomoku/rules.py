"""The rules of Gomoku in plain Python."""

from __future__ import annotations

from itertools import takewhile

from nrpa.problems.games.cells import EMPTY, board_text
from nrpa.problems.games.rules import BoardRules, winner_takes_all

FIVE = 5
DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))


class GomokuRules(BoardRules):
    """A position of Gomoku: five or more in a row win.

    Parameters
    ----------
    size : int
        The cells of a row.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.cells = [EMPTY] * size**2
        self.player = 0
        self.winner: int | None = None

    def legal(self) -> list[int]:
        """Return the empty cells, none where somebody has won."""
        return [cell for cell, owner in enumerate(self.cells) if owner == EMPTY and self.winner is None]

    def play(self, move: int) -> None:
        """Place a stone on a cell."""
        self.cells[move] = self.player
        for down, right in DIRECTIONS:
            if 1 + self._stones(move, down, right) + self._stones(move, -down, -right) >= FIVE:
                self.winner = self.player
        self.player = 1 - self.player

    def _stones(self, cell: int, down: int, right: int) -> int:
        """Return how many stones of the cell's owner lie beyond it in one direction, without a gap."""
        row, column = divmod(cell, self.size)
        ray = [(row + k * down, column + k * right) for k in range(1, self.size)]
        on_board = [(r, c) for r, c in ray if 0 <= r < self.size and 0 <= c < self.size]
        owner = self.cells[cell]
        return len(list(takewhile(lambda place: self.cells[place[0] * self.size + place[1]] == owner, on_board)))

    def rewards(self) -> tuple[float, ...]:
        """Return 1 for the winner and 0 for the other; 0.5 each where the board is full."""
        return winner_takes_all(self.winner, 2)

    def text(self) -> str:
        """Return the board."""
        return board_text(self.cells, self.size)
