"""What Breakthrough and Knightthrough share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.problems.common import zobrist_keys
from nrpa.problems.games.advance_rules import AdvanceRules, Step
from nrpa.problems.games.board_problem import BoardProblem
from nrpa.problems.games.cells import LARGEST, cell_name

if TYPE_CHECKING:
    from nrpa.problems.games import advancing
else:
    advancing = lazy("nrpa.problems.games.advancing")


class AdvanceProblem(BoardProblem):
    """A game of pieces that only go forward; who first reaches the last row wins. See ``Breakthrough``."""

    instance: advancing.Instance
    kernel_module: ClassVar[Any] = advancing
    steps: ClassVar[tuple[Step, ...]]
    size = Option(8, "The cells of a row.", least=5, most=LARGEST)

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)
        size, pieces, steps = self.size, 2 * self.size, len(self.steps)
        super().__init__(
            _instance(self.rules()),
            max_steps=2 * pieces * (size - 1),
            max_moves=pieces * steps,
            codes=2 * size**2 * steps * 2,
        )

    def rules(self) -> AdvanceRules:
        return AdvanceRules(self.size, self.steps)

    def move_name(self, move: int) -> str:
        """Return the cells where the piece is and where it goes, such as ``b2-c3``."""
        return "-".join(cell_name(cell, self.size) for cell in divmod(move, self.size**2))


def _instance(rules: AdvanceRules) -> advancing.Instance:
    size, steps = rules.size, rules.steps
    cells = size * size
    end = np.full((2, cells, len(steps)), -1, np.int16)
    goal = np.zeros((2, cells), np.uint8)
    goal[0, -size:] = goal[1, :size] = 1
    captures = [[step.captures for step in _ascending(steps, down)] for down in (1, -1)]
    for player, down in enumerate((1, -1)):
        for cell in range(cells):
            row, column = divmod(cell, size)
            ends = [(row + down * step.forward, column + step.right) for step in _ascending(steps, down)]
            end[player, cell] = [r * size + c if 0 <= r < size and 0 <= c < size else -1 for r, c in ends]
    return advancing.Instance(
        start=np.array(rules.cells, np.int8),
        end=end,
        captures=np.array(captures, np.uint8),
        goal=goal,
        key=zobrist_keys(5, 2, cells),
        turn_key=zobrist_keys(6, 2),
        pieces=2 * size,
    )


def _ascending(steps: tuple[Step, ...], down: int) -> list[Step]:
    """Return steps in the order of the cells where they lead, for a player who goes down (1) or up (-1)."""
    return sorted(steps, key=lambda step: (down * step.forward, step.right))
