"""The rules of Gomoku in plain Python."""

from itertools import takewhile

from nrpa.problems.games.rules import BoardRules

FIVE = 5
DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))


class GomokuRules(BoardRules):
    """A position of Gomoku: five or more in a row win."""

    def play(self, move: int) -> None:
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
