"""The arms of a portfolio: searches that take turns."""

from __future__ import annotations

from typing import NamedTuple

from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.nrpa import GNRPA
from nrpa.solvers.tempering import Tempering

# The playouts of the first turn: of a compiled problem, and of one in plain Python. A game that tempering changes is
# played again in part only, so it has twice as many.
FIRST_TURN, FIRST_TURN_IN_PYTHON, PLAYOUTS_OF_TEMPERING = 5_000, 500, 2


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
        """The playouts of its first turn."""
        turn = FIRST_TURN_IN_PYTHON if self.problem.holds_gil else FIRST_TURN
        return turn * PLAYOUTS_OF_TEMPERING if isinstance(self.solver, Tempering) else turn
