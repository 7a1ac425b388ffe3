"""Several searches of one problem, its arms, which take turns: all begin, and the worst are dropped.

Each round has turns twice as long as the last one. After the ninth round four arms are left, after the tenth two, and
after the eleventh one, which goes on for ever: Sequential Halving over searches, without a budget. Only where a round
has found nothing better, another arm has a turn, too, in the next one: the second best, then the third best, and so on.

Turns are counted in moves, so that the speed of the machine changes nothing: a playout counts as many as the best one
of its arm had when last looked at. Where an arm makes no lists of legal moves, as for a permutation, each listed one
counts as a quarter of a move for the others.

References
----------
Z. Karnin, T. Koren, O. Somekh, *Almost optimal exploration in multi-armed bandits*, ICML 2013: Sequential Halving.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.engine.game import Game, Memo, memoized
from nrpa.engine.random import Seed
from nrpa.engine.recording import Incumbent, Tally, allocate_incumbent, allocate_tally
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.solvers.interface import UNLIMITED, Improvement, Weights
from nrpa.solvers.nrpa import search as nrpa_search
from nrpa.solvers.portfolio.arms import BY_CODES, Arm
from nrpa.solvers.search import CompiledSearch, ResumableSearch
from nrpa.solvers.tempering import search as tempering_search
from nrpa.solvers.tempering.memory import TemperingMemory
from nrpa.solvers.tempering.options import Tempering

if TYPE_CHECKING:
    from nrpa.solvers.auto import Auto

# After how many rounds one arm is left.
ROUNDS = 11
MOST_DOUBLED = 30
# The playouts after which it is first known how long those of an arm are.
FIRST_PLAYOUTS = 10
# In so many moves of a game it shows whether codes are moves, and how many are listed.
LOOKED_AT = 100
# How many listed moves take as long as one that is made.
LISTED_AS_ONE = 4


def has_codes(problem: BaseProblem) -> bool:
    """Return whether codes say anything else than moves do, in the first moves of one game."""
    game, differ = Game(problem.model), list[bool]()

    def last(moves: list[int]) -> int:
        differ.append(moves != game.codes)
        return moves[-1]

    game.playout(last, LOOKED_AT)
    return any(differ)


def moves_listed(problem: BaseProblem) -> float:
    """Return how many moves are legal in the mean, in the first moves of one game."""
    counts = list[int]()

    def last(moves: list[int]) -> int:
        counts.append(len(moves))
        return moves[-1]

    Game(problem.model).playout(last, LOOKED_AT)
    return sum(counts) / max(len(counts), 1)


def shown_of(problem: BaseProblem, arms: Sequence[Arm]) -> Shown:
    """Return what first games have shown."""
    has_codes = any(arm.label == BY_CODES for arm in arms)
    kinds = {isinstance(arm.solver, Tempering) for arm in arms}
    return Shown(has_codes, moves_listed(problem) if len(kinds) > 1 else 0.0)


def makes_lists(search: CompiledSearch) -> bool:
    """Return whether a search lists the legal moves, as all do but tempering of permutations."""
    memory = search.memory
    return not isinstance(memory, TemperingMemory) or not memory.chains.permutes[0]


def search_of(arm: Arm, memory: Any) -> CompiledSearch:
    """Return the search of an arm with such a memory."""
    if isinstance(arm.solver, Tempering):
        return tempering_search.TemperingSearch(arm.problem, arm.solver, memory)
    return nrpa_search.NRPASearch(arm.problem, arm.solver, memory)


def initial_memory(arm: Arm, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None) -> Any:
    """Return the memory of the search of an arm before it begins."""
    if isinstance(arm.solver, Tempering):
        return tempering_search.initial_memory(arm.solver, arm.problem, seed, warm_start)
    return nrpa_search.initial_memory(arm.solver, arm.problem, seed, warm_start, weights)


def memory_begun(arm: Arm, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None) -> Any:
    """Return the memory of the search of an arm with the warm start, if there is one; None if it is not legal there."""
    try:
        return initial_memory(arm, seed, warm_start, weights)
    except InputError as error:
        if warm_start is None or isinstance(error, ProblemError):
            raise
        return None


def incumbent_of(game: Memo) -> Incumbent:
    """Return a whole game as the best of all."""
    length = np.full(1, len(game.moves), np.int64)
    return Incumbent(np.ones(1, np.bool_), game.moves.copy(), length, np.full(1, game.score))


class Shown(NamedTuple):
    """What first games have shown, so that a search that is pickled does not play them again.

    - ``has_codes``: Whether codes say anything else than moves do, as far as the arms ask.
    - ``listed``: How many moves are legal in the mean; 0 where tempering is no arm beside others.
    """

    has_codes: bool
    listed: float


class Turns(NamedTuple):
    """Whose turn it is.

    - ``arm``, int64[1]: The arm that searches.
    - ``left``, int64[1]: The moves that are left of its turn after the next playouts.
    - ``playouts``, int64[1]: These playouts; then the length of the best one is looked at again.
    - ``round``, int64[1]: The rounds that are over.
    - ``reached``, float64[1]: The best score when the last one was over.
    - ``idle``, int64[1]: How many of them, up to the last one, have found nothing better.
    - ``dropped``, bool[arms]: Which arms have no turn in this round.
    """

    arm: np.ndarray
    left: np.ndarray
    playouts: np.ndarray
    round: np.ndarray
    reached: np.ndarray
    idle: np.ndarray
    dropped: np.ndarray


class PortfolioMemory(NamedTuple):
    """All that a portfolio needs to go on; ``best`` and ``tally`` are those of the whole."""

    turns: Turns
    best: Incumbent
    tally: Tally
    arms: tuple[Any, ...]


def allocate_turns(first_turns: Sequence[int]) -> Turns:
    """Return the turns of a portfolio that has not begun, of arms with these first turns."""
    arm, left, playouts, rounds, idle = np.zeros((5, 1), np.int64)
    left[0] = first_turns[0]
    turns = Turns(arm, left, playouts, rounds, np.full(1, -np.inf), idle, np.zeros(len(first_turns), np.bool_))
    plan_playouts(turns, 0)
    return turns


def begin_next_turn(
    turns: Turns, scores: Sequence[float], first_turns: Sequence[int], needless: Sequence[bool]
) -> None:
    """Let the next arm search; after the last one of a round choose those of the next round, which is longer.

    Arms that are needless have no turns any more.
    """
    turns.dropped[:] |= np.array(needless)
    later = np.flatnonzero(~turns.dropped)
    later = later[later > turns.arm[0]]
    if not len(later):
        turns.round[0] += 1
        left = 2 ** max(ROUNDS - int(turns.round[0]), 0)
        turns.idle[0] = turns.idle[0] + 1 if left == 1 and max(scores) == turns.reached[0] else 0
        turns.reached[0] = max(scores)
        ranked = sorted(np.flatnonzero(~np.array(needless)).tolist(), key=lambda arm: (-scores[arm], arm))
        turns.dropped[:] = True
        turns.dropped[ranked[:left]] = False
        if turns.idle[0] and len(ranked) > 1:
            turns.dropped[ranked[1 + (turns.idle[0] - 1) % (len(ranked) - 1)]] = False
        later = np.flatnonzero(~turns.dropped)
    turns.arm[0] = later[0]
    turns.left[0] = first_turns[later[0]] * 2 ** min(int(turns.round[0]), MOST_DOUBLED)


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
        shown: Shown | None = None,
    ) -> None:
        super().__init__(problem)
        self._solver, self._has_weights = solver, has_weights
        self._turns, self._best, self._tally, memories = memory
        self.arms = solver.arms(problem, has_weights, shown and shown.has_codes)
        self._shown = shown or shown_of(problem, self.arms)
        self.searches = [search_of(arm, kept) for arm, kept in zip(self.arms, memories, strict=True)]
        self._first_turns = [arm.first_turn for arm in self.arms]

    @property
    def _needless(self) -> list[bool]:
        """Which arms are searched only up to a score that the first one has passed."""
        return [arm.problem.searched_up_to < self.searches[0].score for arm in self.arms]

    @property
    def chosen(self) -> str:
        """Why there is only one arm; or what each had of the playouts, the one that goes on first."""
        if all(self._needless[1:]) and not any(search.playouts for search in self.searches[1:]):
            return f"auto: {self.arms[0].label}: {self.arms[0].why}"
        shares = [100 * search.playouts / max(self.playouts, 1) for search in self.searches]
        order = sorted(range(len(shares)), key=lambda arm: (bool(self._turns.dropped[arm]), -shares[arm]))
        said = "; ".join(f"{self.arms[arm].label} {shares[arm]:.0f} %" for arm in order)
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

    @property
    def shared(self) -> Any:
        """The search of the only arm, if workers can share it."""
        return self.searches[0].shared if len(self.searches) == 1 else None

    @property
    def slice_playouts(self) -> int:
        """As the arm whose turn it is."""
        return int(self.searches[self._turns.arm[0]].slice_playouts)

    @property
    def machine_code(self) -> dict[str, Any]:
        """The compiled function of each arm, by its label."""
        return {arm.label: search.machine_code for arm, search in zip(self.arms, self.searches, strict=True)}

    def prepare(self, loaded: Mapping[str, Any] | None = None) -> None:
        """Load or compile the machine code of each arm, unless that has been done, or take that of another search."""
        for arm, search in zip(self.arms, self.searches, strict=True):
            search.prepare((loaded or {}).get(arm.label))

    def _made_of(self) -> tuple[Any, ...]:
        return *super()._made_of(), self._has_weights, self._shown

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        improvements: list[Improvement] = []
        end, last = self.playouts + playouts, min(self.finished + searches, UNLIMITED)
        while self.playouts < end and self.finished < last:
            found = self._go_on(min(end - self.playouts, int(self._turns.playouts[0])), last - self.finished, score)
            improvements += found
            if found and self.score >= score:
                break
        return improvements

    def _go_on(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        """Let the arm whose turn it is go on, at most so far; return its improvements that are some of the whole."""
        arm, improvements = self.searches[self._turns.arm[0]], []
        before, had = self.playouts, arm.playouts
        found = arm.advance(playouts, searches, score)
        for each in found:
            if each.score > self.score or not self._best.found[0]:
                improvements.append(each._replace(playouts=before + each.playouts - had))
                self._keep(each)
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
            begin_next_turn(self._turns, [each.score for each in self.searches], self._first_turns, self._needless)
        arm = int(self._turns.arm[0])
        moves = self.arms[arm].moves(int(self.searches[arm].memory.best.length[0]))
        if makes_lists(self.searches[arm]) and not all(map(makes_lists, self.searches)):
            moves += round(moves * self._shown.listed / LISTED_AS_ONE)
        plan_playouts(self._turns, moves)

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
    if not isinstance(problem, CompiledProblem) and len(problem.arms()) > 1:
        raise ProblemError(f"{type(problem).__name__}: arms() must return one problem; only a compiled one has more")
    has_weights = weights is not None
    arms = solver.arms(problem, has_weights)
    seeds = [stream_of_arm(seed, number) for number in range(len(arms))]
    begun = [memory_begun(arm, own, warm_start, weights) for arm, own in zip(arms, seeds, strict=True)]
    memories = [
        initial_memory(arm, own, None, weights) if memory is None else memory
        for arm, own, memory in zip(arms, seeds, begun, strict=True)
    ]
    takers = [memory for memory in begun if memory is not None]
    if takers or warm_start is None:
        best = copy.deepcopy(takers[0].best)
    else:
        best = incumbent_of(memoized(problem.model, warm_start))
    turns = allocate_turns([arm.first_turn for arm in arms])
    memory = PortfolioMemory(turns, best, allocate_tally(), tuple(memories))
    search = PortfolioSearch(problem, solver, memory, has_weights, shown_of(problem, arms))
    search.prepare()
    return search


def stream_of_arm(seed: Seed, arm: int) -> Seed:
    """Return the seed of an arm's search: ``seed`` itself for the first one, else one spawned from it."""
    if arm == 0:
        return seed
    own = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return np.random.SeedSequence(own.entropy, spawn_key=(*own.spawn_key, arm))
