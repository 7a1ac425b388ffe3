"""Games on a square board."""

from typing import Any, ClassVar

from nrpa.base.options import Option
from nrpa.problems.games.cells import LARGEST, cell_name
from nrpa.problems.games.problem import CODES, GameProblem


class BoardProblem(GameProblem):
    """A game of two players on a square board. A move is a cell, counted row after row."""

    players = 2
    six_sided: ClassVar[bool] = False
    """Whether cells have six sides, and each row lies half a cell to the right of the one above it."""
    size = Option(7, "The cells of a row.", least=2, most=LARGEST)
    coding = Option("exact", "How moves are told apart in statistics.", CODES, name="codes")

    @property
    def label(self) -> str:
        return self.origin.label or f"{self.size}x{self.size}"

    def move_name(self, move: int) -> str:
        """Return the name of the cell, such as ``c3``."""
        return cell_name(move, self.size)


class StoneProblem(BoardProblem):
    """A game in which each move places a stone on an empty cell."""

    def __init__(self, instance: Any) -> None:
        cells = self.size**2
        codes = self.players * cells
        super().__init__(instance, max_steps=cells, max_moves=cells, max_total=cells * (cells + 1) // 2, codes=codes)
