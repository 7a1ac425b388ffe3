"""Nested Rollout Policy Adaptation, and its generalization with temperature and bias.

NRPA: Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search, IJCAI 2011.
GNRPA: Cazenave, Generalized Nested Rollout Policy Adaptation, 2020 (Algorithms 3 to 6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Options, option
from nrpa.base.values import LARGEST_WHOLE
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import MOST_LEVELS, Search, Seed, Weights

nrpa_search = lazy("nrpa.solvers.nrpa_search")

ADAPTS = ("plain", "memoized", "optimized")
# Of α and τ: so that α/τ² is neither 0 nor infinite.
SMALLEST_RATE, LARGEST_RATE = 1e-100, 1e100


def _rate(meaning: str) -> float:
    return option(1.0, meaning, least=SMALLEST_RATE, most=LARGEST_RATE)


def _adapt() -> str:
    return option("optimized", "Variant of Adapt, same result", choices=ADAPTS)


@dataclass(frozen=True)
class PolicyAdaptation(Options):
    """The options that NRPA and GNRPA share: nesting level, iterations N of each level, learning rate α."""

    level: int = option(3, "Nesting level", most=MOST_LEVELS)
    iterations: int = option(100, "N, iterations of each level", most=LARGEST_WHOLE)
    alpha: float = _rate("Learning rate α")


@dataclass(frozen=True)
class GNRPA(PolicyAdaptation):
    """Generalized NRPA.

    level: nesting level, 1 to 20. iterations: N, iterations of each level. alpha: learning rate α, 1e-100 to 1e100.
    tau: temperature τ, 1e-100 to 1e100. bias: whether the problem's bias β is used.
    adapt: "plain", "memoized" or "optimized"; same result, different speed.

    Raises InputError for a value out of range.
    """

    name: ClassVar[str] = "gnrpa"

    tau: float = _rate("Temperature τ")
    bias: bool = option(True, "Use the problem's bias β")
    adapt: str = _adapt()

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return self.bias

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled."""
        search: Search = nrpa_search.start(self, problem, seed, warm_start, weights)
        return search


@dataclass(frozen=True)
class NRPA(PolicyAdaptation):
    """NRPA: GNRPA with temperature 1 and no bias.

    level: nesting level, 1 to 20. iterations: N, iterations of each level. alpha: learning rate α, 1e-100 to 1e100.
    adapt: "plain", "memoized" or "optimized"; same result, different speed.

    Raises InputError for a value out of range.
    """

    name: ClassVar[str] = "nrpa"

    adapt: str = _adapt()

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return False

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled."""
        general = GNRPA(**self.options, tau=1.0, bias=False)
        return general.start(problem, seed, warm_start=warm_start, weights=weights)
