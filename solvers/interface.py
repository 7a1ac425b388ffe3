"""The interface between a search algorithm and ``solve``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from nrpa.modelling.base_problem import BaseProblem

MOST_LEVELS = 20

Seed = int | np.random.SeedSequence
Weights = ArrayLike | Mapping[Any, float]


class Improvement(NamedTuple):
    """A new best: after how many playouts, its score, its moves (int64[steps]), and which worker found it."""

    playouts: int
    score: float
    moves: np.ndarray
    worker: int = 0


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

    @property
    def slice_seconds(self) -> float:
        """How long a slice should take, in seconds."""
        ...

    @property
    def workers(self) -> int:
        """The number of workers that share the search."""
        ...

    def close(self) -> None:
        """Let go of threads and processes, if there are any."""
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
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled.

        warm_start: the moves (int64[steps]) that the search has as its best from the beginning.
        weights: the policy that it begins with: float64[codes], or a mapping of codes to weights.
        Raises InputError for either where it is not possible.
        """
        ...
