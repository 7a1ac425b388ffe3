"""The solver that chooses for you: GNRPA with options that suit the problem, or parallel tempering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Options, documented, option
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import Search, Seed, Weights
from nrpa.solvers.nrpa import GNRPA
from nrpa.solvers.tempering import Tempering

auto_search = lazy("nrpa.solvers.auto_search")

REPETITIONS, GAMMA = 10, 0.3
LEVEL, REPETITIONS_IMPROVED = 3, 5


@documented
@dataclass(frozen=True)
class Auto(Options):
    """The solver if you only want the answer: GNRPA with options chosen for the problem, or parallel tempering.

    A problem that asks for it (``is_tempered``) is searched by ``Tempering``, unless a bias or weights are given. One
    with the kernel ``improve`` is searched at level 3 with ``improve=True``, ``repetitions=5`` and
    ``problem.iterations_improved`` iterations. All others are searched without a top level (``GNRPA(level=None)``), so
    that none has to be chosen for a budget; where the bias β depends on the code of a move, with ``repetitions=10`` and
    γ = 0.3.

    The problem is searched with the options that ``problem.recommended()`` gives it. Where ``problem.arms()`` gives
    several sets of options, each has a search; they take turns of 5,000 playouts, then 10,000, and so on, and after
    each round the worse half is dropped. With a bias of the caller's there is one search.

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation with Limited Repetitions*, arXiv 2401.10420, 2024.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.TSPTW.load("rc204.1")
    >>> chosen = nrpa.Auto().chosen(problem)
    >>> chosen.level, chosen.repetitions, chosen.gamma, problem.recommended().moves
    (3, 5, 1.0, 'lookahead')
    >>> chosen = nrpa.Auto(improve=False).chosen(problem)
    >>> chosen.level, chosen.repetitions, chosen.gamma
    (None, 10, 0.3)
    >>> nrpa.Auto().chosen(nrpa.Morpion("5D"))
    Tempering(chains=10, coldest=0.0, hottest=0.0, period=1000, rotation=0)
    """

    name: ClassVar[str] = "auto"
    uses_bias: ClassVar[bool] = True

    improve: bool = option(
        True, "Let the problem improve playouts that beat the best of their level, if it can", tried=()
    )
    tempering: bool = option(True, "Temper problems that say so", tried=())

    def chosen(self, problem: BaseProblem) -> GNRPA | Tempering:
        """Return the solver that is chosen for a problem, with its options."""
        if self.tempering and problem.is_tempered:
            return Tempering()
        return self._adapting(problem)

    def _adapting(self, problem: BaseProblem) -> GNRPA:
        if self.improve and problem.can_improve:
            return GNRPA(
                level=LEVEL,
                iterations=problem.iterations_improved,
                repetitions=REPETITIONS_IMPROVED,
                improve=True,
            )
        if problem.recommended().bias_by_code() is None:
            return GNRPA(level=None)
        return GNRPA(level=None, repetitions=REPETITIONS, gamma=GAMMA)

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun; parameters and errors are those of ``Solver.start``."""
        chosen = self._adapting(problem) if weights is not None else self.chosen(problem)
        if isinstance(chosen, Tempering):
            return chosen.start(problem, seed, warm_start=warm_start)
        search: Search = auto_search.start(chosen, problem, seed, warm_start, weights)
        return search
