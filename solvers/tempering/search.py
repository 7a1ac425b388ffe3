"""The resumable search of parallel tempering."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.checking.validate import hints_of
from nrpa.engine.game import Game, Memo, memoized
from nrpa.engine.kernels import choices, has_kernel
from nrpa.engine.model import Model, Needs, Numbering
from nrpa.engine.random import Seed, random_states
from nrpa.engine.recording import allocate_incumbent, allocate_tally
from nrpa.engine.status import BUDGET_USED, IMPROVED, STOPPED
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import exp_bias
from nrpa.modelling.neighbours import NO_NEIGHBOURS
from nrpa.modelling.sequences import SequenceProblem
from nrpa.solvers.interface import UNLIMITED, Improvement, Weights, refuse
from nrpa.solvers.pool import Pool, Slice, share_of_turns
from nrpa.solvers.search import Budget, Capacity, CompiledSearch, common_parts, rows_of, write_rows
from nrpa.solvers.tempering.changes import (
    AT_FIRST,
    FIXED,
    OF_CHOICES,
    OF_ORDER,
    WITHOUT_SWAPS,
    allocate_shares,
)
from nrpa.solvers.tempering.kernel import FIRST_GAMES, NEIGHBOURS_FROM, advance_tempering
from nrpa.solvers.tempering.memory import (
    Chains,
    Games,
    TemperingMemory,
    TemperingSettings,
    allocate_games,
    allocate_rounds,
)
from nrpa.solvers.tempering.move_worth import allocate_move_worth
from nrpa.solvers.tempering.permutation import can_permute
from nrpa.solvers.tempering.replay import allocate_replay, states_between

if TYPE_CHECKING:
    from nrpa.solvers.tempering.options import Tempering


class TemperingSearch(CompiledSearch):
    """The resumable search of parallel tempering.

    Playouts count as if the chains played one each in turn, whoever plays them.
    """

    memory: TemperingMemory
    _function = staticmethod(advance_tempering)
    _meets = True

    def __init__(self, problem: BaseProblem, solver: Tempering, memory: TemperingMemory) -> None:
        problem = _replayed(problem)
        self._bias = exp_bias(problem, solver.bias)
        self._needs = Needs(bias=self._bias.by_move)
        super().__init__(problem, problem.model.new_state(self._needs))
        self._hints = hints_of(problem)
        self._solver = solver
        self._kept: list[Any] = []
        self._neighbours = NO_NEIGHBOURS
        self._lacks_neighbours = isinstance(problem, SequenceProblem) and problem.may_have_neighbours
        self.memory = memory

    @property
    def shared(self) -> TemperingSearch | None:
        return self if self._solver.chains > 1 else None

    @property
    def slice_playouts(self) -> int:
        """A round: in shorter slices, chains would take over from each other more often."""
        return int(self._solver.chains * self._solver.period)

    @property
    def lacks_code(self) -> bool:
        """Whether things are brought to their neighbours from now on, which are not known yet."""
        return self._lacks_neighbours and self.playouts_with_code == 0

    @property
    def playouts_with_code(self) -> int:
        left = NEIGHBOURS_FROM * len(self.memory.chains.done) - self.playouts
        return max(left, 0) if self._lacks_neighbours else UNLIMITED

    def load_code(self, whole: bool = False) -> None:
        if self.lacks_code or (whole and self._lacks_neighbours):
            self._neighbours = self.problem.neighbours()  # type: ignore[attr-defined]
            self._lacks_neighbours = False
            self._collect()
            if self.team is not None:
                self.team.hand_out()

    def take_over(self, memory: TemperingMemory) -> None:
        super().take_over(memory)
        if self.team is not None:
            self.team.hand_out()

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        self.prepare()
        # Where one playout reaches the score, or fails, chains may have done later ones.
        is_kept = score < math.inf or self.problem.holds_gil or self.team is not None
        kept = copy.deepcopy(self.memory) if is_kept else None
        try:
            improvements = self._improvements(min(playouts, UNLIMITED - self.playouts))
        except BaseException:  # what was found before an interruption would be lost, too
            if kept is not None:
                self.take_over(kept)
            raise
        if self.team is not None and kept is not None and self.stop[0]:
            self.take_over(kept)
            return []
        beyond = [each.playouts for each in improvements if each.score >= score]
        if kept is None or not beyond or beyond[0] == self.playouts:
            return improvements
        self.take_over(kept)
        return self._improvements(beyond[0] - self.playouts)

    def _improvements(self, playouts: int) -> list[Improvement]:
        """Do so many playouts; return the improvements of the best, in their order."""
        improvements: list[Improvement] = []
        self.load_code(whole=playouts > self.playouts_with_code)
        best = self.score
        found = self._play(playouts) if self.team is None else self.team.play(playouts)
        for each in sorted(found, key=attrgetter("playouts")):
            if each.score > best:
                best = each.score
                improvements.append(each)
        if improvements:
            self._keep(improvements[-1].moves, best)
        chains, tally = self.memory.chains, self.memory.tally
        np.maximum(chains.known, best, out=chains.known)
        tally.last_score[0] = chains.last[(int(chains.done.sum()) - 1) % len(chains.done)]
        return improvements

    def _play(self, playouts: int) -> list[Improvement]:
        """Do so many playouts; return what was better than all that its chain knew of."""
        found, end = [], self.playouts + playouts
        while (status := self.machine_code(*self._arguments, Budget(end - self.playouts, UNLIMITED))) != BUDGET_USED:
            if status == IMPROVED:
                done, chain = self.memory.chains.done, int(self.memory.rounds.chain[0])
                before = (int(done[chain]) - 1) * len(done) + chain
                turn = self.playouts - int(done.sum()) + before + 1
                found.append(Improvement(turn, self.score, self.moves))
            elif status == STOPPED:
                self._collect()
                return [each._replace(playouts=min(each.playouts, self.playouts)) for each in found]
            else:
                self._mend(status)
        return found

    @property
    def left_of_round(self) -> int:
        """The playouts until the chains meet."""
        done = self.memory.chains.done
        turn = self._solver.period if self.memory.rounds.begun[0] else self.memory.chains.first.shape[1]
        return int(turn * len(done) - done.sum())

    def share_out(self, workers: int, pool_of: Callable[[Sequence[Any]], Pool]) -> None:
        """Let workers share the chains."""
        self.team = Team(self, workers, pool_of)

    def renumbered(self, games: Games, numbering: Numbering) -> Games:
        """Return games of a search whose moves and codes have other numbers, with the numbers that they have here."""
        moves, codes = numbering
        model = self.problem.model
        if not moves or numbering == model.numbering():
            return games
        move = model.numbers_of(moves)
        name = move if self.by_move else np.array([model.code_number(code) for code in codes], np.int64)
        return games._replace(move=move[games.move], name=name[games.name] if len(name) else games.name)

    def _work(self) -> tuple[Any, ...]:
        steps, moves, _ = self._capacity()
        model = self.problem.model
        self._kept += [model.new_state(self._needs) for _ in range(states_between(steps) - len(self._kept))]
        work = allocate_replay(self._kept, steps, moves, self._bias, self.by_move, self._neighbours)
        model.share(self._state, work.orders, self.stop)
        return work, self._settings

    @property
    def by_move(self) -> bool:
        """Whether a move is its own name: as the solver says, where the problem gives no names."""
        return self._solver.names == "move" and not has_kernel(type(self._state), "find")

    @property
    def _settings(self) -> TemperingSettings:
        """The options, or the problem's where they are 0, unless a temperature is beyond the one that is given."""
        solver = self._solver
        coldest, hottest = self._hints.temperatures or (0.0, 0.0)
        hottest = solver.hottest or hottest
        adapts = self._hints.temperatures is None
        return TemperingSettings(
            hottest,
            solver.coldest or min(coldest, hottest),
            solver.period,
            solver.rotation or self._hints.rotation,
            np.array(shares_at_first(self.problem)),
            adapts,
            adapts and not (solver.hottest or solver.coldest),
            solver.anneals,
            self._meets,
        )

    def _allocate(self, capacity: Capacity) -> TemperingMemory:
        memory = allocate_memory(self._solver.chains, capacity, shares_at_first(self.problem))
        return memory._replace(chains=rows_of(memory.chains, 0, len(self.memory.chains.done)))

    def begin_with(self, warm: Memo) -> None:
        """Make a sequence the game of the coldest chain, and the best of all."""
        super().begin_with(warm)
        games, steps = self.memory.chains.games, len(warm.moves)
        games.move[0, :steps] = warm.moves
        games.length[0] = steps
        games.score[0] = warm.score
        self.memory.chains.known[:] = warm.score
        games.name[0, :steps] = warm.moves if self.by_move else _names(self.problem.model, warm.moves)


