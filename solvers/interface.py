"""The interface between a search algorithm and ``solve``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.base.options import Options, option
from nrpa.base.values import LARGEST_WHOLE
from nrpa.modelling.base_problem import BaseProblem

MOST_LEVELS = 20
UNLIMITED = sys.maxsize

Seed = int | np.random.SeedSequence
Weights = ArrayLike | Mapping[Any, float]


class Improvement(NamedTuple):
    """A new best."""

    playouts: int  # the number of the playout that found it, from 1
    score: float
    moves: np.ndarray  # int64[steps]: its sequence
    worker: int = 0  # the worker that found it, from 0
    cut: bool = False  # whether its playout was given up: the search goes on without it


class Search(Protocol):
    """A search in progress. It can stop after any playout and go on later."""

    @property
    def playouts(self) -> int:
        """The playouts done so far."""

    @property
    def score(self) -> float:
        """The best score so far; -inf before the first playout."""

    @property
    def moves(self) -> np.ndarray:
        """The best sequence of moves so far, an ndarray of int64, shape (steps,)."""

    @property
    def finished(self) -> int:
        """The top-level searches finished so far."""

    @property
    def slice_seconds(self) -> float:
        """How long a slice should take, in seconds."""

    @property
    def workers(self) -> int:
        """The number of workers that share the search."""

    @property
    def rates(self) -> list[float]:
        """Playouts per second of each worker while it searched; empty where workers have no search of their own."""

    @property
    def slice_playouts(self) -> int:
        """How many playouts a slice should have if they do not take long."""
        return 1

    @property
    def shared(self) -> Any:
        """The search whose parts workers can share; None where each must have a search of its own."""
        return None

    @property
    def proven(self) -> bool:
        """Whether nothing better can be found, so that ``advance`` does nothing more."""
        return False

    @property
    def chosen(self) -> str | None:
        """What the search has chosen of several, and why, in words; with several workers, for the first one."""
        return None

    @property
    def full_at(self) -> int:
        """The nodes of a tree that is full, to which no leaves are added any more; 0 before, or without a tree."""
        return 0

    @property
    def stop(self) -> np.ndarray:
        """An array, bool[1]: once its entry is True, ``advance`` gives up the playout in progress and returns.

        Until it is False again, ``advance`` does nothing more. A search that ignores it ends its playout.
        """
        return np.zeros(1, np.bool_)

    @property
    def lacks_code(self) -> bool:
        """Whether the next playouts need machine code that ``load_code`` loads or compiles first."""
        return False

    @property
    def playouts_with_code(self) -> int:
        """How many playouts there are before it may lack code again."""
        return UNLIMITED

    def load_code(self, whole: bool = False) -> None:
        """Load or compile the kernels that the next playouts need, or any may; ``advance`` does so on the clock."""
        return

    def front(self) -> list[tuple[tuple[float, ...], Any]] | None:
        """Return goals and solution of each sequence that no other beats in all goals; None where there is one goal."""
        return None

    def close(self) -> None:
        """Let go of threads and processes, if there are any."""

    def advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        """Run exactly so many playouts, unless another limit is reached before."""


class Solver(Protocol):
    """An algorithm and its options. It can start any number of searches.

    A solver of another package is a dataclass with these members (see ``nrpa.base.options.option`` for its fields).
    """

    name: ClassVar[str]
    """The name at the command line."""

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""

    @property
    def uses_bias(self) -> bool:
        """Whether playouts follow the bias β."""

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun, its machine code loaded or compiled.

        - ``warm_start``, int64[steps]: The moves of a whole game, the best one from the beginning.
        - ``weights``, array_like of float[codes], or mapping of codes to float: The weights w that the policy begins
          with. Where codes are hashes, a mapping; a code that it lacks has weight 0.

        Raises InputError for a warm start or weights that do not fit, and ProblemError if a kernel does not compile,
        goes out of bounds, or breaks a limit.
        """


@dataclass(frozen=True)
class Started(Options):
    """A solver whose search is made by the function ``start`` of a module, which is imported when it is needed."""

    name: ClassVar[str]
    _module: ClassVar[Any]

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun; parameters and errors are those of ``Solver.start``."""
        search = self.without_code(problem, seed, warm_start, weights)
        search.prepare()
        return search  # type: ignore[no-any-return]

    def without_code(
        self, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Any:
        """Return a search that has not begun, and has no machine code yet."""
        return self._module.start(self, problem, seed, warm_start, weights)


def cut_option() -> int:
    """Return the option that ends playouts early."""
    details = "A playout ends after so many moves with the value of the state; -1: at the end of the game."
    return option(-1, "Moves of a playout, -1: all", least=-1, most=LARGEST_WHOLE, tried=(), details=details)


def require_value(problem: BaseProblem, option: str) -> None:
    """Raise InputError for an option that needs the values of states, where a problem has none."""
    if not problem.model.has_value:
        what = "the kernel value, or in plain Python the method value(state)"
        raise InputError(f"{option} needs {what}, which {problem.name} does not have")


def refuse(weights: object, solver: str) -> None:
    """Raise InputError if there are weights, which only NRPA and GNRPA take."""
    if weights is not None:
        raise InputError(f"initial weights do not apply to the solver {solver}")
