"""The Video Game: two teams of units that move and attack on a small board."""

from typing import Any

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.problems.common import zobrist_keys
from nrpa.problems.games.cells import cell_name
from nrpa.problems.games.problem import BoardProblem, Shapes
from nrpa.problems.games.teams import member_name, turns
from nrpa.problems.videogame.rules import ROWS, Skirmish

kernels = lazy("nrpa.problems.videogame.kernels")


LARGEST = 15
MOST_HEALTH = 20
MOVES_A_UNIT = 20
CODES = ("exact", "abstract", "specific")


class VideoGame(BoardProblem):
    """A video game of tactics: two teams of units, of two rows each, move and attack on a square board.

    The first unit of each player takes a turn, then the second of each, and so on, all over again; the front row comes
    first, from the left. In its turn a unit goes to an empty cell beside it, also diagonally, or stays, and takes a
    point of health from a unit of the other player that is then within its reach. It must attack if it can reach
    somebody from any of these cells. A unit without health leaves the board. Who alone has units left gets 1; after 20
    moves for each unit of the beginning it is a draw, 0.5 each. A move is the arrival cell, and the target after a
    colon: ``c3:O7``.

    The paper does not say all rules and codes; these are ours. With them the first position has as many moves as there,
    random games are as long, and codes appear in them as often (Table 7). Figures still need not be comparable.

    The abstract code of a move is the attacker and the target. The specific code is the player, the arrival cell, the
    target's cell and its health. The exact code is the attacker, its cell, the direction and the target, with the
    health of both.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: section 4.4, inspired by Team Fight Tactics.

    Examples
    --------
    >>> print(VideoGame().draw(["b3:O1"]))
           a       b       c       d       e
     1   X6:3    X7:3    X8:3    X9:3    X10:3
     2     .     X2:3    X3:3    X4:3    X5:3
     3     .     X1:3      .       .       .
     4  [O1:2]   O2:3    O3:3    O4:3    O5:3
     5   O6:3    O7:3    O8:3    O9:3    O10:3
    """

    name = "videogame"
    picture = "games:draw_units"
    kernel_module = kernels
    size = Option(5, "The cells of a row; a team has twice as many units.", least=5, most=LARGEST)
    health = Option(3, "The points of health that each unit begins with.", least=1, most=MOST_HEALTH)
    reach = Option(2, "How far a unit attacks, in cells, also diagonally.", least=1)
    coding = Option("exact", "What the code of a move tells.", CODES, name="codes")

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)
        units, cells = 2 * self.members, self.size**2
        codes = {"abstract": units * (units + 1), "specific": 2 * cells * (cells + 1) * (self.health + 1)}
        super().__init__(
            self._instance(), max_steps=self.most_moves, max_moves=9 * self.members, codes=codes.get(self.coding)
        )

    @property
    def members(self) -> int:
        """The units of each player."""
        return ROWS * self.size

    @property
    def most_moves(self) -> int:
        """After how many moves the game ends without a winner."""
        return MOVES_A_UNIT * 2 * self.members

    def _instance(self) -> Any:
        rules, cells = self.rules(), self.size**2
        row, column = np.divmod(np.arange(cells), self.size)
        distance = np.maximum(abs(row[:, None] - row), abs(column[:, None] - column))
        around = np.full((cells, 9), -1)
        for step in range(9):
            down, right = step // 3 - 1, step % 3 - 1
            r, c = row + down, column + right
            around[:, step] = np.where((r >= 0) & (r < self.size) & (c >= 0) & (c < self.size), r * self.size + c, -1)
        units = 2 * self.members
        return kernels.Instance(
            order=np.array(turns(2, self.members)),
            start=np.array([r * self.size + c for r, c in rules.place]),
            around=around,
            reaches=(distance <= self.reach).astype(np.uint8),
            key=zobrist_keys(11, units, cells, self.health + 1),
            turn_key=zobrist_keys(12, units),
            left_key=zobrist_keys(13, self.most_moves + 1),
            members=self.members,
            coding=CODES.index(self.coding),
        )

    def shapes(self) -> Shapes:
        units = 2 * self.members
        return {"unit": self.size**2, "cell": units, "health": units, "alive": 2, "turn": 2, "hash": 1}

    def rules(self) -> Skirmish:
        return Skirmish(self.size, self.health, self.reach, self.most_moves)

    def move_name(self, move: int) -> str:
        """Return the arrival cell, and the target after a colon, such as ``c3:O7``."""
        cell, target = divmod(move, 2 * self.members + 1)
        name = cell_name(cell, self.size)
        return f"{name}:{member_name(target - 1, self.members)}" if target else name
