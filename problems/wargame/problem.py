"""The Wargame: units that choose their targets, for two players and for three."""

from typing import Any

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.problems.common import zobrist_keys
from nrpa.problems.games.problem import CODES, PLAYERS, Shapes
from nrpa.problems.games.teams import MOST_MEMBERS, TeamProblem, turns
from nrpa.problems.wargame.rules import WargameRules

kernels = lazy("nrpa.problems.wargame.kernels")


MOST_HEALTH = 100


class Wargame(TeamProblem):
    """The sequential Wargame of target selection: each unit in turn takes a point of health from one of another team.

    The first unit of each player attacks, then the second of each, and so on, all over again; units without health are
    left out. The game ends when only one player has units, who gets 1. A move is the target, ``O7`` the seventh unit of
    the second player (``X``, ``O`` and ``Z``).

    The exact code of a move is attacker and target with the health of both, the abstract one attacker and target.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: sections 4.2 and 4.5. That the exact code has the health of both is
    not said there; it follows from Table 7.

    Examples
    --------
    >>> problem = Wargame(units=2, health=1)
    >>> problem.check(["O1", "O2"]).figures
    {'moves': 2, 'rewards': [1.0, 0.0]}
    """

    name = "wargame"
    points = "health"
    kernel_module = kernels
    units = Option(10, "The units of each player.", least=1, most=MOST_MEMBERS)
    players = Option(2, PLAYERS, least=2, most=3)
    health = Option(3, "The points of health that each unit begins with.", least=1, most=MOST_HEALTH)
    coding = Option("exact", "Whether the code of a move has the health of the units, too.", CODES, name="codes")

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)
        self.members = self.units
        units = self.units * self.players
        abstract = self.coding == "abstract"
        instance = kernels.Instance(
            order=np.array(turns(self.players, self.members)),
            key=zobrist_keys(7, units, self.health + 1),
            turn_key=zobrist_keys(8, units),
            members=self.members,
            abstract=abstract,
        )
        super().__init__(
            instance,
            max_steps=units * self.health,
            max_moves=units - self.units,
            codes=units**2 * (1 if abstract else self.health**2),
        )

    def shapes(self) -> Shapes:
        return {"health": self.units * self.players, "alive": self.players, "turn": 2, "hash": 1}

    def rules(self) -> WargameRules:
        return WargameRules(self.players, self.members, self.health)
