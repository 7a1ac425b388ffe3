"""Gomoku on a board of any size."""

from typing import Any

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.problems.common import zobrist_keys
from nrpa.problems.games.cells import LARGEST, words_for
from nrpa.problems.games.problem import Shapes, StoneProblem
from nrpa.problems.gomoku.rules import DIRECTIONS, FIVE, GomokuRules

kernels = lazy("nrpa.problems.gomoku.kernels")


class Gomoku(StoneProblem):
    """Gomoku: who first has five or more stones in a row wins.

    Players place a stone on an empty cell in turn. Rows go across, down and along both diagonals. Who wins gets 1; a
    full board without a row is a draw, 0.5 each.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: section 4.1, 9 × 9.

    Examples
    --------
    >>> problem = Gomoku()
    >>> problem.check(["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5"]).figures
    {'moves': 9, 'rewards': [1.0, 0.0]}
    """

    name = "gomoku"
    kernel_module = kernels
    size = Option(9, "The cells of a row.", least=FIVE, most=LARGEST)

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)
        wide, cells = self.size + 2, self.size**2
        row, column = np.divmod(np.arange(cells), self.size)
        steps = np.array([down * wide + right for down, right in DIRECTIONS])
        super().__init__(kernels.Instance((row + 1) * wide + column + 1, steps, zobrist_keys(4, 2, cells)))

    def shapes(self) -> Shapes:
        cells = self.size**2
        return {"owner": (self.size + 2) ** 2, "free": words_for(cells), "turn": 2, "hash": 1}

    def rules(self) -> GomokuRules:
        return GomokuRules(self.size)
