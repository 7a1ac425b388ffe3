"""The search of the solver ``auto``: GNRPA on the problem with the options that suit it, or with each in turn."""

from __future__ import annotations

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.engine.random import Seed
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.solvers import arms_search, nrpa_search
from nrpa.solvers.arms_search import ArmsSearch
from nrpa.solvers.compiled_nrpa import Memory
from nrpa.solvers.interface import Weights
from nrpa.solvers.nrpa import GNRPA


class AutoSearch(nrpa_search.NRPASearch):
    """The search of GNRPA on ``problem.recommended()``, wherever it goes on."""

    def __init__(self, problem: BaseProblem, solver: GNRPA, memory: Memory) -> None:
        super().__init__(problem.recommended(), solver, memory)


def start(
    solver: GNRPA,
    problem: BaseProblem,
    seed: Seed,
    warm_start: np.ndarray | None = None,
    weights: Weights | None = None,
) -> AutoSearch | ArmsSearch:
    """Return a search that has not begun; parameters and errors are those of ``nrpa.solvers.nrpa_search.start``.

    A problem with several arms is searched by turns (``nrpa.solvers.arms_search``), unless β is the caller's: that of
    the arms is their own.
    """
    if len(problem.arms()) > 1:
        if not isinstance(problem, CompiledProblem):
            raise ProblemError(
                f"{type(problem).__name__}: arms() must return one problem; only a compiled one has more"
            )
        if not problem.bias_replaced:
            return arms_search.start(solver, problem, seed, warm_start, weights)
    memory = nrpa_search.initial_memory(solver, problem.recommended(), seed, warm_start, weights)
    search = AutoSearch(problem, solver, memory)
    search.prepare()
    return search
