"""Nogo, for two players and for three, and what Atarigo shares with it."""

from typing import Any, ClassVar

from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.problems.common import zobrist_keys
from nrpa.problems.games.cells import LARGEST, neighbour_table, words_for
from nrpa.problems.games.problem import PLAYERS, Shapes, StoneProblem
from nrpa.problems.nogo.rules import STEPS, ChainRules

kernels = lazy("nrpa.problems.nogo.kernels")


class ChainProblem(StoneProblem):
    """A game of chains and their liberties, in which the first capture decides. See ``Nogo`` and ``Atarigo``."""

    kernel_module = kernels
    capture_wins: ClassVar[bool]

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)
        key = zobrist_keys(2, self.players, self.size**2)
        turn_key = zobrist_keys(3, self.players, 2**self.players)
        super().__init__(kernels.Instance(neighbour_table(self.size, STEPS), key, turn_key, self.capture_wins))

    def shapes(self) -> Shapes:
        cells = self.size**2
        of_cells = dict.fromkeys(("owner", "parent", "liberties", "total", "squares"), cells)
        return {**of_cells, "legal": (self.players, words_for(cells)), "turn": 3, "hash": 1}

    def rules(self) -> ChainRules:
        return ChainRules(self.size, self.players, wins=self.capture_wins)


class Nogo(ChainProblem):
    """Nogo: place a stone on an empty cell, without capture and without suicide; who cannot move loses.

    A chain is a group of stones of one player that touch along the lines of the board, and its liberties are the empty
    cells beside it. A move may leave no chain without liberties, neither of one's own nor of others. Who cannot move
    when it is their turn is out, and passes; the last who is not out wins and gets 1.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: sections 4.1 and 4.5.

    Examples
    --------
    >>> problem = Nogo(size=2)
    >>> problem.check(["a1", "b2", "b1"]).figures
    {'moves': 3, 'rewards': [1.0, 0.0]}
    """

    name = "nogo"
    capture_wins = False
    size = Option(5, "The cells of a row.", least=2, most=LARGEST)
    players = Option(2, PLAYERS, least=2, most=3)
