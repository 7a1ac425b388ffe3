"""A game on a square board."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, cast

from nrpa.modelling.option import Option
from nrpa.problems.games.cells import LARGEST, cell_name
from nrpa.problems.games.problem import CODES, GameProblem

if TYPE_CHECKING:
    from nrpa.problems.games.rules import BoardRules


class BoardProblem(GameProblem):
    """A game of two players on a square board. A move is a cell, counted row after row."""

    players = 2
    six_sided: ClassVar[bool] = False
    """Whether cells have six sides, and each row lies half a cell to the right of the one above it."""
    size = Option(7, "The cells of a row.", least=2)
    coding = Option("exact", "How moves are told apart in statistics.", CODES, name="codes")

    @abstractmethod
    def rules(self) -> BoardRules:
        """Return the first position, by rules in plain Python."""

    def position(self, solution: Any) -> BoardRules:
        """Return the position after some moves, as in ``GameProblem``."""
        return cast("BoardRules", super().position(solution))

    @property
    def label(self) -> str:
        """The size of the board."""
        return self.origin.label or f"{self.size}x{self.size}"

    def checked_size(self, least: int) -> int:
        """Return the size of the board; InputError if it is too small or too large."""
        self.require_within("size", self.size, least, LARGEST)
        return self.size

    def move_name(self, move: int) -> str:
        """Return the name of the cell, such as ``c3``."""
        return cell_name(move, self.size)
