"""The arms of a portfolio: searches that take turns."""

from __future__ import annotations

from typing import NamedTuple

from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.nrpa.options import GNRPA
from nrpa.solvers.tempering.options import Tempering

# The moves of the first turn: of a compiled problem, and of one in plain Python. Of a game that tempering changes,
# about half is played again, or costs as little.
FIRST_TURN, FIRST_TURN_IN_PYTHON, PART_OF_TEMPERING = 1_000, 25, 2
BY_CODES = "tempering by codes"


class Arm(NamedTuple):
    """One of the searches.

    - ``label``: What a person reads, another one for each arm.
    - ``problem``: The problem, with the options that it is searched with.
    - ``why``: Why it is the only one, where it is.
    """

    label: str
    solver: GNRPA | Tempering
    problem: BaseProblem
    why: str = ""

    @property
    def first_turn(self) -> int:
        """The moves of its first turn."""
        return FIRST_TURN_IN_PYTHON if self.problem.holds_gil else FIRST_TURN

    def moves(self, length: int) -> int:
        """Return as how many moves a playout counts, where the best one has ``length``."""
        return -(-length // PART_OF_TEMPERING) if isinstance(self.solver, Tempering) else length
