"""Parallel tempering of whole games: the solver and its options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import documented, option
from nrpa.base.values import LARGEST_WHOLE
from nrpa.solvers.interface import Started

MOST_CHAINS = 1000
LARGEST_TEMPERATURE = 1e100


def _temperature(which: str, deviations: float, taken: str) -> float:
    meaning = f"Temperature of the {which} chain, in units of the score; 0: the problem's, or found by the search"
    details = (
        "0 takes that of the problem's ``hints()``. Where neither gives one, temperatures follow the share of changes "
        f"for the worse that are taken ({taken} for this chain, a geometric series between); they begin at "
        f"{deviations} standard deviations of the scores of a hundred random games, which are played first."
    )
    return option(0.0, meaning, least=0.0, most=LARGEST_TEMPERATURE, tried=(), details=details)


@documented
@dataclass(frozen=True)
class Tempering(Started):
    """Parallel tempering (replica exchange) of whole games.

    Each chain has a game, which is changed again and again: moves are left out, put elsewhere, exchanged, put in at
    random, or a part is reversed, and the rest is played again by the names of its moves. Kinds of change that gain
    more are tried more often. A change that is worse by d is taken with the probability
    exp(-d / T) at the chain's temperature T. Chains take turns, and exchange games with their neighbours: hot ones look
    far, cold ones near. There is no schedule, so no budget must be known. Every changed game counts as a playout.
    Several workers share the chains, with the same result as one.

    Names of moves (the kernel ``name``, else the moves themselves) should mean the same move whatever was played
    before.

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
    >>> given = Tempering(chains=8).options
    >>> given["chains"], given["period"], given["names"]
    (8, 1000, 'move')
    """

    name: ClassVar[str] = "tempering"
    _module: ClassVar[Any] = lazy("nrpa.solvers.tempering.search")

    chains: int = option(10, "Number of chains", most=MOST_CHAINS, tried=(5, 10, 20))
    coldest: float = _temperature("coldest", 0.05, "one in 100,000")
    hottest: float = _temperature("hottest", 0.22, "3 in 100")
    period: int = option(1000, "Playouts of a chain's turn", most=LARGEST_WHOLE, tried=())
    rotation: int = option(
        0,
        "Rounds after which games move on to colder chains; 0: the problem's, or never",
        least=0,
        most=LARGEST_WHOLE,
        tried=(0, 20),
        details="In a round each chain has a turn; the coldest chain's game goes to the hottest. It helps where "
        "neighbours rarely exchange: each game is annealed again and again.",
    )

    anneals: bool = option(
        False,
        "Cool all chains from the hottest temperature to the coldest, again and again",
        tried=(),
        details="The first cooling takes 16 rounds, each later one twice as many. With one chain this is simulated "
        "annealing that need not know its budget.",
    )

    names: str = option(
        "move",
        "What a changed game is played again by: moves or codes",
        choices=("move", "code"),
        details="A problem with the kernel ``name`` has names of its own, which are used.",
    )

    bias: bool = option(
        False,
        "Draw random moves by the problem's bias β",
        tried=(),
        details="In proportion to e^β: those of the first games, and those put in where no wanted move is legal; one "
        "in ten evenly. ``auto`` does so where a class has a method ``bias``.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0.0 < self.hottest < self.coldest:
            raise InputError(f"coldest must be at most hottest ({self.hottest:g}), not {self.coldest:g}")

    @property
    def uses_bias(self) -> bool:
        return self.bias
