"""Nested Monte Carlo search and the baselines: the solvers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Options, documented, option
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import MOST_LEVELS, Search, Seed, Weights, cut_option, refuse

nmcs_search = lazy("nrpa.solvers.nmcs_search")


def _bias() -> bool:
    details = "Playouts then draw moves with probabilities in proportion to e^β, instead of uniformly."
    return option(False, "Use the problem's bias β", details=details)


@dataclass(frozen=True)
class NestedSearch(Options):
    """What NMCS and the baselines share: a level, 0 without one, and how playouts choose."""

    name: ClassVar[str]

    @property
    def rule(self) -> str:
        """How playouts choose: one of ``nrpa.solvers.nmcs_search.RULES``."""
        return "biased" if getattr(self, "bias", False) else "uniform"

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return self.rule != "uniform"

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun; parameters and errors are those of ``Solver.start``."""
        refuse(weights, self.name)
        level, memory, cut = getattr(self, "level", 0), getattr(self, "memory", True), getattr(self, "cut", -1)
        search: Search = nmcs_search.start(problem, seed, level, self.rule, memory, cut, warm_start)
        return search


@documented
@dataclass(frozen=True)
class NMCS(NestedSearch):
    """Nested Monte Carlo search.

    At each step a level tries every legal move with a search of the level below (at level 1: a playout), and makes the
    move that led to the best score. A search that has finished begins again; the best over all of them counts.

    References
    ----------
    T. Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009: Algorithm 3.

    Examples
    --------
    >>> NMCS(level=3).options
    {'level': 3, 'memory': True, 'bias': False, 'cut': -1}
    """

    name: ClassVar[str] = "nmcs"

    level: int = option(2, "Nesting level", most=MOST_LEVELS, tried=(1, 2, 3, 4))
    memory: bool = option(
        True,
        "Follow the best sequence found",
        details="The best of a level's whole search (Algorithm 3 of the paper), not only of the current step.",
    )
    bias: bool = _bias()
    cut: int = cut_option()


@documented
@dataclass(frozen=True)
class RandomSampling(NestedSearch):
    """Independent random playouts: level 0 of nested search. Each counts as a finished top-level search."""

    name: ClassVar[str] = "random"

    bias: bool = _bias()


@documented
@dataclass(frozen=True)
class Greedy(NestedSearch):
    """Playouts that make the move of the largest bias β, ties broken at random; without a bias, all moves tie."""

    name: ClassVar[str] = "greedy"

    @property
    def rule(self) -> str:
        """How playouts choose."""
        return "greedy"
