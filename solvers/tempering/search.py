"""The resumable search of parallel tempering."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.engine.draws import allocate_draws
from nrpa.engine.game import Game, Memo, memoized
from nrpa.engine.guarded_game import can_permute
from nrpa.engine.kernels import has_kernel
from nrpa.engine.model import Model, Needs, Numbering
from nrpa.engine.permutation import FAILS, allocate_permutation
from nrpa.engine.random import Seed, random_states
from nrpa.engine.recording import allocate_incumbent, allocate_tally
from nrpa.engine.replay import Games, allocate_games, allocate_replay, states_between
from nrpa.engine.status import BUDGET_USED, IMPROVED
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import UNLIMITED, Improvement, Weights, refuse
from nrpa.solvers.search import Budget, Capacity, CompiledSearch, State, common_parts, rows_of, write_rows
from nrpa.solvers.tempering.changes import allocate_shares
from nrpa.solvers.tempering.kernel import FIRST_GAMES, advance_tempering
from nrpa.solvers.tempering.memory import Chains, Memory, Settings, allocate_rounds

if TYPE_CHECKING:
    from nrpa.solvers.tempering.options import Tempering

NEEDS = Needs(bias=False)


class TemperingSearch(CompiledSearch):
    """The resumable search of parallel tempering, or a worker's part of it: some of the chains.

    Playouts count as if the chains played one each in turn, whoever plays them.
    """

    memory: Memory
    _function = staticmethod(advance_tempering)

    def __init__(self, problem: BaseProblem, solver: Tempering, memory: Memory, is_part: bool = False) -> None:
        problem = problem.replayed()
        super().__init__(problem, problem.model.new_state(NEEDS))
        self._solver = solver
        self._kept: list[Any] = []
        self._is_part = is_part
        self.memory = memory

    def _made_of(self) -> tuple[Any, ...]:
        return *super()._made_of(), self._is_part

    @property
    def shared(self) -> TemperingSearch | None:
        return self if self._solver.chains > 1 else None

    @property
    def slice_playouts(self) -> int:
        """A round: in shorter slices, chains would take over from each other more often."""
        return int(self._solver.chains * self._solver.period)

    def take_over(self, memory: Memory) -> None:
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
        beyond = [each.playouts for each in improvements if each.score >= score]
        if kept is None or not beyond or beyond[0] == self.playouts:
            return improvements
        self.take_over(kept)
        return self._improvements(beyond[0] - self.playouts)

    def _improvements(self, playouts: int) -> list[Improvement]:
        """Do so many playouts; return the improvements of the best, in their order."""
        improvements: list[Improvement] = []
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
            else:
                self._mend(status)
        return found

    @property
    def left_of_round(self) -> int:
        """The playouts until the chains meet."""
        done = self.memory.chains.done
        turn = self._solver.period if self.memory.rounds.begun[0] else self.memory.chains.first.shape[1]
        return int(turn * len(done) - done.sum())

    def meet(self) -> None:
        """Let the chains exchange their games at the end of a round."""
        self._play(0)

    def parts(self, workers: int) -> Parts:
        """Return the chains, shared out among workers."""
        return Parts(self, workers)

    def part(self, memory: Memory) -> TemperingSearch:
        """Return a search of some of the chains, which do not meet."""
        return type(self)(self.problem, self._solver, memory, is_part=True)

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
        steps = self._capacity().steps
        missing = states_between(steps) - len(self._kept)
        self._kept += [self.problem.model.new_state(NEEDS) for _ in range(missing)]
        return allocate_replay(self._kept, steps, self.by_move), self._settings

    @property
    def by_move(self) -> bool:
        """Whether a move is its own name: as the solver says, where the problem gives no names."""
        return self._solver.names == "move" and not has_kernel(type(self._state), "find")

    @property
    def _settings(self) -> Settings:
        """The options, or the problem's where they are 0, unless a temperature is beyond the one that is given."""
        solver = self._solver
        coldest, hottest = self.problem.temperatures or (0.0, 0.0)
        hottest = solver.hottest or hottest
        adapts = self.problem.temperatures is None
        return Settings(
            hottest,
            solver.coldest or min(coldest, hottest),
            solver.period,
            solver.rotation or self.problem.rotation,
            adapts,
            adapts and not (solver.hottest or solver.coldest),
            solver.anneals,
            not self._is_part,
        )

    def _allocate(self, capacity: Capacity) -> Memory:
        fixed = self.problem.temperatures is not None
        memory = allocate_memory(self._solver.chains, capacity, fixed)
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


def start(
    solver: Tempering,
    problem: BaseProblem,
    seed: Seed,
    warm_start: np.ndarray | None = None,
    weights: Weights | None = None,
) -> TemperingSearch:
    """Return a search that has not begun, its machine code loaded or compiled (``Solver.start``)."""
    refuse(weights, solver.name)
    search = TemperingSearch(problem, solver, initial_memory(solver, problem, seed, warm_start))
    search.prepare()
    return search


