"""Nested Monte Carlo search, and the two baselines that it is compared with: the solvers and their options.

References
----------
T. Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009.
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

    At each step a level tries every legal move with a search of the level below (at level 1: a playout), and makes the
    move that led to the best score. A search that has finished begins again; the best over all of them counts.

    Parameters
    ----------
    level : int
        The nesting level, 1 to 20.
    memory : bool
        Whether a level remembers the best sequence of its whole search and follows it (Algorithm 3 of the paper), or
        only looks at the current step.
    bias : bool
        Whether playouts draw moves with probabilities in proportion to e^β, β being the problem's bias, or uniformly.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    T. Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009: Algorithm 3.

    Examples
    --------
    >>> NMCS(level=3).options
    {'level': 3, 'memory': True, 'bias': False}
    """

    name: ClassVar[str] = "nmcs"

    level: int = option(2, "Nesting level", most=MOST_LEVELS, tried=(1, 2, 3, 4))
    memory: bool = option(True, "Follow the best sequence found")
    bias: bool = option(False, "Use the problem's bias β")

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return self.bias

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
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
        weights : None
            There is no policy that could begin with weights.

        Returns
        -------
        Search
            The search.

        Raises
        ------
        InputError
            If ``warm_start`` is not a whole game of legal moves, or there are ``weights``.
        ProblemError
            If a kernel does not compile, goes out of bounds, or breaks a limit.
        """
        refuse(weights, self.name)
        choice = "biased" if self.bias else "uniform"
        search: Search = nmcs_search.start(problem, seed, self.level, choice, self.memory, warm_start)
        return search


@dataclass(frozen=True)
class RandomSampling(Options):
    """Independent random playouts: level 0 of nested search. Each counts as a finished top-level search.

    Parameters
    ----------
    bias : bool
        Whether playouts draw moves with probabilities in proportion to e^β, β being the problem's bias, or uniformly.

    Raises
    ------
    InputError
        If ``bias`` is not True or False.
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
        """Return a search that has not begun; its parameters and errors are those of ``NMCS.start``."""
        refuse(weights, self.name)
        choice = "biased" if self.bias else "uniform"
        search: Search = nmcs_search.start(problem, seed, 0, choice, warm_start=warm_start)
        return search


@dataclass(frozen=True)
class Greedy(Options):
    """Playouts that make the move of the largest bias β, ties broken at random; without a bias, all moves tie."""

    name: ClassVar[str] = "greedy"

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return True

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun; its parameters and errors are those of ``NMCS.start``."""
        refuse(weights, self.name)
        search: Search = nmcs_search.start(problem, seed, 0, "greedy", warm_start=warm_start)
        return search


def refuse(weights: object, solver: str) -> None:
    """Raise InputError if there are weights: the searches of this module have no policy.

    Parameters
    ----------
    weights : object
        What the caller gave as weights; None if nothing.
    solver : str
        The name of the solver, for the message.

    Raises
    ------
    InputError
        If ``weights`` is not None.
    """
    if weights is not None:
        raise InputError(f"initial weights do not apply to the solver {solver}")