def _replayed(problem: BaseProblem) -> BaseProblem:
    """Return the form in which a problem is searched: with a bias of the caller's, as it is."""
    replayed: BaseProblem | None = None if problem.bias_replaced else hints_of(problem).replayed
    return replayed or problem


def start(
    solver: Tempering,
    problem: BaseProblem,
    seed: Seed,
    warm_start: np.ndarray | None = None,
    weights: Weights | None = None,
) -> TemperingSearch:
    """Return a search that has not begun (``Solver.start``)."""
    refuse(weights, solver.name)
    if solver.bias and has_kernel(type(problem.model.new_state()), "evaluate"):
        raise InputError(f"{problem.name}: its sequences are not played, so tempering cannot draw moves by its bias")
    return TemperingSearch(problem, solver, first_memory(solver, problem, seed, warm_start))


def first_memory(
    solver: Tempering, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None = None
) -> TemperingMemory:
    """Return the memory of a search that has not begun.

    The coldest chain begins with a warm start, unless a random game is better.
    """
    given, problem = problem, _replayed(problem)
    if warm_start is not None and problem is not given:
        warm_start = problem.moves_of(given.solution(warm_start))
    memory = allocate_memory(solver.chains, Capacity.of(problem.model), shares_at_first(problem), seed)
    search = TemperingSearch(problem, solver, memory)
    memory.chains.permutes[:] = search.by_move and can_permute(problem.model)
    if warm_start is None:
        return memory
    search.begin_with(memoized(problem.model, warm_start, listed=False))
    return search.memory


