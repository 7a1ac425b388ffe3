"""The arms of a portfolio: searches that take turns; what a first game shows of their problem."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.nrpa.options import GNRPA, NRPA
from nrpa.solvers.tempering.options import Tempering

if TYPE_CHECKING:
    from nrpa.python.efforts import Efforts

game = lazy("nrpa.engine.game")
work = lazy("nrpa.python.efforts")

# How many moves of the first game are looked at, and for how long where they are slow.
LOOKED_AT, SECONDS = 100, 2.0
# The moves of the first turn: of a compiled problem, and of one in plain Python. Of a game that tempering changes,
# about half is played again, or costs as little.
FIRST_TURN, FIRST_TURN_IN_PYTHON, PART_OF_TEMPERING = 1_000, 25, 2
# How much longer the turns of the arm that stays are.
LONGER = 4
# What a legal move costs that is listed where another arm makes no lists, beside one that is made: in machine code, and
# where the other arm plays no sequences at all, the function being compiled or not.
LISTED, LISTED_BESIDE_EVALUATED, LISTED_BESIDE_PYTHON = 1 / 4, 1, 1 / 20
BY_CODES = "tempering by codes"

OneSearch = GNRPA | NRPA | Tempering


class Arm(NamedTuple):
    """One of the searches.

    - ``label``: What a person reads, another one for each arm.
    - ``problem``: The problem, with the options that it is searched with.
    - ``why``: Why it is the only one, where it is.
    - ``stays``: Whether it is never dropped and has longer turns.
    """

    label: str
    solver: OneSearch
    problem: BaseProblem
    why: str = ""
    stays: bool = False

    @property
    def first_turn(self) -> int:
        """The moves of its first turn."""
        return FIRST_TURN_IN_PYTHON if self.problem.holds_gil else FIRST_TURN

    def moves(self, length: int, first: FirstGame, lists: bool = True, others_list: bool = True) -> int:
        """Return as how many moves a playout counts, where the best one has ``length``.

        ``lists`` says whether it lists the legal moves, ``others_list`` whether all other arms do.
        """
        made = -(-length // PART_OF_TEMPERING) if isinstance(self.solver, Tempering) else length
        if first.efforts is not None and made:
            return self._moves_in_python(made, first, first.efforts, lists)
        if others_list or not lists:
            return made
        cost = LISTED_BESIDE_EVALUATED if self.problem.model.is_evaluated else LISTED
        if self.problem.holds_gil:
            cost = LISTED_BESIDE_PYTHON
        return made + round(made * first.listed * cost)

    def _moves_in_python(self, made: int, first: FirstGame, efforts: Efforts, lists: bool) -> int:
        """Return the moves that take as many instructions; roughly, since versions of Python differ a little."""
        asked, end, played = efforts.listing, efforts.score, efforts.play
        if not isinstance(self.solver, Tempering):
            asked += efforts.code + efforts.bias + work.WEIGHED * first.listed
        elif self.solver.names == "code":
            asked += efforts.code
        elif efforts.evaluate:
            asked, end, played = 0.0, efforts.evaluate, 0.0
        else:
            asked = (efforts.is_legal or efforts.listing) if lists else 0.0
        move = work.BETWEEN + efforts.play + efforts.listing
        ratio = (work.BETWEEN + played + asked + end / made) / move
        roughly: float = 2.0 ** (round(2.0 * math.log2(ratio)) / 2.0)
        return max(round(made * roughly), 1)


class FirstGame(NamedTuple):
    """What a first game has shown, so that a search that is pickled does not play it again.

    - ``has_codes``: Whether codes say anything else than moves do, as far as the arms ask.
    - ``listed``: How many moves are legal in the mean; 0 where tempering is no arm beside others.
    - ``efforts``: What the methods of plain Python take; None likewise, and where there are none.
    """

    has_codes: bool
    listed: float = 0.0
    efforts: Efforts | None = None

    @classmethod
    def of(cls, problem: BaseProblem) -> FirstGame:
        """Return what the first moves of one game show."""
        played, differ, counts = game.Game(problem.model), list[bool](), list[int]()

        def last(moves: list[int]) -> int:
            differ.append(moves != played.codes)
            counts.append(len(moves))
            return moves[-1]

        played.playout(last, LOOKED_AT, SECONDS)
        # Sequences that are not played have no names.
        return cls(any(differ) and not problem.model.is_evaluated, sum(counts) / max(len(counts), 1))

    @classmethod
    def of_arms(cls, problem: BaseProblem, arms: Sequence[Arm]) -> FirstGame:
        """Return what the searches of arms ask of it."""
        has_codes = any(arm.label == BY_CODES for arm in arms)
        if len({type(arm.solver) for arm in arms}) == 1:
            return cls(has_codes)
        return cls(has_codes, cls.of(problem).listed, problem.model.efforts(LOOKED_AT))
