"""What searches have in common: memory of NumPy arrays, and a compiled function that goes on with it."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from nrpa.base.one_at_a_time import OneAtATime
from nrpa.engine.by_address import ByAddress
from nrpa.engine.game import Memo, memoized
from nrpa.engine.hash_table import HashTable, rehashed
from nrpa.engine.kernels import allocate_moves
from nrpa.engine.machine_code import machine_code
from nrpa.engine.model import Model, Numbering, mapped, parts, record_like
from nrpa.engine.playout import Position, unset
from nrpa.engine.random import Seed, random_state
from nrpa.engine.recording import allocate_incumbent, allocate_tally
from nrpa.engine.status import (
    IMPROVED,
    NO_BIAS,
    NO_PROBABILITY,
    SOLVED,
    STOPPED,
    TOO_MANY_MOVES,
    TOO_MANY_MOVES_AT_ONCE,
    TOO_MANY_STEPS,
    failure,
    no_bias,
    require_codes,
)
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import UNLIMITED, Improvement, Search

FIRST_STEPS, FIRST_TOTAL = 64, 2**20


class Capacity(NamedTuple):
    """Room for a playout.

    >>> Capacity(steps=64, moves=16, total=256).holding(steps=100, total=1000)
    Capacity(steps=128, moves=16, total=1024)
    """

    steps: int  # the moves of a playout
    # moves, total: the legal moves of one state, and those of all states of a playout
    moves: int
    total: int

    @classmethod
    def of(cls, model: Model) -> Capacity:
        """Return the room that a search begins with: the limits, but ``FIRST_STEPS`` steps at most if they can grow.

        Of the legal moves of a playout it has room for ``FIRST_TOTAL`` at first.
        """
        steps, moves, total, grow = model.limits
        return cls(min(FIRST_STEPS, steps) if grow else steps, moves, total if grow else min(total, FIRST_TOTAL))

    def larger(self, status: int, model: Model) -> Capacity:
        """Return twice the room of the kind that ran out."""
        if not model.limits.grow and status == TOO_MANY_MOVES and self.total < model.limits.total:
            return self._replace(total=min(2 * self.total, model.limits.total))
        if not model.limits.grow:
            raise failure(status, model)
        if status == TOO_MANY_STEPS and self.steps < model.limits.steps:
            return self._replace(steps=min(2 * self.steps, model.limits.steps))
        if status == TOO_MANY_MOVES:
            return self._replace(total=2 * self.total)
        if status == TOO_MANY_MOVES_AT_ONCE:
            return self._replace(moves=2 * self.moves, total=2 * self.total)
        raise failure(status, model)

    def holding(self, steps: int, total: int) -> Capacity:
        """Return a capacity, doubled as often as needed, that holds a given playout."""
        larger = self
        while larger.steps < steps:
            larger = larger._replace(steps=2 * larger.steps)
        while larger.total < total:
            larger = larger._replace(total=2 * larger.total)
        return larger


def common_parts(capacity: Capacity, seed: Seed) -> dict[str, Any]:
    """Return the parts of a memory that all algorithms have: ``best``, ``tally``, ``random``, ``capacity``."""
    return {
        "best": allocate_incumbent(capacity.steps),
        "tally": allocate_tally(),
        "random": random_state(seed),
        "capacity": np.array(capacity, np.int64),
    }


def enlarged(record: Any, larger: Any) -> Any:
    """Return a record with arrays of the shapes in ``larger``, which begin with what is in its own.

    An array that has the shape already is taken as it is, except ``capacity``; the keys of a hash table are entered
    anew. Rows of zeros are not written, so that they take no memory.
    """
    if isinstance(record, np.ndarray):
        if record.shape == larger.shape:
            return record
        is_used = record.any(axis=1, keepdims=True) if record.ndim == 2 and record.dtype.names is None else True
        np.copyto(larger[tuple(map(slice, record.shape))], record, where=is_used)
        return larger
    if isinstance(record, HashTable) and len(record.word) < len(larger.word):
        return rehashed(record, larger)
    grown = type(record)(*map(enlarged, record, larger))
    return grown._replace(capacity=larger.capacity) if hasattr(larger, "capacity") else grown


def rows_of(record: Any, begin: int, end: int) -> Any:
    """Return a record of the rows ``begin`` to ``end`` - 1 of all arrays, as views."""
    return mapped(lambda _, array: array[begin:end], record)


def write_rows(record: Any, begin: int, rows: Any) -> None:
    """Write what ``rows_of`` gave, whose rows may be shorter now, to where it was."""
    for (_, array), (_, own) in zip(parts(record), parts(rows), strict=True):
        array[(slice(begin, begin + len(own)), *map(slice, own.shape[1:]))] = own


class Budget(NamedTuple):
    """How far a compiled search may go."""

    playouts: int  # so many more playouts
    searches: int  # so many top-level searches in all, those that are finished included


class SearchState(NamedTuple):
    """A search without its problem, work areas and machine code: what is pickled, and what a worker goes on with."""

    kind: Callable[..., ResumableSearch]  # the class of the search
    made_of: tuple[Any, ...]  # the arguments of its constructor after the problem, its memory among them
    numbering: Numbering  # the moves and codes of a plain-Python problem in the order of their numbers

    def search(self, problem: BaseProblem) -> ResumableSearch:
        return self.kind(with_numbering(problem, self.numbering), *self.made_of)


def with_numbering(problem: BaseProblem, numbering: Numbering) -> BaseProblem:
    """Return a problem whose moves and codes have these numbers: a copy where it has given them others."""
    if not problem.model.adopt(numbering):
        problem = copy.copy(problem)
        problem.model.adopt(numbering)
    return problem


class ResumableSearch(Search):
    """A search that is its memory: with ``memory`` alone it can go on, here or in another process.

    - ``memory``: Arrays, or NamedTuples of arrays, among them ``best`` and ``tally``.
    - ``team``: The workers that share it, as in ``nrpa.solvers.tempering.search``; None where it is alone.
    """

    memory: Any
    machine_code: Any
    _solver: Any
    team: Any = None

    def __init__(self, problem: BaseProblem) -> None:
        self.problem = problem
        self._stop = unset()
        self._alone = OneAtATime("this search is advanced by another thread; one at a time can, so start one for each")

    @property
    def slice_seconds(self) -> float:
        return 0.01 if self.team is None else float(self.team.pool.slice_seconds)

    @property
    def workers(self) -> int:
        return 1 if self.team is None else int(self.team.workers)

    @property
    def rates(self) -> list[float]:
        return [] if self.team is None else list(self.team.pool.rates)

    @property
    def stop(self) -> np.ndarray:
        stop: np.ndarray = self._stop if self.team is None else self.team.pool.stop
        return stop

    def heed(self, stop: np.ndarray) -> None:
        """Let another array, bool[1], be ``stop``."""
        self._stop = stop

    def prepare(self, loaded: Any = None) -> None:
        """Load or compile the machine code, unless that has been done, or take what another such search has loaded."""
        raise NotImplementedError

    def _made_of(self) -> tuple[Any, ...]:
        """Return the arguments of the constructor that make this search again, after the problem."""
        return self._solver, self.memory

    def as_large_as(self, memory: Any) -> Any:
        """Return a memory of this search with arrays of the shapes that go together with the sizes of another."""
        raise NotImplementedError

    def take_over(self, memory: Any) -> None:
        """Go on with another memory of the same classes; its arrays may be of other sizes."""
        raise NotImplementedError

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        raise NotImplementedError

    def advance(self, playouts: int, searches: int = UNLIMITED, score: float = math.inf) -> list[Improvement]:
        with self._alone():
            return self._advance(playouts, searches, score)

    def __reduce__(self) -> Any:
        """Return what is pickled: the problem, and the search without it."""
        return SearchState.search, (self.state(), self.problem)

    def state(self) -> SearchState:
        """Return the search without its problem."""
        return SearchState(type(self), self._made_of(), self.problem.model.numbering())

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of the memory by their paths, as ``memory/best/score``."""
        return dict(parts(self.memory, "memory"))

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on with a memory that was read. Raises InputError for arrays of other names, types or shapes."""
        self.take_over(record_like(self.memory, arrays, "memory", self.as_large_as))

    def close(self) -> None:
        if self.team is not None:
            self.team.pool.close()

    @property
    def playouts(self) -> int:
        return int(self.memory.tally.playouts[0])

    @property
    def finished(self) -> int:
        return int(self.memory.tally.searches[0])

    @property
    def score(self) -> float:
        return float(self.memory.best.score[0])

    @property
    def last_score(self) -> float:
        """The score of the last playout; NaN before the first."""
        return float(self.memory.tally.last_score[0])

    @property
    def moves(self) -> np.ndarray:
        best: np.ndarray = self.memory.best.move[: self.memory.best.length[0]]
        return best.copy()


class CompiledSearch(ResumableSearch):
    """A search whose memory a compiled function goes on with.

    A subclass says which function, with which work areas and settings, and how the memory grows. Work areas and machine
    code are made when they are needed.

    - ``memory``: With ``random`` and ``capacity`` as well: uint64[2], the state of the random number generator, and
      int64[3], what work areas must hold: the moves of a playout, the legal moves of a state, and those of a whole
      playout.
    - ``machine_code``: The compiled function; None before it is needed.
    """

    _function: Callable[..., Any]

    def __init__(self, problem: BaseProblem, state: Any) -> None:
        super().__init__(problem)
        self._state = state
        self.machine_code = None
        self._arguments: tuple[Any, ...] = ()

    def _capacity(self) -> Capacity:
        return Capacity(*map(int, self.memory.capacity))

    def _work(self) -> tuple[Any, ...]:
        """Return work areas and settings: what the compiled function takes beside position, memory and budget."""
        raise NotImplementedError

    def _allocate(self, capacity: Capacity) -> Any:
        """Return a memory as large as ``capacity``, for ``enlarged``."""
        raise NotImplementedError

    def _enlarge(self, capacity: Capacity) -> None:
        self.memory = enlarged(self.memory, self._allocate(capacity))

    def begun(self, warm_start: np.ndarray | None) -> Self:
        """Take a warm start, if there is one; return the search."""
        if warm_start is not None:
            self.begin_with(memoized(self.problem.model, warm_start))
        return self

    def begin_with(self, warm: Memo) -> None:
        """Make a sequence the best of all."""
        steps = len(warm.moves)
        self._enlarge(self._capacity().holding(steps, int(warm.offset[-1])))
        self._keep(warm.moves, warm.score)

    def go_on_from(self, game: Memo) -> None:
        """Do so in a search that has begun: what work areas know of its games is forgotten."""
        self.begin_with(game)
        self._collect()

    def _keep(self, moves: np.ndarray, score: float) -> None:
        """Make a sequence, for which there is room, the best of all."""
        best = self.memory.best
        best.move[: len(moves)] = moves
        best.length[0] = len(moves)
        best.score[0] = score
        best.found[0] = True

    def _makes_room(self, status: int) -> bool:
        """Make room that the compiled function has asked for; return whether it has."""
        return False

    def heed(self, stop: np.ndarray) -> None:
        super().heed(stop)
        if self._arguments:
            self._collect()

    def with_stop(self, state: Any) -> Any:
        """Return a state in which ``stop``, if it has such an array, is that of the search."""
        own = getattr(state, "stop", None)
        if isinstance(own, np.ndarray) and (own.dtype, own.shape) == (self._stop.dtype, self._stop.shape):
            return state._replace(stop=self._stop)
        return state

    def _collect(self) -> None:
        moves = allocate_moves(self._capacity().moves)
        self.problem.heed(self._stop)
        position = Position(self.problem.model.instance, self.with_stop(self._state), moves, self._stop)
        self._arguments = (position, self.memory, *self._work())

    def take_over(self, memory: Any) -> None:
        self.memory = memory
        self._collect()

    def as_large_as(self, memory: Any) -> Any:
        return self._allocate(Capacity(*map(int, memory.capacity)))

    def prepare(self, loaded: Any = None) -> None:
        if self.machine_code is not None:
            return
        self._collect()
        if loaded is None:
            position, *others = self._arguments
            loaded = machine_code(self._function, self.problem.model, position, (*others, Budget(0, UNLIMITED)))
        elif isinstance(loaded, ByAddress):
            loaded = loaded.of_another(self.problem.model, self._state)
        self.machine_code = loaded

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        self.prepare()
        improvements: list[Improvement] = []
        end, last, status = min(self.playouts + playouts, UNLIMITED), min(self.finished + searches, UNLIMITED), 0
        while self.playouts < end and self.finished < last and not self.proven:
            status = self.machine_code(*self._arguments, Budget(end - self.playouts, last))
            if status == IMPROVED:
                improvements.append(Improvement(self.playouts, self.score, self.moves))
                if self.score >= score:
                    break
            elif status in (SOLVED, STOPPED):
                break
            elif status < 0:
                self._mend(status)
            elif self._makes_room(status):
                self._collect()
        improvements += self._cut_short()
        if status == STOPPED:
            self._collect()
        return improvements

    def _cut_short(self) -> list[Improvement]:
        """Return what a playout that was given up had found, if it is better than the best."""
        return []

    def _mend(self, status: int) -> None:
        """Make the room that a playout lacked which failed, or raise the error for its status."""
        self.problem.model.raise_kept_error()
        if status == NO_BIAS:
            raise no_bias(self.problem.model, self._arguments[0].moves)
        if status == NO_PROBABILITY:
            require_codes(self.problem.model, self._arguments[0].moves.code.tolist())
        self.grow_to(self._capacity().larger(status, self.problem.model))

    def grow_to(self, capacity: Capacity) -> None:
        """Make memory and work areas as large as ``capacity``."""
        self._enlarge(capacity)
        self._collect()
