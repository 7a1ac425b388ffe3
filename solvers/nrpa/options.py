"""Nested Rollout Policy Adaptation, and its generalization with temperature and bias: the solvers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Range, documented, option
from nrpa.base.values import LARGEST_WHOLE
from nrpa.solvers.interface import MOST_LEVELS, Started

ADAPTS = ("plain", "memoized", "optimized")
# Of α and τ: so that α/τ² is neither 0 nor infinite.
SMALLEST_RATE, LARGEST_RATE = 1e-100, 1e100
BY_LEVEL = "By level, from level 1 up, in a list, whose last value is that of all higher levels."


def by_level(value: float | Sequence[float], levels: int) -> list[float]:
    """Return the values of an option for level 0, where it means nothing, and each level above.

    >>> by_level((500, 100), 3), by_level(2, 1)
    ([500, 500, 100, 100], [2, 2])
    """
    values = [*value] if isinstance(value, Sequence) else [value]
    return [values[0], *values, *values[-1:] * levels][: levels + 1]


def _rate(meaning: str, **terms: Any) -> float:
    return option(1.0, meaning, least=SMALLEST_RATE, most=LARGEST_RATE, tried=Range(0.2, 5.0), **terms)


def _adapt() -> str:
    details = "Algorithm 5, Algorithm 5 with the codes that the playout recorded, or Algorithm 6, the fastest."
    return option("optimized", "Variant of Adapt, same result", choices=ADAPTS, tried=(), details=details)


@dataclass(frozen=True)
class PolicyAdaptation(Started):
    """The options that NRPA and GNRPA share, and what those of GNRPA are in NRPA."""

    _module: ClassVar[Any] = lazy("nrpa.solvers.nrpa.search")
    tau, bias, gamma, adapt, improve = 1.0, False, 1.0, ADAPTS[-1], False

    level: int | None = option(
        3,
        "Nesting level; auto: no top level",
        most=MOST_LEVELS,
        none="auto",
        tried=(None, 1, 2, 3, 4, 5),
        details="A search of level n has N^n playouts. Without a top level (None or auto), a search that has finished "
        "becomes the first iteration of one a level higher, instead of being given up for a new one.",
    )
    iterations: int | Sequence[int] = option(
        100,
        "N, iterations; by level: 300,20",
        most=LARGEST_WHOLE,
        tried=Range(20, 500),
        details=BY_LEVEL,
        by_level=True,
    )
    alpha: float | Sequence[float] = _rate("Learning rate α", details=BY_LEVEL, by_level=True)
    repetitions: int | Sequence[int] = option(
        0,
        "R: a level ends when its best was found again so often; 0: never",
        least=0,
        most=LARGEST_WHOLE,
        tried=(0, 5, 10, 20, 50),
        details=BY_LEVEL,
        by_level=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("iterations", "alpha", "repetitions"):
            value = getattr(self, name)
            if self.level is not None and isinstance(value, Sequence) and len(value) > self.level:
                raise InputError(f"{name} has a value for each of {len(value)} levels; the search has {self.level}")

    @property
    def uses_bias(self) -> bool:
        return self.bias

    @property
    def levels(self) -> int:
        """The levels of the search; without a top level, as many as 2^62 playouts do not finish, at most 20."""
        if self.level is not None:
            return self.level
        most = zip(*(by_level(each, MOST_LEVELS)[1:] for each in (self.iterations, self.repetitions)), strict=True)
        fewest = [min(iterations, again + 1) if again else iterations for iterations, again in most]
        return next((k for k in range(1, MOST_LEVELS) if math.prod(fewest[:k]) >= 2**62), MOST_LEVELS)


@documented
@dataclass(frozen=True)
class GNRPA(PolicyAdaptation):
    """Generalized Nested Rollout Policy Adaptation: NRPA with a temperature τ and a bias β.

    A playout makes the move m with a probability in proportion to exp(w[m] / τ + β[m]). After each iteration, Adapt
    moves the weights w of a level towards its best sequence. A search that has finished begins again from the initial
    policy; the best over all of them counts.

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 3 to 6. Its Algorithm 5 prints
    exp((w + β) / τ); its equations and its Algorithms 4 and 6 have exp(w / τ + β), which is used here.

    T. Cazenave, *Generalized Nested Rollout Policy Adaptation with Limited Repetitions*, arXiv 2401.10420, 2024: R.

    Examples
    --------
    >>> GNRPA(level=2, tau=1.4).tau
    1.4
    >>> GNRPA(repetitions=10, gamma=0.3).options["repetitions"]
    10
    """

    name: ClassVar[str] = "gnrpa"

    tau: float = _rate(
        "Temperature τ: the same as α/τ² in place of α",
        details="With a bias, too: the search depends on α and τ by α/τ² alone, and on initial weights w by w/τ. "
        "τ = 1.4 is α = 0.5102.",
    )
    bias: bool = option(True, "Use the problem's bias β")
    gamma: float = option(
        1.0,
        "γ, factor of β in the probabilities of Adapt",
        least=SMALLEST_RATE,
        most=1.0,
        tried=Range(0.1, 1.0, log=False),
        details="Those are in proportion to exp(w / τ + γβ). The paper's Adapt has γ = 1; with less, the weights of "
        "likely moves change as if the bias were weaker.",
    )
    adapt: str = _adapt()
    improve: bool = option(
        False,
        "Let the problem improve playouts that beat the best of their level",
        tried=(),
        details="By its kernel ``improve``, before they count. Not part of the paper's algorithm.",
    )


@documented
@dataclass(frozen=True)
class NRPA(PolicyAdaptation):
    """Nested Rollout Policy Adaptation: GNRPA with temperature 1 and no bias.

    References
    ----------
    C. D. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, IJCAI 2011.

    Examples
    --------
    >>> NRPA(level=4).options
    {'level': 4, 'iterations': 100, 'alpha': 1.0, 'repetitions': 0, 'adapt': 'optimized'}
    """

    name: ClassVar[str] = "nrpa"

    adapt: str = _adapt()


@documented
@dataclass(frozen=True)
class ParetoNRPA(GNRPA):
    """GNRPA for several goals: it keeps every solution that no other one it has met beats, ``Result.front``.

    Each level has a front in place of a best sequence, and Adapt moves its policy towards all of the front, α divided
    equally. The problem has an ``nrpa.Lexicographic`` objective, or ``goals`` and the kernel ``goal``. R counts
    iterations that add nothing to the front.

    References
    ----------
    N. Lallouet, T. Cazenave and C. Enderli, *Pareto-NRPA: A Novel Monte-Carlo Search Algorithm for Multi-Objective
    Optimization*, ECAI 2025. It has several policies, and shares by crowding distance.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.TSPTW.load("rc201.1", moves="all")
    >>> result = nrpa.solve(problem, ParetoNRPA(level=2), seed=1, playouts=20000)
    >>> len(result.front), result.front[0]["figures"]["violations"], result.front[-1]["figures"]["violations"]
    (11, 16, 0)
    """

    name: ClassVar[str] = "pareto"
    _module: ClassVar[Any] = lazy("nrpa.solvers.nrpa.front_search")
