"""The search of a problem that has nothing to do: its only game has no moves."""

from __future__ import annotations

import math

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.problem import Problem
from nrpa.solvers.interface import Improvement, Search

checks = lazy("nrpa.python.checks")


class NothingToDo(Search):
    """One playout, which proves that nothing is better."""

    playouts, finished, slice_seconds, workers = 0, 0, 0.01, 1
    score, moves, rates = -math.inf, np.zeros(0, np.int64), list[float]()

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    @classmethod
    def of(cls, problem: BaseProblem) -> NothingToDo | None:
        """Return the search of a problem whose initial state is a last one; None of another, and where that is odd."""
        plain = getattr(problem, "plain", problem)
        if not isinstance(plain, Problem) or not plain._may_be_done:
            return None
        return None if checks.tuple_of(plain, plain.legal_moves(plain.initial_state())) else cls(plain)

    @property
    def proven(self) -> bool:
        return self.playouts > 0

    def advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        if self.playouts:
            return []
        self.playouts = self.finished = 1
        self.score = checks.score_of(self.problem, self.problem.initial_state())
        return [Improvement(1, self.score, self.moves)]
