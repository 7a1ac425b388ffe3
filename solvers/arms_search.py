"""Searches of one problem with several sets of its options, its arms: all begin, and the worst are dropped.

The arms take turns. After each round the worse half of them is dropped, and turns become longer, until one arm is left,
which goes on for ever: Sequential Halving over searches, without a budget that must be known. The whole is
determined by the seed and the number of playouts.

References
----------
Z. Karnin, T. Koren, O. Somekh, *Almost optimal exploration in multi-armed bandits*, ICML 2013: Sequential Halving.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.one_at_a_time import OneAtATime
from nrpa.engine.best import Best, Tally, allocate_tally
from nrpa.engine.random import Seed
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers import nrpa_search
from nrpa.solvers.compiled_nrpa import Memory
from nrpa.solvers.interface import Improvement, Weights
from nrpa.solvers.nrpa import GNRPA
from nrpa.solvers.search import UNLIMITED, Frozen

FIRST_TURN = 5_000


class Turns(NamedTuple):
    """Whose turn it is.

    Attributes
    ----------
    arm : ndarray of int64, shape (1,)
        The arm that searches.
    left : ndarray of int64, shape (1,)
        The playouts that are left of its turn.
    round : ndarray of int64, shape (1,)
        The rounds that are over.
    dropped : ndarray of bool, shape (arms,)
        Which arms have been dropped.
    """

    arm: np.ndarray
    left: np.ndarray
    round: np.ndarray
    dropped: np.ndarray


class ArmsMemory(NamedTuple):
    """All that a search with arms needs to go on.

    Attributes
    ----------
    turns : Turns
        Whose turn it is.
    best : Best
        The best sequence of all.
    tally : Tally
        How far the whole search is.
    arms : tuple of nrpa.solvers.compiled_nrpa.Memory
        The searches.
    """

    turns: Turns
    best: Best
    tally: Tally
    arms: tuple[Memory, ...]


def allocate_turns(arms: int) -> Turns:
    """Return the turns of a search that has not begun.

    Parameters
    ----------
    arms : int
        How many arms there are.

    Returns
    -------
    Turns
        The turns.
    """
    return Turns(
        np.zeros(1, np.int64), np.full(1, FIRST_TURN, np.int64), np.zeros(1, np.int64), np.zeros(arms, np.bool_)
    )


def begin_next_turn(turns: Turns, scores: Sequence[float]) -> None:
    """Let the next arm search; after the last one drop the worse half, and begin a round with turns twice as long.

    Parameters
    ----------
    turns : Turns
        The turns; they change.
    scores : sequence of float
        The best score of each arm. Of equal ones the first is better.
    """
    going_on = np.flatnonzero(~turns.dropped)
    later = going_on[going_on > turns.arm[0]]
    if not len(later):
        ranked = sorted(going_on.tolist(), key=lambda arm: (-scores[arm], arm))
        turns.dropped[ranked[-(-len(ranked) // 2) :]] = True
        turns.round[0] += 1
        later = np.flatnonzero(~turns.dropped)
    turns.arm[0] = later[0]
    turns.left[0] = FIRST_TURN * 2 ** min(int(turns.round[0]), 40)


class ArmsSearch:
    """The resumable search of several arms, which looks like one search.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    solver : GNRPA
        The options of each arm's search.
    memory : ArmsMemory
        Where the search stands.

    Attributes
    ----------
    problem : BaseProblem
        As above.
    arms : list of NRPASearch
        The searches.
    """

    slice_seconds = 0.01
    workers = 1
    proven = False

    def __init__(self, problem: BaseProblem, solver: GNRPA, memory: ArmsMemory) -> None:
        self.problem = problem
        self._solver = solver
        self._turns, self._best, self._tally, arms = memory
        self.arms = [nrpa_search.NRPASearch(own, solver, kept) for own, kept in zip(problem.arms(), arms, strict=True)]
        self._alone = OneAtATime("this search is advanced by another thread; one at a time can, so start one for each")

    @property
    def memory(self) -> ArmsMemory:
        """Where the search stands."""
        return ArmsMemory(self._turns, self._best, self._tally, tuple(arm.memory for arm in self.arms))

    def take_over(self, memory: ArmsMemory) -> None:
        """Go on with another memory of the same classes; its arrays may be of other sizes."""
        self._turns, self._best, self._tally, arms = memory
        for arm, kept in zip(self.arms, arms, strict=True):
            arm.take_over(kept)

    restore = take_over

    def __reduce__(self) -> Any:
        """Return what is pickled: the problem, and the search without it."""
        return Frozen.thawed, (self.frozen(), self.problem)

    def frozen(self) -> Frozen:
        """Return the search without its problem, work areas and machine code: its memory, and how to go on with it."""
        kind: Any = type(self)
        return Frozen(kind, (self._solver, self.memory), self.problem.model.numbering())

    def close(self) -> None:
        """Do nothing: a search in this thread holds nothing that must be let go."""

    @property
    def machine_code(self) -> tuple[Any, ...]:
        """The compiled function of each arm."""
        return tuple(arm.machine_code for arm in self.arms)

    def prepare(self, loaded: tuple[Any, ...] | None = None) -> None:
        """Load or compile the machine code, unless that has been done; parameters and errors as of the arms' own."""
        for arm, code in zip(self.arms, loaded or [None] * len(self.arms), strict=True):
            arm.prepare(code)

    def advance(self, playouts: int, searches: int = UNLIMITED, score: float = math.inf) -> list[Improvement]:
        """Run exactly so many playouts, unless another limit is reached before.

        Parameters
        ----------
        playouts : int
            The number of playouts.
        searches : int
            Stop when so many more top-level searches of arms are finished.
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
            When the problem breaks a limit, its score is NaN, or no move has a probability.
        """
        with self._alone():
            return self._advance(playouts, searches, score)

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        improvements: list[Improvement] = []
        end, last = self.playouts + playouts, min(self.finished + searches, UNLIMITED)
        while self.playouts < end and self.finished < last:
            found = self._go_on(min(end - self.playouts, int(self._turns.left[0])), last - self.finished, score)
            improvements += found
            if found and self.score >= score:
                break
        return improvements

    def _go_on(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        """Let the arm whose turn it is go on, at most so far; return its improvements that are some of the whole."""
        arm, improvements = self.arms[self._turns.arm[0]], []
        before, had = self.playouts, arm.playouts
        found = arm.advance(playouts, searches, score)
        for each in found:
            if each.score > self.score or not self._best.found[0]:
                improvements.append(each._replace(playouts=before + each.playouts - had))
                self._keep(each)
        self._tally.playouts[0] += arm.playouts - had
        self._tally.searches[0] = sum(each.finished for each in self.arms)
        self._tally.last_score[0] = arm.last_score
        self._turns.left[0] -= arm.playouts - had
        if not self._turns.left[0]:
            begin_next_turn(self._turns, [each.score for each in self.arms])
        return improvements

    def _keep(self, found: Improvement) -> None:
        """Make a sequence the best of all."""
        steps = len(found.moves)
        if steps > len(self._best.move):
            self._best = self._best._replace(move=np.zeros(2 * steps, np.int64))
        self._best.found[0] = True
        self._best.score[0] = found.score
        self._best.length[0] = steps
        self._best.move[:steps] = found.moves

    @property
    def playouts(self) -> int:
        """Playouts done so far."""
        return int(self._tally.playouts[0])

    @property
    def finished(self) -> int:
        """Top-level searches finished so far."""
        return int(self._tally.searches[0])

    @property
    def score(self) -> float:
        """The best score so far; -inf before the first playout."""
        return float(self._best.score[0])

    @property
    def last_score(self) -> float:
        """The score of the last playout; NaN before the first."""
        return float(self._tally.last_score[0])

    @property
    def moves(self) -> np.ndarray:
        """The best sequence of moves so far, an ndarray of int64, shape (steps,)."""
        best: np.ndarray = self._best.move[: self._best.length[0]]
        return best.copy()


def start(
    solver: GNRPA,
    problem: BaseProblem,
    seed: Seed,
    warm_start: np.ndarray | None = None,
    weights: Weights | None = None,
) -> ArmsSearch:
    """Return a search that has not begun, with machine code loaded or compiled.

    Parameters
    ----------
    solver : GNRPA
        The options of each arm's search.
    problem : BaseProblem
        The problem.
    seed : int or numpy.random.SeedSequence
        The seed. The first arm's search is that of the seed itself.
    warm_start : ndarray of int64, shape (steps,), optional
        The moves of a sequence that is the best one from the beginning, for each arm.
    weights : array_like of float, shape (codes,), or mapping of codes to float, optional
        The weights w that the policies begin with.

    Returns
    -------
    ArmsSearch
        The search.

    Raises
    ------
    InputError
        If ``warm_start`` is not a whole game of legal moves in every arm, or ``weights`` do not fit.
    ProblemError
        If a kernel does not compile, goes out of bounds, or breaks a limit.
    """
    memories = [
        nrpa_search.initial_memory(solver, own, stream_of_arm(seed, number), warm_start, weights)
        for number, own in enumerate(problem.arms())
    ]
    best = nrpa_search.copied(memories[0].best)
    memory = ArmsMemory(allocate_turns(len(memories)), best, allocate_tally(), tuple(memories))
    search = ArmsSearch(problem, solver, memory)
    search.prepare()
    return search


def stream_of_arm(seed: Seed, arm: int) -> Seed:
    """Return the seed of an arm's search: ``seed`` itself for the first one, else one spawned from it."""
    if arm == 0:
        return seed
    own = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return np.random.SeedSequence(own.entropy, spawn_key=(*own.spawn_key, arm))
