"""What the compiled searches have in common: a function that works on NumPy arrays, called again and again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import nrpa.engine
from nrpa.engine.jit import load
from nrpa.engine.kernels import kernels_of
from nrpa.engine.status import IMPROVED
from nrpa.modelling.problem import Problem
from nrpa.solvers.capacity import Room

UNLIMITED = sys.maxsize


class CompiledSearch:
    """A resumable search: all its memory is NumPy arrays, and ``advance`` continues where it ended.

    A subclass keeps ``_progress``, a NamedTuple with ``counter`` (playouts done, top-level searches finished),
    ``best_move``, ``best_length``, ``best_score`` and ``last_score``; it puts the arguments of the compiled function
    together in ``_collect``, and makes room in ``_enlarge``.

    machine_code: the compiled function, a numba dispatcher.
    """

    _progress: Any

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._room = Room.of(problem.model)

    def _load(self, function: Callable[..., Any], home: ModuleType, state: Any) -> None:
        """Load or compile ``function`` of the module ``home`` for the class of ``state``."""
        sources = [*Path(nrpa.engine.__path__[0]).glob("*.py"), Path(str(home.__file__))]
        kernels = kernels_of(type(state)).values()
        arguments = (*self._collect(), 0, UNLIMITED)
        self.machine_code = load(function, type(state), kernels, sources, arguments, self._problem.model)
        self._arguments = arguments[:-2]

    def _collect(self) -> tuple[Any, ...]:
        """Return the arguments of the compiled function but the last two, with work areas of the size at hand."""
        raise NotImplementedError

    def _enlarge(self, room: Room) -> None:
        """Make the arrays as large as ``room``, without losing what they hold."""
        raise NotImplementedError

    def advance(self, playouts: int, searches: int = UNLIMITED) -> bool:
        """Run up to ``playouts`` playouts; stop early, and return True, after one that improved the best score.

        Stop early, too, when ``searches`` more top-level searches are finished. Raises what a method of a plain-Python
        problem raised, and ProblemError where the problem breaks a limit.
        """
        end, last = self.playouts + playouts, min(self.finished + searches, UNLIMITED)
        while True:
            status = self.machine_code(*self._arguments, end - self.playouts, last)
            if status >= 0 and not self._makes_room(status):
                return bool(status == IMPROVED)
            if status < 0:
                self._problem.model.raise_kept_error()
                self._enlarge(self._room.larger(status, self._problem.model))
            self._arguments = self._collect()

    def _makes_room(self, status: int) -> bool:
        """Make room that the compiled function has asked for; return whether it has."""
        return False

    @property
    def playouts(self) -> int:
        """Playouts done so far."""
        return int(self._progress.counter[0])

    @property
    def finished(self) -> int:
        """Top-level searches finished so far; each further one begins anew."""
        return int(self._progress.counter[1])

    @property
    def score(self) -> float:
        """The best score so far; -inf before the first playout."""
        return float(self._progress.best_score[0])

    @property
    def last_score(self) -> float:
        """The score of the last playout; NaN before the first."""
        return float(self._progress.last_score[0])

    @property
    def moves(self) -> np.ndarray:
        """The best sequence of moves so far, int64[steps]."""
        best: np.ndarray = self._progress.best_move[: max(self._progress.best_length[0], 0)]
        return best.copy()
