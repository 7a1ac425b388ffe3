"""The arms of a portfolio: searches that take turns; what a first game shows of their problem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.nrpa.options import GNRPA
from nrpa.solvers.tempering.options import Tempering

game = lazy("nrpa.engine.game")

# How many moves of the first game are looked at.
LOOKED_AT = 100
# The moves of the first turn: of a compiled problem, and of one in plain Python. Of a game that tempering changes,
# about half is played again, or costs as little.
FIRST_TURN, FIRST_TURN_IN_PYTHON, PART_OF_TEMPERING = 1_000, 25, 2
# How much longer the turns of the arm that stays are.
LONGER = 4
# What a legal move costs, where one that is made costs 1: one that is listed where another arm makes no lists, in
# machine code, beside sequences that are not even played, and in plain Python; and there, one for which a method is
# called.
LISTED, LISTED_BESIDE_EVALUATED, LISTED_IN_PYTHON, CALLED = 1 / 4, 1, 1 / 20, 1 / 12
BY_CODES = "tempering by codes"


class Arm(NamedTuple):
    """One of the searches.

    - ``label``: What a person reads, another one for each arm.
    - ``problem``: The problem, with the options that it is searched with.
    - ``why``: Why it is the only one, where it is.
    - ``stays``: Whether it is never dropped and has longer turns.
    """

    label: str
    solver: GNRPA | Tempering
    problem: BaseProblem
    why: str = ""
    stays: bool = False

    @property
    def first_turn(self) -> int:
        """The moves of its first turn."""
        return FIRST_TURN_IN_PYTHON if self.problem.holds_gil else FIRST_TURN

    def moves(self, length: int, listed: float = 0.0, alone: bool = False) -> int:
        """Return as how many moves a playout counts, where the best one has ``length``.

        ``listed`` is how many moves are legal in the mean, and ``alone`` whether other arms make no lists of them.
        """
        made = -(-length // PART_OF_TEMPERING) if isinstance(self.solver, Tempering) else length
        if self.problem.holds_gil:
            cost = LISTED_IN_PYTHON * alone + CALLED * self._calls
        else:
            cost = (LISTED_BESIDE_EVALUATED if self.problem.model.is_evaluated else LISTED) * alone
        return made + round(made * listed * cost)

    @property
    def _calls(self) -> int:
        """How many methods of a problem in plain Python are called for each legal move."""
        model = self.problem.model
        has_codes, has_bias = model.has_codes, model.bias_by_move
        return has_codes + has_bias if isinstance(self.solver, GNRPA) else has_codes and self.solver.names == "code"


class FirstGame(NamedTuple):
    """What a first game has shown, so that a search that is pickled does not play it again.

    - ``has_codes``: Whether codes say anything else than moves do, as far as the arms ask.
    - ``listed``: How many moves are legal in the mean; 0 where tempering is no arm beside others.
    """

    has_codes: bool
    listed: float

    @classmethod
    def of(cls, problem: BaseProblem) -> FirstGame:
        """Return what the first moves of one game show."""
        played, differ, counts = game.Game(problem.model), list[bool](), list[int]()

        def last(moves: list[int]) -> int:
            differ.append(moves != played.codes)
            counts.append(len(moves))
            return moves[-1]

        played.playout(last, LOOKED_AT)
        return cls(any(differ), sum(counts) / max(len(counts), 1))

    @classmethod
    def of_arms(cls, problem: BaseProblem, arms: Sequence[Arm]) -> FirstGame:
        """Return what the searches of arms ask of it."""
        is_mixed = len({type(arm.solver) for arm in arms}) > 1
        return cls(any(arm.label == BY_CODES for arm in arms), cls.of(problem).listed if is_mixed else 0.0)
