"""The interface between a search algorithm and ``solve``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from nrpa.modelling.base_problem import BaseProblem

MOST_LEVELS = 20

Weights = ArrayLike | Mapping[Any, float]


class Improvement(NamedTuple):
    """A new best: after how many playouts, its score, and its moves (int64[steps])."""

    playouts: int
    score: float
    moves: np.ndarray


class Search(Protocol):
    """A search in progress that can stop after any playout and continue."""

    @property
    def playouts(self) -> int:
        """Playouts done so far."""
        ...

    @property
    def score(self) -> float:
        """The best score so far; -inf before the first playout."""
        ...

    @property
    def moves(self) -> np.ndarray:
        """The best sequence of moves so far, int64[steps]."""
        ...

    @property
    def finished(self) -> int:
        """Top-level searches finished so far."""
        ...

    def advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        """Run exactly ``playouts`` playouts and return the improvements of the best in them, in order.

        Stop early when ``searches`` more top-level searches are finished, or when the best reaches ``score``.
        """
        ...


class Solver(Protocol):
    """The description of an algorithm and its options; it can start any number of searches."""

    @property
    def name(self) -> str:
        """The name on the command line."""
        ...

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        ...

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""
        ...

    def start(
        self, problem: BaseProblem, seed: int, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled.

        warm_start: the moves (int64[steps]) that the search has as its best from the beginning.
        weights: the policy that it begins with: float64[codes], or a mapping of codes to weights.
        Raises InputError for either where it is not possible.
        """
        ...
