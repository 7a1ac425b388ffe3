"""Breakthrough."""

from typing import Any, ClassVar

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.problems.breakthrough.rules import AdvanceRules, PieceStep
from nrpa.problems.common import zobrist_keys
from nrpa.problems.games.cells import LARGEST, cell_name, words_for
from nrpa.problems.games.problem import BoardProblem, Shapes

kernels = lazy("nrpa.problems.breakthrough.kernels")


class Breakthrough(BoardProblem):
    """Breakthrough: two rows of pawns each; who first reaches the other side of the board wins.

    A pawn goes one cell forward, straight or diagonally, to an empty cell; diagonally it can capture. The first player
    begins in the first two rows and goes down. A player whose pawns are all captured has lost, too. Who wins gets 1.

    The code of a move is its player, the cell of the pawn, the direction, and whether it captures; there is no more
    abstract one.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: section 4.1, 8 × 8.

    Examples
    --------
    >>> problem = Breakthrough(size=5)
    >>> print(problem.draw(["a2-b3", "a4-b3"]))
        a b c d e
     1  X X X X X
     2  . X X X X
     3  . O . . .
     4  . O O O O
     5  O O O O O
    """

    name = "breakthrough"
    kernel_module = kernels
    size = Option(8, "The cells of a row.", least=5, most=LARGEST)
    steps: ClassVar[tuple[PieceStep, ...]] = (PieceStep(1, -1, True), PieceStep(1, 0, False), PieceStep(1, 1, True))

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)
        size, pieces, steps = self.size, 2 * self.size, len(self.steps)
        super().__init__(
            _breakthrough_instance(self.rules()),
            max_steps=2 * pieces * (size - 1),
            max_moves=pieces * steps,
            codes=2 * size**2 * steps * 2,
        )

    def shapes(self) -> Shapes:
        cells = self.size**2
        return {"owner": cells, "pieces": (2, words_for(cells)), "left": 2, "turn": 2, "hash": 1}

    def rules(self) -> AdvanceRules:
        return AdvanceRules(self.size, self.steps)

    def move_name(self, move: int) -> str:
        """Return the cells where the piece is and where it goes, such as ``b2-c3``."""
        return "-".join(cell_name(cell, self.size) for cell in divmod(move, self.size**2))


def _breakthrough_instance(rules: AdvanceRules) -> Any:
    size, steps = rules.size, rules.steps
    cells = size * size
    end = np.full((2, cells, len(steps)), -1, np.int16)
    goal = np.zeros((2, cells), np.uint8)
    goal[0, -size:] = goal[1, :size] = 1
    captures = np.zeros((2, len(steps)), np.uint8)
    for player, down in enumerate((1, -1)):
        ascending = sorted(steps, key=lambda step: (down * step.forward, step.right))
        captures[player] = [step.captures for step in ascending]
        for cell in range(cells):
            row, column = divmod(cell, size)
            ends = [(row + down * step.forward, column + step.right) for step in ascending]
            end[player, cell] = [r * size + c if 0 <= r < size and 0 <= c < size else -1 for r, c in ends]
    return kernels.Instance(
        start=np.array(rules.cells, np.int8),
        end=end,
        captures=captures,
        goal=goal,
        key=zobrist_keys(5, 2, cells),
        turn_key=zobrist_keys(6, 2),
        pieces=2 * size,
    )
