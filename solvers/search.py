"""What the compiled searches have in common: memory of NumPy arrays, and a compiled function that goes on with it."""

from __future__ import annotations

import copy
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.kernels import allocate_moves
from nrpa.engine.machine_code import machine_code
from nrpa.engine.model import Numbering
from nrpa.engine.playout import Position
from nrpa.engine.status import IMPROVED
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.capacity import Capacity
from nrpa.solvers.interface import Improvement

UNLIMITED = sys.maxsize


class Budget(NamedTuple):
    """How far a compiled search may go: so many more playouts, so many top-level searches in all."""

    playouts: int
    searches: int


class CompiledSearch:
    """A resumable search, which is its memory: whoever has ``memory`` can go on.

    A subclass says which compiled function goes on with the memory, with which work areas and settings, and how the
    memory grows. Work areas and machine code are made when they are needed; a search that is pickled leaves them
    behind.

    machine_code: the compiled function, a numba dispatcher; None before it is needed.
    memory: a NamedTuple of arrays (or of such NamedTuples) with ``best``, ``tally``, ``random`` and ``room``.
    """

    memory: Any

    def __init__(self, problem: BaseProblem, state: Any) -> None:
        self._problem = problem
        self._state = state
        self.machine_code: Any = None
        self._arguments: tuple[Any, ...] = ()

    def _function(self) -> Callable[..., Any]:
        """Return the function to compile, which goes on with the memory."""
        raise NotImplementedError

    def _made_of(self) -> tuple[Any, ...]:
        """Return the arguments of the constructor that make this search again; the first is the problem."""
        raise NotImplementedError

    def __reduce__(self) -> Any:
        """Return what is pickled: the memory, and the numbers that a plain-Python problem's moves and codes have."""
        return _restored, (type(self), self._made_of(), self._problem.model.numbering())

    def _capacity(self) -> Capacity:
        return Capacity(*map(int, self.memory.room))

    def _work(self) -> tuple[Any, ...]:
        """Return work areas and settings: what the compiled function takes beside position, memory and budget."""
        raise NotImplementedError

    def _enlarge(self, capacity: Capacity) -> None:
        """Make the memory as large as ``capacity``, without losing what it holds."""
        raise NotImplementedError

    def _makes_room(self, status: int) -> bool:
        """Make room that the compiled function has asked for; return whether it has."""
        return False

    def _collect(self) -> None:
        """Put the arguments together, with work areas of the size at hand."""
        position = Position(self._problem.model.instance, self._state, allocate_moves(self._capacity().moves))
        self._arguments = (position, self.memory, *self._work())

    def prepare(self) -> None:
        """Load or compile the machine code, unless that has been done. Raises ProblemError where a kernel is broken."""
        if self.machine_code is None:
            self._collect()
            position, *others = self._arguments
            function = self._function()
            home = Path(function.__code__.co_filename)
            arguments = (*others, Budget(0, UNLIMITED))
            self.machine_code = machine_code(function, self._problem.model, position, arguments, home)

    def advance(self, playouts: int, searches: int = UNLIMITED, score: float = math.inf) -> list[Improvement]:
        """Run exactly ``playouts`` playouts and return the improvements of the best in them, in order.

        Stops early when ``searches`` more top-level searches are finished, or when the best reaches ``score``.
        Raises what a method of a plain-Python problem raised, and ProblemError where the problem breaks a limit.
        """
        self.prepare()
        improvements: list[Improvement] = []
        end, last = self.playouts + playouts, min(self.finished + searches, UNLIMITED)
        while self.playouts < end and self.finished < last:
            status = self.machine_code(*self._arguments, Budget(end - self.playouts, last))
            if status == IMPROVED:
                improvements.append(Improvement(self.playouts, self.score, self.moves))
                if self.score >= score:
                    break
            elif status < 0:
                self._problem.model.raise_kept_error()
                self._enlarge(self._capacity().larger(status, self._problem.model))
                self._collect()
            elif self._makes_room(status):
                self._collect()
        return improvements

    @property
    def playouts(self) -> int:
        """Playouts done so far."""
        return int(self.memory.tally.playouts[0])

    @property
    def finished(self) -> int:
        """Top-level searches finished so far; each further one begins anew."""
        return int(self.memory.tally.searches[0])

    @property
    def score(self) -> float:
        """The best score so far; -inf before the first playout."""
        return float(self.memory.best.score[0])

    @property
    def last_score(self) -> float:
        """The score of the last playout; NaN before the first."""
        return float(self.memory.tally.last_score[0])

    @property
    def moves(self) -> np.ndarray:
        """The best sequence of moves so far, int64[steps]."""
        best: np.ndarray = self.memory.best.move[: self.memory.best.length[0]]
        return best.copy()


def _restored(search: Callable[..., CompiledSearch], made_of: tuple[Any, ...], numbering: Numbering) -> CompiledSearch:
    """Return a pickled search; its problem is a copy where the problem has numbered its moves otherwise since."""
    problem, *others = made_of
    if not problem.model.adopt(numbering):
        problem = copy.copy(problem)
        problem.model.adopt(numbering)
    return search(problem, *others)
