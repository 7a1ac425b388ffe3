"""A game of several players: what its class has beyond kernels and rules."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.objective import Objective
from nrpa.modelling.verdict import Verdict
from nrpa.problems.games.rules import Rules

CODES = ("exact", "abstract")
PLAYERS = "The number of players, 2 or 3."


class GameProblem(CompiledProblem):
    """A game. A solution is the list of its moves, by their names, from the first position.

    The author of a game writes kernels, ``rules`` and ``move_name``.
    """

    objective = Objective("reward", sign=1, digits=2)

    @abstractmethod
    def rules(self) -> Rules:
        """Return the first position, by rules in plain Python."""

    def require_two_or_three(self) -> None:
        """Raise InputError if there are more than three players."""
        if self.players > 3:
            raise InputError(f"players must be 2 or 3, not {self.players}")

    def solution(self, moves: np.ndarray) -> list[str]:
        """Return the names of moves (int64[steps]), from the first one of a game on."""
        return [self.move_name(int(move)) for move in moves]

    def position(self, solution: Any) -> Rules:
        """Return the position after some moves.

        Parameters
        ----------
        solution : iterable of str
            The names of the moves, from the first position on; the game need not have ended.

        Returns
        -------
        Rules
            The position.

        Raises
        ------
        InputError
            If a move is not legal; the message names the first such.
        """
        position = self.rules()
        for move in self._numbers(position, solution):
            position.play(move)
        return position

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves of a game, or of its beginning.

        Parameters
        ----------
        solution : iterable of str
            The names of the moves.

        Returns
        -------
        ndarray of int64, shape (steps,)
            The moves.

        Raises
        ------
        InputError
            If a move is not legal.
        """
        position, moves = self.rules(), []
        for move in self._numbers(position, solution):
            position.play(move)
            moves.append(move)
        return np.array(moves, np.int64)

    def _numbers(self, position: Rules, solution: Any) -> Iterable[int]:
        """Yield the moves of names, each to be played before the next is asked for."""
        if isinstance(solution, str) or not isinstance(solution, Iterable):
            raise InputError(f"{self.name}: a game is a list of moves by their names, not {type(solution).__name__}")
        for step, name in enumerate(solution, start=1):
            if not isinstance(name, str):
                raise InputError(f"{self.name}: move {step}: expected the name of a move, not {shortened(repr(name))}")
            try:
                move = self.move_named(name, position.legal())
            except InputError as error:
                raise InputError(f"{self.name}: move {step}: {error}") from None
            yield move

    def check(self, solution: Any) -> Verdict:
        """Check a game by rules in plain Python.

        Parameters
        ----------
        solution : object
            What may be a game: a list of moves by their names.

        Returns
        -------
        Verdict
            Its figures are ``moves`` (how many) and ``rewards``. Without rewards where a move is not legal or the game
            has not ended.
        """
        try:
            position = self.position(solution)
        except InputError as error:
            return Verdict({}, [str(error).removeprefix(f"{self.name}: ")])
        if position.legal():
            return Verdict({"moves": len(solution)}, [f"after {len(solution)} moves the game has not ended"])
        rewards = position.rewards()
        return Verdict({"moves": len(solution), "rewards": list(rewards)}, rewards=rewards)

    @classmethod
    def parse_solution(cls, text: str) -> list[str]:
        """Return the moves that a plain text file holds, by their names, between spaces or commas."""
        return text.replace(",", " ").split()

    def draw(self, solution: Any) -> str:
        """Return the position after the moves of a game, or of its beginning, as text."""
        return self.position(solution).text()
