"""One search of NRPA or GNRPA, spread over workers by speculation, with the result that one worker would have."""

from __future__ import annotations

import math
import sys
from concurrent.futures import Executor
from time import perf_counter
from typing import Any

import numpy as np

from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.crew import Crew, Piece
from nrpa.search.speculation import Place, Speculation, Stage
from nrpa.solvers.compiled_nrpa import Memory
from nrpa.solvers.interface import Improvement
from nrpa.solvers.nrpa import PolicyAdaptation
from nrpa.solvers.nrpa_search import NRPASearch, copied, is_same_above, path
from nrpa.solvers.search import Frozen

UNLIMITED = sys.maxsize
# A search that is not divided has so many playouts, if it can be: enough to be worth handing out, few to lose.
LEAST_PLAYOUTS, MOST_PLAYOUTS = 1_000, 10_000
LEAST_SLOW_PLAYOUTS = 100
STAGES, STAGES_PER_WORKER = 48, 16
RECENT_SECONDS = 4.0


def task_level(solver: PolicyAdaptation, is_slow: bool = False) -> int:
    """Return the level of the searches that are not divided. It does not change what is found.

    Parameters
    ----------
    solver : GNRPA or NRPA
        The options.
    is_slow : bool
        Whether playouts call Python, so that 100 of them take long enough.

    Returns
    -------
    int
        The level, 1 at least: two levels below the top, if that makes 1,000 (100) to 10,000 playouts.

    Examples
    --------
    >>> from nrpa.solvers.nrpa import GNRPA
    >>> task_level(GNRPA(level=3)), task_level(GNRPA(level=5)), task_level(GNRPA(level=5, iterations=10))
    (2, 2, 3)
    """
    level, top, least = 1, solver.levels, LEAST_SLOW_PLAYOUTS if is_slow else LEAST_PLAYOUTS
    while level + 1 < top:
        playouts = solver.iterations ** (level + 1)
        if playouts > MOST_PLAYOUTS or (level + 2 >= top and solver.iterations**level >= least):
            break
        level += 1
    return level


def _memory(state: Frozen) -> Memory:
    memory: Memory = state.made_of[1]
    return memory


class FrozenStates:
    """What speculation needs to know of frozen searches (``nrpa.search.speculation.States``).

    Parameters
    ----------
    search : NRPASearch
        One of them, with the problem.
    level : int
        The level of the tasks.
    """

    def __init__(self, search: NRPASearch, level: int) -> None:
        self._search = search
        self._level = level

    def place(self, state: Frozen) -> Place:
        """Return the place of the task in the call tree."""
        return path(_memory(state), self._level)

    def guessed(self, state: Frozen, level: int) -> Frozen | None:
        """Return the state after the running searches of ``level`` and below, if they find nothing more."""
        memory = self._search.guessed(_memory(state), level)
        return None if memory is None else state._replace(made_of=(state.made_of[0], memory))

    def is_same(self, one: Frozen, other: Frozen) -> bool:
        """Return whether the search goes on in the same way from both."""
        return is_same_above(_memory(one), _memory(other), self._level)


