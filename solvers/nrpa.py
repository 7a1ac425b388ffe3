"""Nested Rollout Policy Adaptation, and its generalization with temperature and bias.

NRPA: Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search, IJCAI 2011.
GNRPA: Cazenave, Generalized Nested Rollout Policy Adaptation, 2020 (Algorithms 3 to 6).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import LARGEST_WHOLE, positive, whole
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import MOST_LEVELS, Search, Weights

nrpa_search = lazy("nrpa.solvers.nrpa_search")

ADAPTS = ("plain", "memoized", "optimized")
# Of α and τ: so that α/τ² is neither 0 nor infinite.
RATES = (1e-100, 1e100)


@dataclass(frozen=True)
class GNRPA:
    """Generalized NRPA.

    level: nesting level, 1 to 20. iterations: N, iterations of each level. alpha: learning rate α, 1e-100 to 1e100.
    tau: temperature τ, 1e-100 to 1e100. bias: whether the problem's bias β is used.
    adapt: "plain", "memoized" or "optimized"; same result, different speed.

    Raises InputError for a value out of range.
    """

    name: ClassVar[str] = "gnrpa"

    level: int = 3
    iterations: int = 100
    alpha: float = 1.0
    tau: float = 1.0
    bias: bool = True
    adapt: str = "optimized"

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", whole("level", self.level, most=MOST_LEVELS))
        object.__setattr__(self, "iterations", whole("iterations", self.iterations, most=LARGEST_WHOLE))
        object.__setattr__(self, "alpha", positive("alpha", self.alpha, *RATES))
        object.__setattr__(self, "tau", positive("tau", self.tau, *RATES))
        object.__setattr__(self, "bias", bool(self.bias))
        if self.adapt not in ADAPTS:
            raise InputError(f"adapt must be one of {', '.join(ADAPTS)}, not {self.adapt!r}")

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        return asdict(self)

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return self.bias

    def start(
        self, problem: BaseProblem, seed: int, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled."""
        search: Search = nrpa_search.start(self, problem, seed, warm_start, weights)
        return search


@dataclass(frozen=True)
class NRPA:
    """NRPA: GNRPA with temperature 1 and no bias.

    level: nesting level, 1 to 20. iterations: N, iterations of each level. alpha: learning rate α, 1e-100 to 1e100.
    adapt: "plain", "memoized" or "optimized"; same result, different speed.

    Raises InputError for a value out of range.
    """

    name: ClassVar[str] = "nrpa"

    level: int = 3
    iterations: int = 100
    alpha: float = 1.0
    adapt: str = "optimized"

    def __post_init__(self) -> None:
        general = self._general()
        for option in ("level", "iterations", "alpha"):
            object.__setattr__(self, option, getattr(general, option))

    def _general(self) -> GNRPA:
        return GNRPA(self.level, self.iterations, self.alpha, tau=1.0, bias=False, adapt=self.adapt)

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        return asdict(self)

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return False

    def start(
        self, problem: BaseProblem, seed: int, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled."""
        return self._general().start(problem, seed, warm_start=warm_start, weights=weights)
