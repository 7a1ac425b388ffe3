"""Parallel tempering of whole games: the solver and its options.

References
----------
K. Hukushima and K. Nemoto, *Exchange Monte Carlo Method and Application to Spin Glass Simulations*, Journal of the
Physical Society of Japan 65, 1996.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Options, option
from nrpa.base.values import LARGEST_WHOLE
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import Search, Seed, Weights
from nrpa.solvers.nmcs import refuse

tempering_search = lazy("nrpa.solvers.tempering_search")

MOST_CHAINS = 1000
LARGEST_TEMPERATURE = 1e100


def _temperature(which: str) -> float:
    meaning = f"Temperature of the {which} chain, in units of the score; 0: the problem's, or by random scores"
    return option(0.0, meaning, least=0.0, most=LARGEST_TEMPERATURE, tried=())


@dataclass(frozen=True)
class Tempering(Options):
    """Parallel tempering (replica exchange) of whole games.

    Each chain has a game, which is changed again and again: moves are left out, put elsewhere, put in at random, and
    the rest is played again by the names of its moves. A change that is worse by d is taken with the probability
    exp(-d / T) at the chain's temperature T. Chains take turns, and exchange games with their neighbours: hot ones look
    far, cold ones near. There is no schedule, so no budget must be known. Every changed game counts as a playout.

    Names of moves (the kernel ``name``, else their codes) should mean the same move whatever was played before. The
    bias β is not used.

    Parameters
    ----------
    chains : int
        The number of chains, 1 to 1000; their temperatures are a geometric series.
    coldest, hottest : float
        The temperatures of the two ends, in units of the score, up to 1e100; 0 for the problem's own
        (``problem.temperatures``), or else 0.05 and 0.22 standard deviations of the scores of random games, a hundred
        of which are played first.
    period : int
        The playouts of a chain's turn.
    rotation : int
        After how many rounds (a turn of each chain) every game is passed on to the next colder chain, and the coldest
        one's to the hottest; 0 for the problem's own (``problem.rotation``), or else never. It helps where neighbours
        rarely exchange: each game is annealed again and again, one after the other.

    Raises
    ------
    InputError
        If a value is out of range, or the coldest temperature is above the hottest.

    References
    ----------
    K. Hukushima and K. Nemoto, *Exchange Monte Carlo Method and Application to Spin Glass Simulations*, 1996.

    The order of moves as what is changed, and a game as the playout of an order: as in koozdra/Morpion-Julia, 2026.

    Examples
    --------
    >>> Tempering(chains=8).options
    {'chains': 8, 'coldest': 0.0, 'hottest': 0.0, 'period': 1000, 'rotation': 0}
    """

    name: ClassVar[str] = "tempering"

    chains: int = option(10, "Number of chains", most=MOST_CHAINS, tried=(5, 10, 20))
    coldest: float = _temperature("coldest")
    hottest: float = _temperature("hottest")
    period: int = option(1000, "Playouts of a chain's turn", most=LARGEST_WHOLE, tried=())
    rotation: int = option(
        0,
        "Rounds after which games move on to colder chains; 0: the problem's, or never",
        least=0,
        most=LARGEST_WHOLE,
        tried=(0, 20),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0.0 < self.hottest < self.coldest:
            raise InputError(f"coldest must be at most hottest ({self.hottest:g}), not {self.coldest:g}")

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        return False

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
        search: Search = tempering_search.start(self, problem, seed, warm_start)
        return search
