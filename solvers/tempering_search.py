"""The resumable search of parallel tempering."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.values import MOST_PLAYOUTS
from nrpa.engine.game import Game, Memo, memoized
from nrpa.engine.kernels import has_kernel
from nrpa.engine.model import Model, Needs
from nrpa.engine.random import Seed
from nrpa.engine.replay import Games, allocate_games, allocate_replay, states_between
from nrpa.engine.sound import require, require_finite, require_numbers, require_shapes, within
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.compiled_changes import allocate_shares
from nrpa.solvers.compiled_tempering import FIRST_GAMES, Chains, Memory, Settings, advance_tempering
from nrpa.solvers.memory import Capacity, common_parts
from nrpa.solvers.search import CompiledSearch

if TYPE_CHECKING:
    from nrpa.solvers.tempering import Tempering

NEEDS = Needs(bias=False)


class TemperingSearch(CompiledSearch):
    """The resumable search of parallel tempering."""

    memory: Memory
    _function = staticmethod(advance_tempering)

    def __init__(self, problem: BaseProblem, solver: Tempering, memory: Memory) -> None:
        problem = problem.replayed()
        super().__init__(problem, problem.model.new_state(NEEDS))
        self._solver = solver
        self._kept: list[Any] = []
        self.memory = memory

    def _work(self) -> tuple[Any, ...]:
        steps = self._capacity().steps
        missing = states_between(steps) - len(self._kept)
        self._kept += [self.problem.model.new_state(NEEDS) for _ in range(missing)]
        return allocate_replay(self._kept, steps, self._by_move), self._settings

    @property
    def _by_move(self) -> bool:
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
        )

    def require_sound(self, memory: Memory) -> None:
        """Raise UnsoundError unless this search, which has not begun, can go on with a memory that was read."""
        super().require_sound(memory)
        own, chains, settings = self.memory.chains, memory.chains, self._settings
        number, steps = len(own.temperature), int(memory.room[0])
        require_shapes("memory/chains", chains, own._replace(games=allocate_games(number, steps)))
        within("memory/chains/turn", chains.turn, 0, number - 1)
        within("memory/chains/done", chains.done, 0, max(FIRST_GAMES, number, settings.period))
        within("memory/chains/rounds", chains.rounds, 0, settings.rotation or MOST_PLAYOUTS)
        require_finite("memory/chains/temperature", chains.temperature)
        has_temperatures = not chains.begun[0] or (chains.temperature > 0).all()
        require(has_temperatures, "memory/chains/temperature", "numbers above 0")
        require_finite("memory/chains/moments", chains.moments)
        require((chains.moments[[0, 2]] >= 0.0).all(), "memory/chains/moments", "a number and a sum of squares")
        within("memory/chains/worse", chains.worse, 0.0, np.inf)
        for field, values in chains.shares._asdict().items():
            within(f"memory/chains/shares/{field}", values, 0.0, np.inf)
        within("memory/chains/games/length", chains.games.length, 0, steps)
        require_numbers("memory/chains/games/score", chains.games.score)
        _require_named(chains.games, Game(self.problem.model), self._by_move)

    def _allocate(self, capacity: Capacity) -> Memory:
        fixed = self.problem.temperatures is not None
        return allocate_memory(len(self.memory.chains.temperature), capacity, fixed)

    def begin_with(self, warm: Memo) -> None:
        """Make a sequence the game of the coldest chain, and the best of all."""
        super().begin_with(warm)
        games, steps = self.memory.chains.games, len(warm.moves)
        games.move[0, :steps] = warm.moves
        games.length[0] = steps
        games.score[0] = warm.score
        games.name[0, :steps] = warm.moves if self._by_move else _names(self.problem.model, warm.moves)


def start(solver: Tempering, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None = None) -> TemperingSearch:
    """Return a search that has not begun, its machine code loaded or compiled (``Solver.start``)."""
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
    if warm_start is None:
        return memory
    search = TemperingSearch(problem, solver, memory)
    search.begin_with(memoized(problem.model, warm_start))
    return search.memory


def allocate_memory(number: int, capacity: Capacity, fixed: bool, seed: Seed = 0) -> Memory:
    """Return the memory of a search of so many chains; ``fixed`` says if kinds of change keep their shares."""
    chains = Chains(
        games=allocate_games(number, capacity.steps),
        temperature=np.zeros(number),
        turn=np.zeros(1, np.int64),
        done=np.zeros(1, np.int64),
        begun=np.zeros(1, np.bool_),
        rounds=np.zeros(1, np.int64),
        moments=np.zeros(3),
        worse=np.zeros(2),
        shares=allocate_shares(number, fixed),
    )
    return Memory(chains=chains, **common_parts(capacity, seed))


def _require_named(games: Games, game: Game, by_move: bool) -> None:
    """Raise UnsoundError unless games are of legal moves and their names, to the end.

    A move that has another number here than in its game gets that one there, as ``nrpa.engine.replay.retrace`` does.
    """
    for moves, names, length in zip(games.move, games.name, games.length.tolist(), strict=True):
        game.reset()
        for step in range(length):
            if game.find(int(moves[step]).__eq__) is None:
                require(not by_move, "memory/chains/games/move", "legal moves")
                game.legal_moves()
                known = game.names()
                require(names[step] in known, "memory/chains/games/move", "legal moves")
                moves[step] = game.listed[known.index(names[step])]
            place = game.listed.index(int(moves[step]))
            called = moves[step] if by_move else game.name_at(place)
            require(names[step] == called, "memory/chains/games/name", "the names of the moves")
            game.play(int(moves[step]))
        require(not length or not game.legal_moves(), "memory/chains/games/length", "games to their ends")


def _names(model: Model, moves: np.ndarray) -> list[int]:
    """Return the names of the moves of a game."""
    game = Game(model)
    game.reset()
    names = []
    for move in moves.tolist():
        game.find(move.__eq__)
        names.append(game.name_at(game.listed.index(move)))
        game.play(move)
    return names
