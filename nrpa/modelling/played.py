"""A compiled problem as one in plain Python: its kernels are called one at a time, states are copied."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.problem import Problem
from nrpa.modelling.verdict import Verdict

game_module = lazy("nrpa.engine.game")


class Played(Problem):
    """A compiled problem, played from Python; moves, scores, solutions and options mean the same.

    - ``compiled``: The problem.
    """

    def __init__(self, compiled: CompiledProblem) -> None:
        super().__init__()
        self.compiled = compiled
        for name in ("name", "objective", "goal", "origin", "max_steps", "players", "largest_reward"):
            setattr(self, name, getattr(compiled, name))
        self._games = threading.local()

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled or copied: no machine code."""
        return {name: value for name, value in super().__getstate__().items() if name != "_games"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Begin without machine code."""
        vars(self).update(state)
        self._games = threading.local()

    def _at(self, state: Any) -> Any:
        """Return the game of this thread, standing at a state."""
        game = getattr(self._games, "game", None)
        if game is None:
            game = self._games.game = game_module.Game(self.compiled.model)
        game.state = state
        return game

    def initial_state(self) -> Any:
        """Return a new state."""
        state = self.compiled.model.new_state()
        self._at(state).reset()
        return state

    def legal_moves(self, state: Any) -> list[int]:
        """Return the legal moves."""
        moves: list[int] = self._at(state).legal_moves()
        return moves

    def play(self, state: Any, move: Any) -> Any:
        """Change the state by a move, and return it."""
        self._at(state).play(move)
        return state

    def copy(self, state: Any) -> Any:
        """Return a copy with arrays of its own."""
        game = self._at(state)
        game.swap()
        return game.state

    def code(self, state: Any, move: Any) -> int:
        """Return the code of a move."""
        game = self._at(state)
        code: int = game.codes[game.legal_moves().index(move)]
        return code

    def score(self, state: Any) -> float:
        """Return the score."""
        return float(self._at(state).score())

    def rewards(self, state: Any) -> list[float]:
        """Return what each player gets."""
        rewards: list[float] = self._at(state).rewards()
        return rewards

    def player(self, state: Any) -> int:
        """Return whose turn it is."""
        return int(self._at(state).player())

    def key(self, state: Any) -> Hashable:
        """Return the hash that the problem's kernel gives, or else the bytes of all arrays."""
        if self.compiled.model.has_hash:
            return int(self._at(state).hash())
        return b"".join(np.asarray(part).tobytes() for part in state)

    @property
    def options(self) -> dict[str, Any]:
        """The values of the problem's options."""
        return self.compiled.options

    def bound(self) -> float | None:
        """Return the problem's bound."""
        return self.compiled.bound()

    def digest(self) -> str:
        """Return the hash of the instance."""
        return self.compiled.digest()

    def solution(self, moves: np.ndarray) -> Any:
        """Return the solution that moves, given by their numbers, build."""
        return self.compiled.solution(np.array(self.model.things_of(moves), np.int64))

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the numbers of the moves that build a solution."""
        return self.model.numbers_of(self.compiled.moves_of(solution).tolist())

    def deal(self, random: np.random.Generator) -> Sequence[Any]:
        """Return the moves with which chance begins a game."""
        return self.compiled.deal(random)

    def determinize(self, moves: Sequence[Any], random: np.random.Generator) -> Sequence[Any]:
        """Return moves as they may have been."""
        return self.compiled.determinize(moves, random)

    @property
    def hides(self) -> bool:
        """Whether players do not know all."""
        return self.compiled.hides

    def move_name(self, move: int) -> str:
        """Return what people call a move."""
        thing: Any = self.model.moves.things[move]
        return self.compiled.move_name(thing)

    def check(self, solution: Any) -> Verdict:
        """Check a solution by the problem's own check."""
        return self.compiled.check(solution)

    def draw(self, solution: Any) -> str:
        """Return a drawing."""
        return self.compiled.draw(solution)


class PlayedAndValued(Played):
    """One whose states have values."""

    def value(self, state: Any) -> list[float] | float:
        """Return what each player can expect."""
        values: list[float] = self._at(state).values()
        return values if self.players > 1 else values[0]


def played(compiled: CompiledProblem) -> Played:
    """Return a compiled problem, played from Python."""
    return PlayedAndValued(compiled) if compiled.model.has_value else Played(compiled)
