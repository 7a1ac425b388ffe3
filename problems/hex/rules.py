"""The rules of Hex in plain Python."""

from nrpa.problems.games.cells import neighbours
from nrpa.problems.games.rules import BoardRules

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1))


class HexRules(BoardRules):
    """A position of Hex: the first player connects top and bottom, the second left and right."""

    slant = 1

    def __init__(self, size: int, first: int | None) -> None:
        super().__init__(size)
        if first is not None:
            self.play(first)

    def play(self, move: int) -> None:
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
