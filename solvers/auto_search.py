"""The search of the solver ``auto``: that of its one arm, or a portfolio."""

from __future__ import annotations

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.engine.game import Game
from nrpa.engine.random import Seed
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.solvers import nrpa_search, portfolio_search
from nrpa.solvers.auto import Auto
from nrpa.solvers.compiled_nrpa import Memory
from nrpa.solvers.interface import Search, Weights
from nrpa.solvers.nrpa import GNRPA

LOOKED_AT = 100


def has_codes(problem: BaseProblem) -> bool:
    """Return whether codes say anything else than moves do, in the first moves of one game."""
    game = Game(problem.model)
    game.reset()
    for _ in range(LOOKED_AT):
        moves = game.legal_moves()
        if moves != game.codes:
            return True
        if not moves:
            return False
        game.play(moves[-1])
    return False


class AutoSearch(nrpa_search.NRPASearch):
    """The search of GNRPA on ``problem.recommended()``, wherever it goes on."""

    def __init__(self, problem: BaseProblem, solver: GNRPA, memory: Memory) -> None:
        super().__init__(problem.recommended(), solver, memory)


def start(
    auto: Auto, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None
) -> Search:
    """Return a search that has not begun; parameters and errors are those of ``Solver.start``."""
    if len(problem.arms()) > 1 and not isinstance(problem, CompiledProblem):
        raise ProblemError(f"{type(problem).__name__}: arms() must return one problem; only a compiled one has more")
    arms = auto.arms(problem, has_weights=weights is not None)
    if len(arms) > 1:
        return portfolio_search.start(auto, problem, seed, warm_start)
    solver = arms[0].solver
    if not isinstance(solver, GNRPA):
        return solver.start(problem, seed, warm_start=warm_start)
    memory = nrpa_search.initial_memory(solver, problem.recommended(), seed, warm_start, weights)
    search = AutoSearch(problem, solver, memory)
    search.prepare()
    return search
