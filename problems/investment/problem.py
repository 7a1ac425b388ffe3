"""The Investment Pair Game, for two teams and for three."""

from typing import Any

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.problems.common import zobrist_keys
from nrpa.problems.games.problem import PLAYERS, Shapes
from nrpa.problems.games.teams import MOST_MEMBERS, TeamProblem, turns
from nrpa.problems.investment.rules import ENOUGH, InvestmentRules

kernels = lazy("nrpa.problems.investment.kernels")


CODES = ("exact", "abstract", "receiver")


class Investment(TeamProblem):
    """The Investment Pair Game: the members of a team give wealth to each other, each against an opponent.

    Member k of each team plays against members k of the others. The first member of each team gives a unit of wealth to
    a member of its own team, which may be itself, then the second of each, and so on, round by round. The first to have
    3 beats the opponents of the same number: they pass from then on, and nobody gives to any of them. The game ends
    when all numbers are decided. The team that has won most often gets 1; teams that have won equally often share it.
    A move is the member to whom is given, ``O7`` the seventh of the second team (``X``, ``O`` and ``Z``).

    The abstract code of a move is who gives to whom, the receiver code to whom alone. The exact code is the receiver,
    its wealth, that of its opponents, and that of the giver.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: sections 4.3 and 4.5. The codes are not fully said there. Exact and
    receiver codes have the shares of Table 7; with abstract ones, which section 4.3 says, matches end as in Table 3.

    Examples
    --------
    >>> problem = Investment(members=1)
    >>> problem.check(["X1", "O1", "X1", "O1", "X1"]).figures
    {'moves': 5, 'rewards': [1.0, 0.0]}
    """

    name = "investment"
    points = "wealth"
    kernel_module = kernels
    members = Option(
        11, "The members of each team; an odd number leaves no draw between two.", least=1, most=MOST_MEMBERS
    )
    players = Option(2, PLAYERS, least=2, most=3)
    coding = Option("exact", "What the code of a move tells.", CODES, name="codes")

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)
        members = self.members * self.players
        codes = {
            "exact": members * (ENOUGH + 1) * ENOUGH**self.players,
            "abstract": members * self.members,
            "receiver": members,
        }
        instance = kernels.Instance(
            order=np.array(turns(self.players, self.members)),
            key=zobrist_keys(9, members, ENOUGH + 1),
            turn_key=zobrist_keys(10, members),
            members=self.members,
            coding=CODES.index(self.coding),
        )
        super().__init__(
            instance,
            max_steps=self.members * ((ENOUGH - 1) * self.players + 1),
            max_moves=self.members,
            codes=codes[self.coding],
        )

    def shapes(self) -> Shapes:
        units = self.members * self.players
        return {"wealth": units, "winner": self.members, "won": self.players, "turn": 2, "hash": 1}

    def rules(self) -> InvestmentRules:
        return InvestmentRules(self.players, self.members, 0)
