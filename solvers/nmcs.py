"""Nested Monte Carlo search, and the two baselines that it is compared with.

Cazenave, Nested Monte-Carlo Search, IJCAI 2009.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Options, option
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import MOST_LEVELS, Search, Seed, Weights

nmcs_search = lazy("nrpa.solvers.nmcs_search")


@dataclass(frozen=True)
class NMCS(Options):
    """Nested Monte Carlo search.

    level: nesting level, 1 to 20. memory: whether each level remembers and follows the best sequence of its whole
    search (Algorithm 3 of the paper), or the best of the current step only. bias: whether playouts draw moves in
    proportion to e^β, the problem's bias, instead of uniformly.

    A search that finishes is started again; the best over all of them is the result.
    Raises InputError for a value out of range.
    """

    name: ClassVar[str] = "nmcs"

    level: int = option(2, "Nesting level", most=MOST_LEVELS)
    memory: bool = option(True, "Follow the best sequence found")
    bias: bool = option(False, "Use the problem's bias β")

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return self.bias

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled."""
        refuse(weights, self.name)
        choice = "biased" if self.bias else "uniform"
        search: Search = nmcs_search.start(problem, seed, self.level, choice, self.memory, warm_start)
        return search


@dataclass(frozen=True)
class RandomSampling(Options):
    """Independent random playouts: level 0 of nested search.

    bias: whether moves are drawn in proportion to e^β, the problem's bias, instead of uniformly.
    """

    name: ClassVar[str] = "random"

    bias: bool = option(False, "Use the problem's bias β")

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return self.bias

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled."""
        refuse(weights, self.name)
        choice = "biased" if self.bias else "uniform"
        search: Search = nmcs_search.start(problem, seed, 0, choice, warm_start=warm_start)
        return search


@dataclass(frozen=True)
class Greedy(Options):
    """Playouts that make the move of largest bias β, ties broken at random (all moves tie where there is no bias)."""

    name: ClassVar[str] = "greedy"

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return True

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled."""
        refuse(weights, self.name)
        search: Search = nmcs_search.start(problem, seed, 0, "greedy", warm_start=warm_start)
        return search


def refuse(weights: object, solver: str) -> None:
    """Raise InputError if there are ``weights``: the searches of this module have no policy."""
    if weights is not None:
        raise InputError(f"initial weights do not apply to the solver {solver}")
