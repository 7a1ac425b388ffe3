"""A game of several players: what its class has beyond kernels and rules."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import shortened
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.objective import Objective
from nrpa.modelling.verdict import Verdict

engine = lazy("nrpa.engine.game")

CODES = ("exact", "abstract")
PLAYERS = "The number of players, 2 or 3."


class GameProblem(CompiledProblem):
    """A game. A solution is the list of its moves, by their names, from the first position.

    What is no search is played by the kernels as plain Python.
    """

    objective = Objective("reward", sign=1, digits=2)

    def solution(self, moves: np.ndarray) -> list[str]:
        """Return the names of moves (int64[steps]), from the first one of a game on."""
        return [self.move_name(int(move)) for move in moves]

    def position(self, solution: Any) -> Any:
        """Return the state after some moves; InputError if one is not legal."""
        return self._played(solution)[0].state

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves (int64[steps]) of a game, or of its beginning; InputError if one is not legal."""
        return np.array(self._played(solution)[1], np.int64)

    def _played(self, solution: Any) -> tuple[Any, list[int]]:
        if isinstance(solution, str) or not isinstance(solution, Iterable):
            raise InputError(f"{self.name}: a game is a list of moves by their names, not {type(solution).__name__}")
        game, moves = engine.Game(self.model, interpreted=True), []
        game.reset()
        for step, name in enumerate(solution, start=1):
            if not isinstance(name, str):
                raise InputError(f"{self.name}: move {step}: expected the name of a move, not {shortened(repr(name))}")
            try:
                moves.append(self.move_named(name, game.legal_moves()))
            except InputError as error:
                raise InputError(f"{self.name}: move {step}: {error}") from None
            game.play(moves[-1])
        return game, moves

    def check(self, solution: Any) -> Verdict:
        try:
            game, moves = self._played(solution)
        except InputError as error:
            return Verdict({}, [str(error).removeprefix(f"{self.name}: ")])
        if game.legal_moves():
            return Verdict({"moves": len(moves)}, [f"after {len(moves)} moves the game has not ended"])
        rewards = game.rewards()
        return Verdict({"moves": len(moves), "rewards": rewards}, rewards=tuple(rewards))

    @classmethod
    def parse_solution(cls, text: str) -> list[str]:
        """Return the moves that a plain text file holds, by their names, between spaces or commas."""
        return text.replace(",", " ").split()