def shares_at_first(problem: BaseProblem) -> Sequence[float]:
    """Return how often each kind of change is tried before any has gained."""
    if hints_of(problem).temperatures is not None:
        return FIXED
    state = problem.model.new_state()
    if not has_kernel(type(state), "evaluate"):
        return AT_FIRST
    counts = {choices(problem.model.instance, state, place) for place in range(problem.max_steps)}
    if counts == {0}:
        return OF_ORDER
    return OF_CHOICES if len(counts) == 1 and min(counts) > 0 else WITHOUT_SWAPS


def allocate_memory(number: int, capacity: Capacity, at_first: Sequence[float], seed: Seed = 0) -> TemperingMemory:
    """Return the memory of a search of so many chains; ``at_first`` are the shares of kinds of change."""
    chains = Chains(
        games=allocate_games(number, capacity.steps),
        temperature=np.zeros(number),
        random=random_states(seed, number + 1)[1:],
        done=np.zeros(number, np.int64),
        first=np.zeros((number, -(-FIRST_GAMES // number))),
        worse=np.zeros((number, 2)),
        last=np.full(number, np.nan),
        known=np.full(number, -np.inf),
        shares=allocate_shares(number, at_first),
        draws=allocate_move_worth(number),
        permutes=np.zeros(number, np.bool_),
    )
    return TemperingMemory(chains=chains, rounds=allocate_rounds(), **common_parts(capacity, seed))


def _names(model: Model, moves: np.ndarray) -> list[int]:
    game = Game(model)
    game.reset()
    names = []
    for move in moves.tolist():
        game.find(move.__eq__)
        names.append(game.name_at(game.listed.index(move)))
        game.play(move)
    return names


class SomeChains(TemperingSearch):
    """A worker's part of a search: some of the chains, which do not meet, and the neighbours that the search knows."""

    _meets = False

    def __init__(
        self, problem: BaseProblem, solver: Tempering, memory: TemperingMemory, neighbours: np.ndarray
    ) -> None:
        super().__init__(problem, solver, memory)
        self._neighbours, self._lacks_neighbours = neighbours, False

    def _made_of(self) -> tuple[Any, ...]:
        return *super()._made_of(), self._neighbours


class Team:
    """Workers that share the chains of a search: each plays some of them until a round ends.

    What is found does not depend on their number, on slices, or on who was faster: a chain has its own random numbers.
    In one process, the arrays of a part are views of those of the whole.
    """

    def __init__(self, whole: TemperingSearch, workers: int, pool_of: Callable[[Sequence[Any]], Pool]) -> None:
        self.workers = workers  # as asked for; those beyond the number of chains have nothing to do
        self._whole = whole
        chains = len(whole.memory.chains.done)
        number = min(workers, chains)
        self._ends = [part * chains // number for part in range(number + 1)]
        parts = [self._part(part) for part in range(number)]
        for part in parts:
            part.prepare(whole.machine_code)
        self.pool = pool_of(parts)

    def play(self, playouts: int) -> list[Improvement]:
        """Do so many playouts of the search; return what was better than all that its part knew of, in any order."""
        left, found = playouts, list[Improvement]()
        while left:
            more = min(left, self._whole.left_of_round)
            answers = self.pool.run({part: Slice(share) for part, share in enumerate(self._shares(more)) if share})
            if self.pool.stop[0]:
                return found
            for part, improvements in answers.items():
                found += self._numbered(part, improvements)
            self._take_in(more)
            left -= more
        return found

    def hand_out(self) -> None:
        """Let each worker go on with its part of the search as that is now."""
        for part in range(len(self._ends) - 1):
            self.pool.restart(part, self._part(part))

    def _part(self, part: int) -> SomeChains:
        whole, steps = self._whole.memory, len(self._whole.memory.best.move)
        rounds = allocate_rounds()._replace(begun=whole.rounds.begun, number=whole.rounds.number)
        best, tally = allocate_incumbent(steps), allocate_tally()
        best.score[0] = whole.best.score[0]
        tally.playouts[0] = self._playouts(part, self._whole.playouts)
        chains: Chains = rows_of(whole.chains, self._ends[part], self._ends[part + 1])
        memory = TemperingMemory(chains, rounds, best, tally, whole.random, whole.capacity.copy())
        return SomeChains(self._whole.problem, self._whole._solver, memory, self._whole._neighbours)

    def _playouts(self, part: int, playouts: int) -> int:
        """Return how many of so many playouts of the whole are those of a part."""
        chains = range(self._ends[part], self._ends[part + 1])
        return sum(share_of_turns(playouts, chain, self._ends[-1]) for chain in chains)

    def _shares(self, more: int) -> list[int]:
        """Return how many of so many more playouts are those of each part."""
        done = self._whole.playouts
        return [self._playouts(part, done + more) - self._playouts(part, done) for part in range(len(self._ends) - 1)]

    def _numbered(self, part: int, found: Sequence[Improvement]) -> list[Improvement]:
        """Return improvements of a part with their numbers among the playouts of all chains."""
        begin, size = self._ends[part], self._ends[part + 1] - self._ends[part]
        turns = [divmod(each.playouts - 1, size) for each in found]
        return [
            each._replace(playouts=turn * self._ends[-1] + begin + chain + 1, worker=part)
            for (turn, chain), each in zip(turns, found, strict=True)
        ]

    def _take_in(self, playouts: int) -> None:
        """Bring together what the workers have done; at the end of a round, let the chains meet."""
        states = self.pool.states()
        memories: list[TemperingMemory] = [state.made_of[1] for state in states]
        capacity = np.max([self._whole.memory.capacity, *(memory.capacity for memory in memories)], axis=0)
        if (capacity != self._whole.memory.capacity).any():
            self._whole.grow_to(Capacity(*map(int, capacity)))
        whole, copied = self._whole.memory.chains, False
        for begin, state, memory in zip(self._ends, states, memories, strict=False):
            # Also in one process, where those of a part have grown.
            if not np.may_share_memory(memory.chains.games.move, whole.games.move):
                games = self._whole.renumbered(memory.chains.games, state.numbering)
                write_rows(whole, begin, memory.chains._replace(games=games))
                copied = True
        self._whole.memory.tally.playouts[0] += playouts
        if not self._whole.left_of_round:
            self._whole._play(0)
        if copied:
            self.hand_out()
