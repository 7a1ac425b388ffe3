"""The rules of Hex in plain Python."""

from __future__ import annotations

from nrpa.problems.games.cells import EMPTY, board_text, neighbours
from nrpa.problems.games.rules import BoardRules, winner_takes_all

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1))


class HexRules(BoardRules):
    """A position of Hex: the first player connects top and bottom, the second left and right.

    Parameters
    ----------
    size : int
        The cells of a row.
    first : int or None
        The cell of the first player's first stone, which is there from the beginning; None for an empty board.
    """

    def __init__(self, size: int, first: int | None) -> None:
        self.size = size
        self.cells = [EMPTY] * size**2
        self.player = 0
        self.winner: int | None = None
        if first is not None:
            self.play(first)

    def legal(self) -> list[int]:
        """Return the empty cells, none where somebody has won."""
        return [cell for cell, owner in enumerate(self.cells) if owner == EMPTY and self.winner is None]

    def play(self, move: int) -> None:
        """Place a stone on a cell."""
        self.cells[move] = self.player
        if self._connects(move):
            self.winner = self.player
        self.player = 1 - self.player

    def _connects(self, cell: int) -> bool:
        """Return whether the stones that are connected with a cell reach from one side of their player to the other."""
        owner, reached, open_cells = self.cells[cell], {cell}, [cell]
        while open_cells:
            for beside in neighbours(open_cells.pop(), self.size, STEPS):
                if self.cells[beside] == owner and beside not in reached:
                    reached.add(beside)
                    open_cells.append(beside)
        lines = {divmod(place, self.size)[owner] for place in reached}
        return {0, self.size - 1} <= lines

    def rewards(self) -> tuple[float, ...]:
        """Return 1 for the winner and 0 for the other."""
        return winner_takes_all(self.winner, 2)

    def text(self) -> str:
        """Return the board; each row is moved to the right of the one above it."""
        return board_text(self.cells, self.size, slant=1)
