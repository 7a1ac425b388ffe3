"""Searches of one problem with several sets of its options, its arms: all begin, and the worst are dropped.

The arms take turns. After each round the worse half of them is dropped, and turns become twice as long, until one arm
is left, which goes on for ever: Sequential Halving over searches, without a budget.

References
----------
Z. Karnin, T. Koren, O. Somekh, *Almost optimal exploration in multi-armed bandits*, ICML 2013: Sequential Halving.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.values import MOST_PLAYOUTS
from nrpa.engine.incumbent import Incumbent, Tally, allocate_tally
from nrpa.engine.random import Seed
from nrpa.engine.sound import UnsoundError, require, require_shapes, require_standing, within
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers import nrpa_search
from nrpa.solvers.compiled_nrpa import Memory
from nrpa.solvers.interface import UNLIMITED, Improvement, Weights
from nrpa.solvers.nrpa import GNRPA
from nrpa.solvers.search import ResumableSearch

FIRST_TURN = 5_000


class Turns(NamedTuple):
    """Whose turn it is.

    - ``arm``, int64[1]: The arm that searches.
    - ``left``, int64[1]: The playouts that are left of its turn.
    - ``round``, int64[1]: The rounds that are over.
    - ``dropped``, bool[arms]: Which arms have been dropped.
    """

    arm: np.ndarray
    left: np.ndarray
    round: np.ndarray
    dropped: np.ndarray


class ArmsMemory(NamedTuple):
    """All that a search with arms needs to go on; ``best`` and ``tally`` are those of the whole."""

    turns: Turns
    best: Incumbent
    tally: Tally
    arms: tuple[Memory, ...]


def allocate_turns(arms: int) -> Turns:
    """Return the turns of a search that has not begun."""
    return Turns(
        np.zeros(1, np.int64), np.full(1, FIRST_TURN, np.int64), np.zeros(1, np.int64), np.zeros(arms, np.bool_)
    )


def begin_next_turn(turns: Turns, scores: Sequence[float]) -> None:
    """Let the next arm search; after the last one drop the worse half, and begin a round with turns twice as long."""
    going_on = np.flatnonzero(~turns.dropped)
    later = going_on[going_on > turns.arm[0]]
    if not len(later):
        ranked = sorted(going_on.tolist(), key=lambda arm: (-scores[arm], arm))
        turns.dropped[ranked[-(-len(ranked) // 2) :]] = True
        turns.round[0] += 1
        later = np.flatnonzero(~turns.dropped)
    turns.arm[0] = later[0]
    turns.left[0] = FIRST_TURN * 2 ** min(int(turns.round[0]), 40)


class ArmsSearch(ResumableSearch):
    """The resumable search of several arms, which looks like one search.

    - ``arms``: Their searches.
    """

    def __init__(self, problem: BaseProblem, solver: GNRPA, memory: ArmsMemory) -> None:
        super().__init__(problem)
        self._solver = solver
        self._turns, self._best, self._tally, arms = memory
        self.arms = [nrpa_search.NRPASearch(own, solver, kept) for own, kept in zip(problem.arms(), arms, strict=True)]

    @property
    def memory(self) -> ArmsMemory:
        """Where the search stands."""
        return ArmsMemory(self._turns, self._best, self._tally, tuple(arm.memory for arm in self.arms))

    def take_over(self, memory: ArmsMemory) -> None:
        """Go on with another memory of the same classes; its arrays may be of other sizes."""
        self._turns, self._best, self._tally, arms = memory
        for arm, kept in zip(self.arms, arms, strict=True):
            arm.take_over(kept)

    def require_sound(self, memory: ArmsMemory) -> None:
        """Raise UnsoundError unless this search, which has not begun, can go on with a memory that was read."""
        turns, best, tally, arms = memory
        for number, (arm, kept) in enumerate(zip(self.arms, arms, strict=True)):
            try:
                arm.require_sound(kept)
            except UnsoundError as error:
                raise UnsoundError(f"{error} (arm {number})") from None
        require_shapes("memory/turns", turns, self._turns)
        require_shapes("memory/best", best._replace(move=self._best.move), self._best)
        require_shapes("memory/tally", tally, self._tally)
        require_standing(best, tally)
        within("memory/turns/arm", turns.arm, 0, len(arms) - 1)
        within("memory/turns/left", turns.left, 1, FIRST_TURN * 2**40)
        within("memory/turns/round", turns.round, 0, MOST_PLAYOUTS)
        require(not turns.dropped[turns.arm[0]], "memory/turns/dropped", "arms without the one whose turn it is")
        if best.found[0]:
            move = best.move[: best.length[0]]
            bests = [kept.best.move[: kept.best.length[0]] for kept in arms]
            require(any(np.array_equal(move, own) for own in bests), "memory/best/move", "the best of an arm")

    @property
    def machine_code(self) -> tuple[Any, ...]:
        """The compiled function of each arm."""
        return tuple(arm.machine_code for arm in self.arms)

    def prepare(self, loaded: tuple[Any, ...] | None = None) -> None:
        """Load or compile the machine code of each arm, unless that has been done."""
        for arm, code in zip(self.arms, loaded or [None] * len(self.arms), strict=True):
            arm.prepare(code)

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


def start(
    solver: GNRPA,
    problem: BaseProblem,
    seed: Seed,
    warm_start: np.ndarray | None = None,
    weights: Weights | None = None,
) -> ArmsSearch:
    """Return a search that has not begun, which gives each arm the warm start and the weights (``Solver.start``).

    The first arm's search is that of the seed itself.
    """
    memories = [
        nrpa_search.initial_memory(solver, own, stream_of_arm(seed, number), warm_start, weights)
        for number, own in enumerate(problem.arms())
    ]
    best = copy.deepcopy(memories[0].best)
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
