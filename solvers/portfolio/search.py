"""Several searches of one problem, its arms, which take turns: all begin, and the worst are dropped.

Each round has turns twice as long as the last one. After the ninth round four arms are left, after the tenth two, and
after the eleventh one, which goes on for ever: Sequential Halving over searches, without a budget. Only where a round
has found nothing better, another arm has a turn, too, in the next one: the second best, then the third best, and so on.

Where one form of the problem is searched, GNRPA learns first, for thirteen rounds, and tempering goes on from the best
game of all whenever its turn begins. The chain that anneals stays: it is never dropped, and its turns are longer in
these rounds. After the ninth, another arm of tempering goes on only if it has found the best of all in the last round,
and so does GNRPA after the thirteenth.

Turns are counted in moves, so that the speed of the machine changes nothing: a playout counts as many as the best one
of its arm had when last looked at, and more where legal moves cost time (``Arm.moves``).

References
----------
Z. Karnin, T. Koren, O. Somekh, *Almost optimal exploration in multi-armed bandits*, ICML 2013: Sequential Halving.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.checking.validate import hints_of
from nrpa.engine.game import Game, memoized
from nrpa.engine.random import Seed
from nrpa.engine.recording import Incumbent, allocate_incumbent, allocate_tally
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import UNLIMITED, Improvement, Weights
from nrpa.solvers.nrpa import search as nrpa_search
from nrpa.solvers.portfolio.arms import LONGER, Arm, FirstGame
from nrpa.solvers.portfolio.memory import FIRST_PLAYOUTS, PortfolioMemory, Turns, allocate_turns, incumbent_of
from nrpa.solvers.search import CompiledSearch, ResumableSearch
from nrpa.solvers.tempering import search as tempering_search
from nrpa.solvers.tempering.memory import TemperingMemory
from nrpa.solvers.tempering.options import Tempering
from nrpa.solvers.tempering.ranks import NONE

if TYPE_CHECKING:
    from nrpa.solvers.portfolio.options import Auto

# After how many rounds one arm is left.
ROUNDS = 11
MOST_DOUBLED = 30
# Beside an arm that stays: the round from which on tempering goes on from the best game of all; how many rounds all
# arms have, and in how many GNRPA learns.
HANDED_ON_FROM, ALL, LEARNING = 3, 9, 13


def makes_lists(search: CompiledSearch) -> bool:
    """Return whether a search lists the legal moves, as all do but tempering of permutations."""
    memory = search.memory
    return not isinstance(memory, TemperingMemory) or not memory.chains.permutes[0]


def search_of(arm: Arm, memory: Any) -> CompiledSearch:
    """Return the search of an arm with such a memory."""
    if isinstance(arm.solver, Tempering):
        return tempering_search.TemperingSearch(arm.problem, arm.solver, memory)
    return nrpa_search.NRPASearch(arm.problem, arm.solver, memory)


def begin_next_turn(
    turns: Turns, scores: Sequence[float], first_turns: Sequence[int], needless: Sequence[bool], stays: int = NONE
) -> None:
    """Let the next arm search; after the last one of a round choose those of the next round, which is longer.

    Arms that are needless have no turns any more. ``stays`` is the arm that is never dropped, if there is one.
    """
    turns.dropped[:] |= np.array(needless)
    later = np.flatnonzero(~turns.dropped)
    later = later[later > turns.arm[0]]
    if not len(later):
        turns.round[0] += 1
        is_last = turns.round[0] >= (ROUNDS if stays == NONE else LEARNING)
        turns.idle[0] = turns.idle[0] + 1 if is_last and max(scores) == turns.reached[0] else 0
        turns.reached[0] = max(scores)
        arms = np.flatnonzero(~np.array(needless)).tolist()
        ranked = by_score(turns, arms, scores) if stays == NONE else by_merit(turns, arms, stays)
        turns.dropped[:] = True
        turns.dropped[ranked] = False
        others = [arm for arm in by_score(turns, arms, scores, len(arms)) if turns.dropped[arm]]
        if turns.idle[0] and others:
            turns.dropped[others[(turns.idle[0] - 1) % len(others)]] = False
        later = np.flatnonzero(~turns.dropped)
    turns.arm[0] = later[0]
    longer = LONGER if later[0] == stays and turns.round[0] < LEARNING else 1
    turns.left[0] = first_turns[later[0]] * longer * 2 ** min(int(turns.round[0]), MOST_DOUBLED)


def by_score(turns: Turns, arms: Sequence[int], scores: Sequence[float], most: int = 0) -> list[int]:
    """Return the arms of the best scores, at most so many, or else as many as a round has; the best first."""
    most = most or 2 ** max(ROUNDS - int(turns.round[0]), 0)
    return sorted(arms, key=lambda arm: (-scores[arm], arm))[:most]


def by_merit(turns: Turns, arms: Sequence[int], stays: int) -> list[int]:
    """Return the arms of the next round beside the one that stays: those before it as long as they learn.

    The others go on if they have found the best of all in the last round.
    """
    round_ = int(turns.round[0])
    learn = range(stays if round_ < LEARNING else 0)
    return [arm for arm in arms if round_ < ALL or arm == stays or arm in learn or turns.latest[arm] == round_ - 1]


def plan_playouts(turns: Turns, moves: int) -> None:
    """Begin playouts that take half of what is left of the turn if each has so many moves; the first ones, if 0."""
    turns.playouts[0] = max(int(turns.left[0]) // (2 * moves), 1) if moves else FIRST_PLAYOUTS
    turns.left[0] -= turns.playouts[0] * max(moves, 1)


class PortfolioSearch(ResumableSearch):
    """The resumable search of one arm or several, which looks like one search.

    - ``arms``: What they are.
    - ``searches``: Their searches.
    """

    def __init__(
        self,
        problem: BaseProblem,
        solver: Auto,
        memory: PortfolioMemory,
        has_weights: bool = False,
        first_game: FirstGame | None = None,
    ) -> None:
        super().__init__(problem)
        self._solver, self._has_weights = solver, has_weights
        self._turns, self._best, self._tally, memories = memory
        hints = hints_of(problem)
        self._alone_above, self._moves_differ = hints.alone_above, hints.moves_differ
        self.arms = solver.arms_of(problem, has_weights, first_game and first_game.has_codes)
        self._first_game = first_game or FirstGame.of_arms(problem, self.arms)
        self.searches = [search_of(arm, kept) for arm, kept in zip(self.arms, memories, strict=True)]
        self.heed(self._stop)
        self._first_turns = [arm.first_turn for arm in self.arms]
        self._stays = next((number for number, arm in enumerate(self.arms) if arm.stays), NONE)
        self._lacks_game = self._stays != NONE  # what hands the best game on

    @property
    def _needless(self) -> list[bool]:
        """Which arms have no more turns, because the first one's score is good enough."""
        first, *others = self.searches
        return [False, *[self._alone_above < first.score] * len(others)]

    @property
    def chosen(self) -> str:
        """Why there is only one arm; or what each had of the playouts, the one that goes on first."""
        if all(self._needless[1:]) and not any(search.playouts for search in self.searches[1:]):
            return f"auto: {self.arms[0].label}: {self.arms[0].why}"
        shares = [100 * search.playouts / max(self.playouts, 1) for search in self.searches]
        order = sorted(range(len(shares)), key=lambda arm: (bool(self._turns.dropped[arm]), -shares[arm]))
        said = "; ".join(f"{self.arms[arm].label} {shares[arm]:.0f} %" for arm in order if shares[arm] >= 0.5)
        return f"auto: {said} of the playouts"

    @property
    def memory(self) -> PortfolioMemory:
        """Where the search stands."""
        return PortfolioMemory(self._turns, self._best, self._tally, tuple(arm.memory for arm in self.searches))

    def take_over(self, memory: PortfolioMemory) -> None:
        """Go on with another memory of the same classes; its arrays may be of other sizes."""
        self._turns, self._best, self._tally, arms = memory
        for arm, kept in zip(self.searches, arms, strict=True):
            arm.take_over(kept)

    def as_large_as(self, memory: PortfolioMemory) -> PortfolioMemory:
        """Return a memory of this search with arrays of the shapes that go together with the sizes of another."""
        arms = tuple(arm.as_large_as(kept) for arm, kept in zip(self.searches, memory.arms, strict=True))
        return PortfolioMemory(self._turns, allocate_incumbent(len(memory.best.move)), self._tally, arms)

    def heed(self, stop: np.ndarray) -> None:
        super().heed(stop)
        for search in self.searches:
            search.heed(stop)

    @property
    def shared(self) -> Any:
        """The search of the only arm, if workers can share it."""
        return self.searches[0].shared if len(self.searches) == 1 else None

    @property
    def team(self) -> Any:
        """The workers that share the search of the only arm."""
        return self.searches[0].team if len(self.searches) == 1 else None

    @property
    def slice_playouts(self) -> int:
        """As the arm whose turn it is."""
        return int(self.searches[self._turns.arm[0]].slice_playouts)

    @property
    def machine_code(self) -> dict[str, Any]:
        """The compiled function of each arm, by its label."""
        return {arm.label: search.machine_code for arm, search in zip(self.arms, self.searches, strict=True)}

    @property
    def lacks_code(self) -> bool:
        """Whether the arm whose turn it is has no machine code yet, or what soon hands on the best game has none.

        What never has a turn never compiles.
        """
        arm = self.searches[self._turns.arm[0]]
        return arm.machine_code is None or arm.lacks_code or (self._lacks_game and self._soon_hands_on)

    @property
    def _soon_hands_on(self) -> bool:
        return bool(self._turns.round[0] >= HANDED_ON_FROM - 1)

    @property
    def playouts_with_code(self) -> int:
        ready = all(search.machine_code is not None for search in self.searches) and not self._lacks_game
        least = min(search.playouts_with_code for search in self.searches)
        if ready and least == UNLIMITED:
            return UNLIMITED
        return int(min(self._turns.playouts[0], self.searches[self._turns.arm[0]].playouts_with_code))

    def load_code(self, whole: bool = False) -> None:
        for search in self.searches if whole else [self.searches[self._turns.arm[0]]]:
            search.prepare()
            search.load_code(whole)
        if self._lacks_game and (whole or self._soon_hands_on):
            Game(self.arms[self._stays].problem.model)
            self._lacks_game = False

    def prepare(self, loaded: Mapping[str, Any] | None = None) -> None:
        """Load or compile the machine code of each arm, unless that has been done, or take that of another search."""
        for arm, search in zip(self.arms, self.searches, strict=True):
            search.prepare((loaded or {}).get(arm.label))

    def _made_of(self) -> tuple[Any, ...]:
        return *super()._made_of(), self._has_weights, self._first_game

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        improvements: list[Improvement] = []
        end, last = self.playouts + playouts, min(self.finished + searches, UNLIMITED)
        while self.playouts < end and self.finished < last and not self.stop[0]:
            found = self._go_on(min(end - self.playouts, int(self._turns.playouts[0])), last - self.finished, score)
            improvements += found
            if found and self.score >= score:
                break
        return improvements

    def _go_on(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        """Let the arm whose turn it is go on, at most so far; return its improvements that are some of the whole."""
        number, improvements = int(self._turns.arm[0]), []
        arm = self.searches[number]
        before, had = self.playouts, arm.playouts
        found = arm.advance(playouts, searches, score)
        for each in found:
            if each.score > self.score or not self._best.found[0]:
                moves = moves_in(self.problem, self.arms[number].problem, each.moves, self._moves_differ)
                improvements.append(each._replace(playouts=before + each.playouts - had, moves=moves))
                if not each.cut:
                    self._keep(improvements[-1])
                    self._turns.latest[number] = self._turns.round[0]
        self._tally.playouts[0] += arm.playouts - had
        self._tally.searches[0] = sum(each.finished for each in self.searches)
        self._tally.last_score[0] = arm.last_score
        self._turns.playouts[0] -= arm.playouts - had
        if not self._turns.playouts[0]:
            self._plan()
        return improvements

    def _plan(self) -> None:
        """Begin the next playouts, of the next arm where a turn is over."""
        if self._turns.left[0] <= 0:
            scores = [each.score for each in self.searches]
            begin_next_turn(self._turns, scores, self._first_turns, self._needless, self._stays)
            self._hand_on()
        arm = int(self._turns.arm[0])
        search, length = self.searches[arm], int(self.searches[arm].memory.best.length[0])
        lists, all_list = makes_lists(search), all(map(makes_lists, self.searches))
        plan_playouts(self._turns, self.arms[arm].moves(length, self._first_game, lists, all_list))

    def _hand_on(self) -> None:
        """Let tempering whose turn begins go on from the best game of all, unless it has one as good."""
        number = int(self._turns.arm[0])
        arm, search = self.arms[number], self.searches[number]
        is_behind = isinstance(arm.solver, Tempering) and search.score < self.score
        if self._stays == NONE or self._turns.round[0] < HANDED_ON_FROM or not is_behind:
            return
        with suppress(InputError):
            search.go_on_from(memoized(arm.problem.model, self.moves, listed=False))

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
    solver: Auto,
    problem: BaseProblem,
    seed: Seed,
    warm_start: np.ndarray | None = None,
    weights: Weights | None = None,
) -> PortfolioSearch:
    """Return a search that has not begun; errors are those of ``Solver.start``.

    Each arm has the warm start, unless it is not legal there: then it is only what is to be beaten. The first arm's
    search is that of the seed itself.
    """
    has_weights = weights is not None
    arms = solver.arms_of(problem, has_weights)
    memories: list[Any] = []
    bests: list[Incumbent] = []
    moves_differ = hints_of(problem).moves_differ
    for number, arm in enumerate(arms):
        begin = partial(arm.solver.without_code, arm.problem, stream_of_arm(seed, number))
        try:
            warm = None if warm_start is None else moves_in(arm.problem, problem, warm_start, moves_differ)
            memories.append(begin(warm, weights).memory)
            if warm_start is None or not moves_differ or arm.problem is problem:
                bests.append(memories[-1].best)
        except InputError as error:
            if warm_start is None or isinstance(error, ProblemError):
                raise
            memories.append(begin(None, weights).memory)
    if warm_start is not None and not bests:
        bests = [incumbent_of(memoized(problem.model, warm_start, listed=False))]
    turns = allocate_turns([arm.first_turn for arm in arms])
    memory = PortfolioMemory(turns, copy.deepcopy(bests[0]), allocate_tally(), tuple(memories))
    search = PortfolioSearch(problem, solver, memory, has_weights, FirstGame.of_arms(problem, arms))
    search.load_code()
    return search


def moves_in(problem: BaseProblem, other: BaseProblem, moves: np.ndarray, moves_differ: bool) -> np.ndarray:
    """Return the moves (int64[steps]) of a problem that build what moves of another arm build."""
    return problem.moves_of(other.solution(moves)) if moves_differ and other is not problem else moves


def stream_of_arm(seed: Seed, arm: int) -> Seed:
    """Return the seed of an arm's search: ``seed`` itself for the first one, else one spawned from it."""
    if arm == 0:
        return seed
    own = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return np.random.SeedSequence(own.entropy, spawn_key=(*own.spawn_key, arm))
