"""What Nogo and Atarigo share."""

from typing import Any, ClassVar

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.problems.common import zobrist_keys
from nrpa.problems.games.board_problem import StoneProblem
from nrpa.problems.games.cells import neighbour_table, words_for

chains = lazy("nrpa.problems.games.chains")

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


class ChainProblem(StoneProblem):
    """A game of chains and their liberties, in which the first capture decides. See ``Nogo`` and ``Atarigo``."""

    capture_wins: ClassVar[bool]

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)
        key = zobrist_keys(2, self.players, self.size**2)
        turn_key = zobrist_keys(3, self.players, 2**self.players)
        super().__init__(chains.Instance(neighbour_table(self.size, STEPS), key, turn_key, self.capture_wins))

    def new_state(self) -> Any:
        cells = self.size**2
        return chains.State(
            owner=np.zeros(cells, np.int8),
            legal=np.zeros((self.players, words_for(cells)), np.uint64),
            parent=np.zeros(cells, np.int16),
            liberties=np.zeros(cells, np.int64),
            total=np.zeros(cells, np.int64),
            squares=np.zeros(cells, np.int64),
            turn=np.zeros(3, np.int64),
            hash=np.zeros(1, np.int64),
        )
