"""A compiled problem as one in plain Python: its kernels are called one at a time, states are copied."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.base.one_at_a_time import PerThread
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.objective import Verdict
from nrpa.modelling.problem import Problem

game_module = lazy("nrpa.engine.game")

ATTRIBUTES = ("name", "objective", "goal", "origin", "max_steps", "players", "largest_reward")
METHODS = ("bound", "deal", "determinize", "draw")


class Played(Problem):
    """A compiled problem, played from Python; moves, scores, solutions and options mean the same."""

    def __init__(self, compiled: CompiledProblem) -> None:
        super().__init__()
        self.compiled, self._of_thread = compiled, PerThread()
        for name in (*ATTRIBUTES, *METHODS):
            setattr(self, name, getattr(compiled, name))

    def _at(self, state: Any) -> Any:
        if not hasattr(self._of_thread, "game"):
            self._of_thread.game = game_module.Game(self.compiled.model)
        self._of_thread.game.state = state
        return self._of_thread.game

    def initial_state(self) -> Any:
        state = self.compiled.model.new_state()
        self._at(state).reset()
        return state

    def legal_moves(self, state: Any) -> list[int]:
        moves: list[int] = self._at(state).legal_moves()
        return moves

    def play(self, state: Any, move: Any) -> Any:
        self._at(state).play(move)
        return state

    def copy(self, state: Any) -> Any:
        game = self._at(state)
        game.swap()
        return game.state

    def code(self, state: Any, move: Any) -> int:
        game = self._at(state)
        code: int = game.codes[game.legal_moves().index(move)]
        return code

    def score(self, state: Any) -> float:
        return float(self._at(state).score())

    def rewards(self, state: Any) -> list[float]:
        rewards: list[float] = self._at(state).rewards()
        return rewards

    def player(self, state: Any) -> int:
        return int(self._at(state).player())

    def key(self, state: Any) -> Hashable:
        """Return the hash that the problem's kernel gives, or else the bytes of all arrays."""
        if self.compiled.model.has_hash:
            return int(self._at(state).hash())
        return b"".join(np.asarray(part).tobytes() for part in state)

    @property
    def options(self) -> dict[str, Any]:
        return self.compiled.options

    def digest(self) -> str:
        return self.compiled.digest()

    def solution(self, moves: np.ndarray) -> Any:
        return self.compiled.solution(np.array(self.model.things_of(moves), np.int64))

    def moves_of(self, solution: Any) -> np.ndarray:
        return self.model.numbers_of(self.compiled.moves_of(solution).tolist())

    @property
    def hides(self) -> bool:
        return self.compiled.hides

    def move_name(self, move: int) -> str:
        thing: Any = self.model.moves.things[move]
        return self.compiled.move_name(thing)

    def check(self, solution: Any) -> Verdict:
        return self.compiled.check(solution)


class PlayedAndValued(Played):
    """One whose states have values."""

    def value(self, state: Any) -> list[float] | float:
        values: list[float] = self._at(state).values()
        return values if self.players > 1 else values[0]


def played(compiled: CompiledProblem) -> Played:
    """Return a compiled problem, played from Python."""
    return PlayedAndValued(compiled) if compiled.model.has_value else Played(compiled)
