"""Hex on a board of any size."""

from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.base.values import shown
from nrpa.problems.common import zobrist_keys
from nrpa.problems.games.cells import cell_name, neighbour_table, words_for
from nrpa.problems.games.problem import Shapes, StoneProblem
from nrpa.problems.hex.rules import STEPS, HexRules

kernels = lazy("nrpa.problems.hex.kernels")


class Hex(StoneProblem):
    """Hex: the first player connects top and bottom with a chain of stones, the second left and right.

    Players place a stone on an empty cell in turn. Each cell has six neighbours: beside it, above and below it, above
    to the right and below to the left. One of the two always wins; who wins gets 1.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: 7 × 7, the first stone on (2, 2) from (0, 0), no swap.

    Examples
    --------
    >>> problem = Hex(size=3, first="none")
    >>> problem.check(["a1", "b2", "a2", "b1", "a3"]).figures
    {'moves': 5, 'rewards': [1.0, 0.0]}
    """

    name = "hex"
    six_sided = True
    kernel_module = kernels
    first = Option(
        "c3",
        "Where the first stone is from the beginning, such as c3, or none.",
        details="c3 makes 7 × 7 a balanced game; on an empty board the first player wins if nobody errs.",
    )

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)
        lines = np.array(np.divmod(np.arange(self.size**2), self.size))
        side = ((lines == 0) + 2 * (lines == self.size - 1)).astype(np.uint8)
        first, keys = self._first(), zobrist_keys(1, 2, self.size**2)
        near = neighbour_table(self.size, STEPS)
        super().__init__(kernels.Instance(near, side, keys, -1 if first is None else first))

    def _first(self) -> int | None:
        names = {cell_name(cell, self.size): cell for cell in range(self.size**2)}
        if self.first == "none":
            return None
        if self.first not in names:
            raise InputError(f"first must be none or a cell from a1 to {[*names][-1]}, not {shown(self.first)}")
        return names[self.first]

    def shapes(self) -> Shapes:
        cells = self.size**2
        return {"owner": cells, "free": words_for(cells), "parent": cells, "sides": cells, "turn": 2, "hash": 1}

    def rules(self) -> HexRules:
        return HexRules(self.size, self._first())
