"""The resumable search of parallel tempering."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.engine.best import allocate_best, allocate_tally
from nrpa.engine.game import Game, Memo, memoized
from nrpa.engine.model import Model, Needs
from nrpa.engine.random import Seed, random_state
from nrpa.engine.replay import Games, allocate_games, allocate_replay, states_between
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.capacity import Capacity, enlarged_arrays
from nrpa.solvers.compiled_tempering import Chains, Memory, Settings, advance_tempering
from nrpa.solvers.search import CompiledSearch

if TYPE_CHECKING:
    from nrpa.solvers.tempering import Tempering

NEEDS = Needs(bias=False)


class TemperingSearch(CompiledSearch):
    """The resumable search of parallel tempering.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    solver : Tempering
        The options.
    memory : Memory
        Where the search stands.

    Attributes
    ----------
    memory : Memory
        Where the search stands (``nrpa.solvers.compiled_tempering.Memory``).
    """

    memory: Memory

    def __init__(self, problem: BaseProblem, solver: Tempering, memory: Memory) -> None:
        problem = problem.replayed()
        super().__init__(problem, problem.model.new_state(NEEDS))
        self._solver = solver
        self._kept: list[Any] = []
        self.memory = memory

    def _function(self) -> Callable[..., Any]:
        return advance_tempering

    def _made_of(self) -> tuple[Any, ...]:
        return self._solver, self.memory

    def _work(self) -> tuple[Any, ...]:
        steps = self._capacity().steps
        missing = states_between(steps) - len(self._kept)
        self._kept += [self.problem.model.new_state(NEEDS) for _ in range(missing)]
        return allocate_replay(self._kept, steps), self._settings

    @property
    def _settings(self) -> Settings:
        """The options, or the problem's where they are 0, unless a temperature is beyond the one that is given."""
        solver = self._solver
        coldest, hottest = self.problem.temperatures or (0.0, 0.0)
        hottest = solver.hottest or hottest
        return Settings(
            hottest, solver.coldest or min(coldest, hottest), solver.period, solver.rotation or self.problem.rotation
        )

    def _enlarge(self, capacity: Capacity) -> None:
        self.memory = enlarged_memory(self.memory, capacity)


def start(solver: Tempering, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None = None) -> TemperingSearch:
    """Return a search that has not begun, its machine code loaded or compiled.

    Parameters
    ----------
    solver : Tempering
        The options.
    problem : BaseProblem
        The problem.
    seed : int or numpy.random.SeedSequence
        The seed.
    warm_start : ndarray of int64, shape (steps,), optional
        The moves of a sequence that is the best one from the beginning; the coldest chain begins with it, unless a
        random game is better.

    Returns
    -------
    TemperingSearch
        The search.

    Raises
    ------
    InputError
        If ``warm_start`` is not a whole game of legal moves.
    ProblemError
        If a kernel does not compile, goes out of bounds, or breaks a limit.
    """
    given, problem = problem, problem.replayed()
    model = problem.model
    capacity = Capacity.of(model)
    memory = Memory(
        chains=_allocate_chains(solver.chains, capacity.steps),
        best=allocate_best(capacity.steps),
        tally=allocate_tally(),
        random=random_state(seed),
        room=capacity.array(),
    )
    if warm_start is not None:
        if problem is not given:
            warm_start = problem.moves_of(given.solution(warm_start))
        memory = _warm(memory, model, memoized(model, warm_start))
    search = TemperingSearch(problem, solver, memory)
    search.prepare()
    return search


def _allocate_chains(chains: int, steps: int) -> Chains:
    """Return chains that have not begun."""
    return Chains(
        games=allocate_games(chains, steps),
        temperature=np.zeros(chains),
        turn=np.zeros(1, np.int64),
        done=np.zeros(1, np.int64),
        begun=np.zeros(1, np.bool_),
        rounds=np.zeros(1, np.int64),
        moments=np.zeros(3),
    )


def enlarged_memory(memory: Memory, capacity: Capacity) -> Memory:
    """Return a memory of equal content with more room.

    Parameters
    ----------
    memory : Memory
        The memory.
    capacity : Capacity
        The room that is needed, nowhere less than that of ``memory``.

    Returns
    -------
    Memory
        The larger memory.
    """
    games = memory.chains.games
    larger: Games = enlarged_arrays(games, allocate_games(len(games.length), capacity.steps))
    return memory._replace(
        chains=memory.chains._replace(games=larger),
        best=enlarged_arrays(memory.best, allocate_best(capacity.steps)),
        room=capacity.array(),
    )


def _warm(memory: Memory, model: Model, warm: Memo) -> Memory:
    """Return the memory with ``warm`` as the game of the coldest chain, and as the best of all."""
    steps, total = len(warm.moves), int(warm.offset[-1])
    memory = enlarged_memory(memory, Capacity(*map(int, memory.room)).holding(steps, total))
    games, best = memory.chains.games, memory.best
    games.move[0, :steps] = best.move[:steps] = warm.moves
    games.length[0] = best.length[0] = steps
    games.score[0] = best.score[0] = warm.score
    best.found[0] = True
    games.name[0, :steps] = _names(model, warm.moves)
    return memory


def _names(model: Model, moves: np.ndarray) -> list[int]:
    """Return the names of the moves of a game."""
    game = Game(model)
    game.reset()
    names = []
    for move in moves.tolist():
        game.find(move.__eq__)
        names.append(game.names()[game.listed.index(move)])
        game.play(move)
    return names
