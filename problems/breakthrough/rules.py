"""The rules of Breakthrough and Knightthrough in plain Python."""

from typing import NamedTuple

from nrpa.problems.games.cells import EMPTY
from nrpa.problems.games.rules import BoardRules, winner_takes_all

ROWS = 2


class PieceStep(NamedTuple):
    """A step of a piece: rows forward, columns to the right, and whether it can capture."""

    forward: int
    right: int
    captures: bool


class AdvanceRules(BoardRules):
    """A position. The first player begins in the first two rows and goes down, the second the other way round."""

    def __init__(self, size: int, steps: tuple[PieceStep, ...]) -> None:
        super().__init__(size)
        self.steps = steps
        self.cells[: ROWS * size] = [0] * (ROWS * size)
        self.cells[-ROWS * size :] = [1] * (ROWS * size)

    def legal(self) -> list[int]:
        """Return the moves, each a cell times the number of cells plus the cell where the piece goes."""
        if self.winner is not None:
            return []
        moves = []
        for cell, owner in enumerate(self.cells):
            row, column = divmod(cell, self.size)
            for step in self.steps if owner == self.player else ():
                to_row, to_column = row + (1 - 2 * self.player) * step.forward, column + step.right
                if 0 <= to_row < self.size and 0 <= to_column < self.size:
                    end = to_row * self.size + to_column
                    if self.cells[end] == EMPTY or (self.cells[end] != self.player and step.captures):
                        moves.append(cell * self.size**2 + end)
        return sorted(moves)

    def play(self, move: int) -> None:
        cell, end = divmod(move, self.size**2)
        self.cells[cell], self.cells[end] = EMPTY, self.player
        last_row = self.size - 1 if self.player == 0 else 0
        if end // self.size == last_row or 1 - self.player not in self.cells:
            self.winner = self.player
        self.player = 1 - self.player

    def rewards(self) -> tuple[float, ...]:
        """Return 1 for the winner and 0 for the other; who cannot move has lost."""
        return winner_takes_all(1 - self.player if self.winner is None else self.winner, 2)
