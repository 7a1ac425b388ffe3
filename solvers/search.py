"""What the compiled searches have in common: memory of NumPy arrays, and a compiled function that goes on with it."""

from __future__ import annotations

import copy
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.one_at_a_time import OneAtATime
from nrpa.engine.kernels import allocate_moves
from nrpa.engine.machine_code import machine_code
from nrpa.engine.model import Numbering
from nrpa.engine.playout import Position
from nrpa.engine.status import IMPROVED, SOLVED
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.capacity import Capacity
from nrpa.solvers.interface import Improvement

UNLIMITED = sys.maxsize


class Budget(NamedTuple):
    """How far a compiled search may go.

    Attributes
    ----------
    playouts : int
        So many more playouts.
    searches : int
        So many top-level searches in all, those that are finished included.
    level : int
        Until a search of this level ends; UNLIMITED where that does not matter.
    """

    playouts: int
    searches: int
    level: int = UNLIMITED


class Frozen(NamedTuple):
    """A search without its problem: what a worker elsewhere needs to go on with it.

    Attributes
    ----------
    kind : type
        The class of the search.
    made_of : tuple
        The arguments of its constructor after the problem, its memory among them.
    numbering : tuple of two lists
        The moves and codes of a plain-Python problem in the order of their numbers.
    """

    kind: Callable[..., CompiledSearch]
    made_of: tuple[Any, ...]
    numbering: Numbering

    def thawed(self, problem: BaseProblem) -> CompiledSearch:
        """Return the search; its problem is a copy where ``problem`` has numbered its moves otherwise."""
        if not problem.model.adopt(self.numbering):
            problem = copy.copy(problem)
            problem.model.adopt(self.numbering)
        return self.kind(problem, *self.made_of)


class CompiledSearch:
    """A resumable search, which is its memory: with ``memory`` alone it can go on, here or in another process.

    A subclass says which compiled function goes on with the memory, with which work areas and settings, and how the
    memory grows. Work areas and machine code are made when they are needed, and are left out when a search is pickled.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    state : NamedTuple of arrays
        A state that the compiled function may change.

    Attributes
    ----------
    memory : NamedTuple
        Arrays, or NamedTuples of arrays, among them ``best``, ``tally``, ``random`` and ``room``.
    machine_code : numba dispatcher or None
        The compiled function; None before it is needed.
    """

    memory: Any
    slice_seconds = 0.01
    workers = 1

    @property
    def proven(self) -> bool:
        """Whether nothing better can be found, so that ``advance`` does nothing more."""
        return False

    def __init__(self, problem: BaseProblem, state: Any) -> None:
        self.problem = problem
        self._state = state
        self.machine_code: Any = None
        self._alone = OneAtATime("this search is advanced by another thread; one at a time can, so start one for each")
        self._arguments: tuple[Any, ...] = ()

    def _function(self) -> Callable[..., Any]:
        """Return the function to compile, which goes on with the memory."""
        raise NotImplementedError

    def _made_of(self) -> tuple[Any, ...]:
        """Return the arguments of the constructor that make this search again, after the problem."""
        raise NotImplementedError

    def __reduce__(self) -> Any:
        """Return what is pickled: the problem, and the search without it."""
        return Frozen.thawed, (self.frozen(), self.problem)

    def frozen(self) -> Frozen:
        """Return the search without its problem, work areas and machine code: its memory, and how to go on with it."""
        return Frozen(type(self), self._made_of(), self.problem.model.numbering())

    def close(self) -> None:
        """Do nothing: a search in this thread holds nothing that must be let go."""

    def restore(self, memory: Any) -> None:
        """Go on from ``memory``, an earlier one of this search."""
        self.memory = memory
        self._collect()

    def _capacity(self) -> Capacity:
        return Capacity(*map(int, self.memory.room))

    def _work(self) -> tuple[Any, ...]:
        """Return work areas and settings: what the compiled function takes beside position, memory and budget."""
        raise NotImplementedError

    def _enlarge(self, capacity: Capacity) -> None:
        """Make the memory as large as ``capacity``, without losing what it holds."""
        raise NotImplementedError

    def _name_best(self) -> None:
        """Make the best sequence, which is new, one of moves, where the compiled function wrote something else."""

    def _makes_room(self, status: int) -> bool:
        """Make room that the compiled function has asked for; return whether it has."""
        return False

    def _collect(self) -> None:
        """Put the arguments together, with work areas of the size at hand."""
        position = Position(self.problem.model.instance, self._state, allocate_moves(self._capacity().moves))
        self._arguments = (position, self.memory, *self._work())

    def take_over(self, memory: Any) -> None:
        """Go on with another memory.

        Parameters
        ----------
        memory : NamedTuple
            Of the same classes as this search's own; its arrays may be of other sizes.
        """
        self.memory = memory
        self._collect()

    def prepare(self, loaded: Any = None) -> None:
        """Load or compile the machine code, unless that has been done.

        Parameters
        ----------
        loaded : numba dispatcher, optional
            What another search of the same class and problem has loaded, to be used as it is.

        Raises
        ------
        ProblemError
            If a kernel does not compile, goes out of bounds, or breaks a limit.
        """
        if self.machine_code is None and loaded is not None:
            self._collect()
            self.machine_code = loaded
        if self.machine_code is None:
            self._collect()
            position, *others = self._arguments
            function = self._function()
            home = Path(function.__code__.co_filename)
            arguments = (*others, Budget(0, UNLIMITED))
            self.machine_code = machine_code(function, self.problem.model, position, arguments, home)

    def advance(self, playouts: int, searches: int = UNLIMITED, score: float = math.inf) -> list[Improvement]:
        """Run exactly so many playouts, unless another limit is reached before.

        Parameters
        ----------
        playouts : int
            The number of playouts.
        searches : int
            Stop when so many more top-level searches are finished.
        score : float
            Stop when the best score is at least this.

        Returns
        -------
        list of Improvement
            The improvements of the best in these playouts, in order.

        Raises
        ------
        InputError
            While another call of ``advance`` goes on.
        ProblemError
            When the problem breaks a limit, its score is NaN, or no move has a probability. What a method of a
            plain-Python problem raised is raised as it is.
        """
        with self._alone():
            return self._advance(playouts, searches, score)

    def _advance(
        self,
        playouts: int,
        searches: int,
        score: float,
        level: int = UNLIMITED,
        has_ended: Callable[[], bool] = lambda: False,
    ) -> list[Improvement]:
        self.prepare()
        improvements: list[Improvement] = []
        end, last = self.playouts + playouts, min(self.finished + searches, UNLIMITED)
        while self.playouts < end and self.finished < last and not self.proven and not has_ended():
            status = self.machine_code(*self._arguments, Budget(end - self.playouts, last, level))
            if status == IMPROVED:
                self._name_best()
                improvements.append(Improvement(self.playouts, self.score, self.moves))
                if self.score >= score:
                    break
            elif status == SOLVED:
                break
            elif status < 0:
                self.problem.model.raise_kept_error()
                self._enlarge(self._capacity().larger(status, self.problem.model))
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
        """The best sequence of moves so far, an ndarray of int64, shape (steps,)."""
        best: np.ndarray = self.memory.best.move[: self.memory.best.length[0]]
        return best.copy()
