"""Nested Rollout Policy Adaptation, and its generalization with temperature and bias: the solvers and their options.

References
----------
C. D. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, IJCAI 2011.

T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 3 to 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.options import Options, Range, option
from nrpa.base.values import LARGEST_WHOLE
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import MOST_LEVELS, Search, Seed, Weights

nrpa_search = lazy("nrpa.solvers.nrpa_search")

ADAPTS = ("plain", "memoized", "optimized")
# Of α and τ: so that α/τ² is neither 0 nor infinite.
SMALLEST_RATE, LARGEST_RATE = 1e-100, 1e100


def _rate(meaning: str) -> float:
    return option(1.0, meaning, least=SMALLEST_RATE, most=LARGEST_RATE, tried=Range(0.2, 5.0))


def _adapt() -> str:
    return option("optimized", "Variant of Adapt, same result", choices=ADAPTS, tried=())


def _repetitions() -> int:
    return option(
        0,
        "R: a level ends when its best sequence was found again so often; 0: never",
        least=0,
        most=LARGEST_WHOLE,
        tried=(0, 5, 10, 20, 50),
    )


@dataclass(frozen=True)
class PolicyAdaptation(Options):
    """The options that NRPA and GNRPA share.

    Parameters
    ----------
    level : int or None
        The nesting level, 1 to 20. A search of level n has N^n playouts. None, or "auto", for no top level: a search
        that has finished becomes the first iteration of one a level higher, instead of being given up for a new one.
    iterations : int
        N, the iterations of each level, at least 1.
    alpha : float
        The learning rate α, 1e-100 to 1e100.
    repetitions : int
        R: a level ends, before its N iterations, when its best sequence was found again so often; 0 for never.
    """

    level: int | None = option(
        3, "Nesting level; auto: no top level", most=MOST_LEVELS, none="auto", tried=(None, 1, 2, 3, 4, 5)
    )
    iterations: int = option(100, "N, iterations of each level", most=LARGEST_WHOLE, tried=Range(20, 500))
    alpha: float = _rate("Learning rate α")
    repetitions: int = _repetitions()

    @property
    def levels(self) -> int:
        """The levels of the search; without a top level, as many as 2^62 playouts do not finish, at most 20."""
        if self.level is not None:
            return self.level
        fewest = min(self.iterations, self.repetitions + 1) if self.repetitions else self.iterations
        return next((levels for levels in range(1, MOST_LEVELS) if fewest**levels >= 2**62), MOST_LEVELS)


@dataclass(frozen=True)
class GNRPA(PolicyAdaptation):
    """Generalized Nested Rollout Policy Adaptation: NRPA with a temperature τ and a bias β.

    A playout makes the move m with a probability in proportion to exp(w[m] / τ + β[m]). After each iteration, Adapt
    moves the weights w of a level towards its best sequence. A search that has finished begins again from the initial
    policy; the best over all of them counts.

    Parameters
    ----------
    level : int or None
        The nesting level, 1 to 20. A search of level n has N^n playouts. None, or "auto", for no top level: a search
        that has finished becomes the first iteration of one a level higher, instead of being given up for a new one.
    iterations : int
        N, the iterations of each level, at least 1.
    alpha : float
        The learning rate α, 1e-100 to 1e100.
    repetitions : int
        R: a level ends, before its N iterations, when its best sequence was found again so often; 0 for never.
    tau : float
        The temperature τ, 1e-100 to 1e100.
    bias : bool
        Whether playouts use the problem's bias β.
    gamma : float
        γ, the factor of β in Adapt, whose probabilities are in proportion to exp(w / τ + γβ); 1e-100 to 1. The paper's
        Adapt has γ = 1. With less, the weights of likely moves change as if the bias were weaker.
    adapt : {"optimized", "memoized", "plain"}
        The variant of Adapt: Algorithm 6, Algorithm 5 with the codes that the playout recorded, or Algorithm 5. All
        give the same result at different speeds.
    improve : bool
        Whether a playout that beats the best of its level is improved by the problem's kernel ``improve``, before it
        counts. Not part of the paper's algorithm.

    Raises
    ------
    InputError
        If a value is out of range.

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

    tau: float = _rate("Temperature τ")
    bias: bool = option(True, "Use the problem's bias β")
    gamma: float = option(
        1.0,
        "γ, factor of β in the probabilities of Adapt",
        least=SMALLEST_RATE,
        most=1.0,
        tried=Range(0.1, 1.0, log=False),
    )
    adapt: str = _adapt()
    improve: bool = option(False, "Let the problem improve playouts that beat the best of their level", tried=())

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return self.bias

    def start(
        self,
        problem: BaseProblem,
        seed: Seed,
        *,
        warm_start: np.ndarray | None = None,
        weights: Weights | None = None,
        by_node: bool = False,
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled.

        Parameters
        ----------
        problem : BaseProblem
            The problem.
        seed : int
            The seed of the random numbers.
        warm_start : ndarray of int64, shape (steps,), optional
            The moves of a sequence that is the best one from the beginning.
        weights : array_like of float, shape (codes,), or mapping of codes to float, optional
            The weights w that the policy begins with.
        by_node : bool
            Whether random numbers belong to the nodes of the call tree, so that the search can be spread; else there is
            one stream of them.

        Returns
        -------
        Search
            The search.

        Raises
        ------
        InputError
            If ``warm_start`` is not a whole game of legal moves, or ``weights`` do not fit.
        ProblemError
            If a kernel does not compile, goes out of bounds, or breaks a limit.
        """
        search: Search = nrpa_search.start(self, problem, seed, warm_start, weights, by_node)
        return search


@dataclass(frozen=True)
class NRPA(PolicyAdaptation):
    """Nested Rollout Policy Adaptation: GNRPA with temperature 1 and no bias.

    Parameters
    ----------
    level : int or None
        The nesting level, 1 to 20. A search of level n has N^n playouts. None, or "auto", for no top level: a search
        that has finished becomes the first iteration of one a level higher, instead of being given up for a new one.
    iterations : int
        N, the iterations of each level, at least 1.
    alpha : float
        The learning rate α, 1e-100 to 1e100.
    repetitions : int
        R: a level ends, before its N iterations, when its best sequence was found again so often; 0 for never.
    adapt : {"optimized", "memoized", "plain"}
        The variant of Adapt, as for ``GNRPA``. All give the same result at different speeds.

    Raises
    ------
    InputError
        If a value is out of range.

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

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return False

    def start(
        self,
        problem: BaseProblem,
        seed: Seed,
        *,
        warm_start: np.ndarray | None = None,
        weights: Weights | None = None,
        by_node: bool = False,
    ) -> Search:
        """Return a search that has not begun; its parameters and errors are those of ``GNRPA.start``."""
        general = GNRPA(**self.options, tau=1.0, bias=False)
        return general.start(problem, seed, warm_start=warm_start, weights=weights, by_node=by_node)
