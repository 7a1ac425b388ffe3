"""The solver for who only wants the answer: GNRPA with options chosen for the problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Options
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import Search, Seed, Weights
from nrpa.solvers.nrpa import GNRPA

auto_search = lazy("nrpa.solvers.auto_search")

REPETITIONS, GAMMA = 10, 0.3


@dataclass(frozen=True)
class Auto(Options):
    """GNRPA with options chosen for the problem, for who only wants the answer.

    There is no top level (``GNRPA(level=None)``), so that none has to be chosen for a budget. Where the bias β depends
    on the code of a move, a level ends when its best sequence was found again 10 times, and Adapt takes β times
    γ = 0.3; elsewhere the options are those of GNRPA. The problem is searched with the options that ``problem.tuned()``
    gives it.

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation with Limited Repetitions*, arXiv 2401.10420, 2024.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.TSPTW.load("rc204.1")
    >>> chosen = nrpa.Auto().chosen(problem)
    >>> chosen.level, chosen.repetitions, chosen.gamma, problem.tuned().moves
    (None, 10, 0.3, 'lookahead')
    """

    name: ClassVar[str] = "auto"

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return True

    def chosen(self, problem: BaseProblem) -> GNRPA:
        """Return GNRPA with the options that are chosen for a problem.

        Parameters
        ----------
        problem : BaseProblem
            The problem.

        Returns
        -------
        GNRPA
            The solver.
        """
        if problem.tuned().bias_by_code() is None:
            return GNRPA(level=None)
        return GNRPA(level=None, repetitions=REPETITIONS, gamma=GAMMA)

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun; its parameters and errors are those of ``GNRPA.start``."""
        search: Search = auto_search.start(self.chosen(problem), problem, seed, warm_start, weights)
        return search
