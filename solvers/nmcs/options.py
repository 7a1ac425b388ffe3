"""Nested Monte Carlo search and the baselines: the solvers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nrpa.base.lazy import lazy
from nrpa.base.options import documented, option
from nrpa.solvers.interface import MOST_LEVELS, Started, cut_option


def _bias() -> bool:
    details = "Playouts then draw moves with probabilities in proportion to e^β, instead of uniformly."
    return option(False, "Use the problem's bias β", details=details)


@dataclass(frozen=True)
class NestedSearch(Started):
    """What NMCS and the baselines share: how playouts choose, and what is not an option of all."""

    _module: ClassVar[Any] = lazy("nrpa.solvers.nmcs.search")
    level, memory, bias, cut, prune, judging = 0, True, False, -1, 0.0, 1

    @property
    def rule(self) -> str:
        """How playouts choose: one of ``nrpa.solvers.nmcs.search.RULES``."""
        return "biased" if self.bias else "uniform"

    @property
    def uses_bias(self) -> bool:
        return self.rule != "uniform"


@documented
@dataclass(frozen=True)
class NMCS(NestedSearch):
    """Nested Monte Carlo search.

    At each step a level tries every legal move with a search of the level below (at level 1: a playout), and makes the
    move that led to the best score. A search that has finished begins again; the best over all of them counts.

    References
    ----------
    T. Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009: Algorithm 3.

    M. Roucairol and T. Cazenave, *Comparing search algorithms on the retrosynthesis problem*, Molecular Informatics 43,
    2024: Lazy NMCS, ``prune``.

    Examples
    --------
    >>> NMCS(level=3).options
    {'level': 3, 'memory': True, 'bias': False, 'cut': -1, 'prune': 0.0, 'judging': 1}
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
    prune: float = option(
        0.0,
        "Search no move that is judged to be in this share of the worst (Lazy NMCS)",
        least=0.0,
        most=1.0,
        details="A level from 2 on first judges each move by playouts; 0: all moves are searched.",
    )
    judging: int = option(1, "How many playouts judge a move", least=1)


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
        return "greedy"