class SpeculativeSearch:
    """A search that looks like that of one worker, and is done by several.

    What they do beyond the playouts that were asked for is kept for the next call of ``advance``.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    search : NRPASearch
        The search, whose random numbers belong to the nodes of its call tree. It may have begun.
    workers : int
        How many.
    executor : Executor or None
        Where they run (``nrpa.search.crew.Crew``).

    Attributes
    ----------
    workers : int
        How many.
    slice_seconds : float
        How long a call of ``advance`` should take, in seconds.
    """

    def __init__(
        self, problem: BaseProblem, search: NRPASearch, workers: int, executor: Executor | None = None
    ) -> None:
        frozen = search.frozen()
        solver, memory = frozen.made_of
        self._problem, self._search, self._executor = problem, search, executor
        self._level = task_level(solver, problem.holds_gil)
        self._crew = Crew(problem, self._level, workers, executor)
        self.workers = workers
        self.slice_seconds = 5.0 * self._crew.slice_seconds
        self._playouts = self._before_root = search.playouts
        self._finished = search.finished
        self._has_found = bool(search.memory.best.found[0])
        self._best = Improvement(search.playouts, search.score, search.moves)
        self._committed = 0
        self._recent_seconds = self._recent_playouts = 0.0
        most = STAGES + STAGES_PER_WORKER * workers
        start = frozen._replace(made_of=(solver, copied(memory)))
        search.prepare_to_guess()
        self._crew.warm(start)
        states = FrozenStates(search, self._level)
        self._speculation = Speculation(states, start, solver.levels, self._level, solver.iterations, most)

    def __reduce__(self) -> Any:
        """Return what is pickled: the search as one worker would have it; an executor is left out."""
        return SpeculativeSearch, (self._problem, self.settled(), self.workers)

    @property
    def playouts(self) -> int:
        """Playouts done so far, those on wrong guesses left out."""
        return self._playouts

    @property
    def finished(self) -> int:
        """Top-level searches finished so far."""
        return self._finished

    @property
    def score(self) -> float:
        """The best score so far; -inf before the first playout."""
        return self._best.score

    @property
    def moves(self) -> np.ndarray:
        """The best sequence of moves so far, an ndarray of int64, shape (steps,)."""
        return self._best.moves.copy()

    @property
    def kept_share(self) -> float:
        """The share of all playouts whose searches are over that were not dropped; 1 before the first."""
        dropped = self._speculation.dropped
        return self._committed / (self._committed + dropped) if self._committed else float(not dropped)

    @property
    def rate(self) -> float:
        """Playouts a second, over the last seconds: a single call of ``advance`` may find all its playouts done."""
        return max(self._recent_playouts / self._recent_seconds, 1.0) if self._recent_seconds else 1.0

    def close(self) -> None:
        """Let go the threads or processes that were made for this search."""
        self._crew.close()

    def advance(self, playouts: int, searches: int = UNLIMITED, score: float = math.inf) -> list[Improvement]:
        """Run exactly ``playouts`` playouts, unless another limit is reached before.

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
        Exception
            What the playouts raised, of those that one worker would have done as well.
        """
        begun, before = perf_counter(), self._playouts
        try:
            return self._advance(playouts, searches, score)
        finally:
            self._recent_seconds += perf_counter() - begun
            self._recent_playouts += self._playouts - before
            if self._recent_seconds > RECENT_SECONDS:
                self._recent_seconds /= 2.0
                self._recent_playouts /= 2.0

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        end, last = self._playouts + playouts, min(self._finished + searches, UNLIMITED)
        improvements: list[Improvement] = []
        while True:
            root = self._speculation.root
            for found in root.found:
                if self._take(found, end):
                    improvements.append(self._best)
                    if found.score >= score:
                        self._playouts = self._best.playouts
                        return improvements
            reached = self._before_root + root.playouts
            if root.has_ended and reached <= end:
                self._commit()
                if self._finished >= last:
                    return improvements
                continue
            if reached >= end or self._finished >= last:
                self._playouts = min(reached, end)
                return improvements
            if root.error is not None:
                self._playouts = reached
                error, root.error = root.error, None
                raise error
            self._work()

    def _take(self, found: Improvement, end: int) -> bool:
        """Make what the root's task found the best, if it is that, and among the first ``end`` playouts."""
        playouts = self._before_root + found.playouts
        if playouts > end or playouts <= self._playouts or (found.score <= self._best.score and self._has_found):
            return False
        moves = self._problem.model.numbers_of(found.moves)
        self._best = Improvement(playouts, found.score, moves, found.worker)
        self._has_found = True
        return True

    def _commit(self) -> None:
        over = self._speculation.commit()
        self._committed += over.playouts
        self._before_root += over.playouts
        self._playouts = self._before_root
        self._finished = self._speculation.root.place[0]

    def _work(self) -> None:
        """Give every idle worker a piece, wait until one has ended, and take in all that have."""
        while self._crew.idle > 0:
            stage = self._speculation.next()
            if stage is None:
                break
            self._crew.begin(stage, stage.latest)
            stage.is_running = True
        if self._crew.idle == self.workers:
            raise RuntimeError("the spread search has come to a standstill; this is a bug of nrpa")
        for stage, answer in self._crew.ended():
            stage.is_running = False
            if isinstance(answer, Piece):
                self._take_in(stage, answer)
            else:
                stage.error = answer

    def _take_in(self, stage: Stage, done: Piece) -> None:
        found = [each._replace(playouts=each.playouts + stage.playouts) for each in done.found]
        self._speculation.progress(stage, done.frozen, done.playouts, found, done.has_ended)

    def settled(self) -> NRPASearch:
        """Return the search of one worker after the same playouts."""
        root = self._speculation.root
        wanted = self._playouts - self._before_root
        is_ahead = root.has_ended or root.playouts > wanted
        frozen, done = (root.start, 0) if is_ahead else (root.latest, root.playouts)
        solver, memory = frozen.made_of
        search: Any = frozen._replace(made_of=(solver, copied(memory))).thawed(self._problem)
        search.advance_within(self._level, wanted - done)
        moves = search.problem.model.numbers_of(self._problem.model.things_of(self._best.moves))
        search.set_best(self._best._replace(playouts=self._playouts, moves=moves), self._has_found)
        settled: NRPASearch = search
        return settled