def initial_memory(solver: Tempering, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None = None) -> Memory:
    """Return the memory of a search that has not begun.

    The coldest chain begins with a warm start, unless a random game is better.
    """
    given, problem = problem, problem.replayed()
    if warm_start is not None and problem is not given:
        warm_start = problem.moves_of(given.solution(warm_start))
    memory = allocate_memory(solver.chains, Capacity.of(problem.model), problem.temperatures is not None, seed)
    search = TemperingSearch(problem, solver, memory)
    if not (search.by_move and can_permute(problem.model)):
        memory.chains.permutation.verdict[:] = FAILS
    if warm_start is None:
        return memory
    search.begin_with(memoized(problem.model, warm_start))
    return search.memory


def allocate_memory(number: int, capacity: Capacity, fixed: bool, seed: Seed = 0) -> Memory:
    """Return the memory of a search of so many chains; ``fixed`` says if kinds of change keep their shares."""
    chains = Chains(
        games=allocate_games(number, capacity.steps),
        temperature=np.zeros(number),
        random=random_states(seed, number + 1)[1:],
        done=np.zeros(number, np.int64),
        first=np.zeros((number, -(-FIRST_GAMES // number))),
        worse=np.zeros((number, 2)),
        last=np.full(number, np.nan),
        known=np.full(number, -np.inf),
        shares=allocate_shares(number, fixed),
        draws=allocate_draws(number),
        permutation=allocate_permutation(number),
    )
    return Memory(chains=chains, rounds=allocate_rounds(), **common_parts(capacity, seed))


def _names(model: Model, moves: np.ndarray) -> list[int]:
    game = Game(model)
    game.reset()
    names = []
    for move in moves.tolist():
        game.find(move.__eq__)
        names.append(game.name_at(game.listed.index(move)))
        game.play(move)
    return names


class Parts:
    """A search of all chains, and searches of some of them, whose arrays are views where they are in one process.

    - ``searches``: At most one for each worker, and for each chain.
    """

    def __init__(self, whole: TemperingSearch, workers: int) -> None:
        self._whole = whole
        chains = len(whole.memory.chains.done)
        number = min(workers, chains)
        self._ends = [part * chains // number for part in range(number + 1)]
        self.searches = [whole.part(self.memory(part)) for part in range(number)]

    def memory(self, part: int) -> Memory:
        """Return the memory of a part, with the chains of the whole."""
        memory, steps = self._whole.memory, len(self._whole.memory.best.move)
        rounds = allocate_rounds()._replace(begun=memory.rounds.begun, number=memory.rounds.number)
        best, tally = allocate_incumbent(steps), allocate_tally()
        best.score[0] = memory.best.score[0]
        tally.playouts[0] = self._playouts(part, self._whole.playouts)
        chains: Chains = rows_of(memory.chains, self._ends[part], self._ends[part + 1])
        return Memory(chains, rounds, best, tally, memory.random, memory.capacity.copy())

    def _playouts(self, part: int, playouts: int) -> int:
        number = self._ends[-1]
        chains = range(self._ends[part], self._ends[part + 1])
        return sum((playouts - chain + number - 1) // number for chain in chains)

    def shares(self, more: int) -> list[int]:
        """Return how many of so many more playouts are those of each part."""
        done = self._whole.playouts
        return [self._playouts(part, done + more) - self._playouts(part, done) for part in range(len(self.searches))]

    def numbered(self, part: int, found: Sequence[Improvement]) -> list[Improvement]:
        """Return improvements of a part with their numbers among the playouts of all chains."""
        begin, size = self._ends[part], self._ends[part + 1] - self._ends[part]
        turns = [divmod(each.playouts - 1, size) for each in found]
        return [
            each._replace(playouts=turn * self._ends[-1] + begin + chain + 1, worker=part)
            for (turn, chain), each in zip(turns, found, strict=True)
        ]

    def take_in(self, states: Sequence[State]) -> bool:
        """Let the whole have the chains as they are in the states of its parts; return whether any had to be copied."""
        memories: list[Memory] = [state.made_of[1] for state in states]
        capacity = np.max([self._whole.memory.capacity, *(memory.capacity for memory in memories)], axis=0)
        if (capacity != self._whole.memory.capacity).any():
            self._whole.grow_to(Capacity(*map(int, capacity)))
        whole, copied = self._whole.memory.chains, False
        for begin, state, memory in zip(self._ends, states, memories, strict=False):
            if not np.may_share_memory(memory.chains.games.move, whole.games.move):
                games = self._whole.renumbered(memory.chains.games, state.numbering)
                write_rows(whole, begin, memory.chains._replace(games=games))
                copied = True
        return copied
