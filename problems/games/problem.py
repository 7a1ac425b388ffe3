"""Games of several players, and those on a square board: what their classes have beyond kernels and rules."""

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from nrpa.base.errors import InputError, faults_of
from nrpa.base.options import Option
from nrpa.base.values import shortened
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import zeros
from nrpa.problems.games.cells import LARGEST, cell_name
from nrpa.problems.games.rules import Rules

CODES = ("exact", "abstract")
Shapes = dict[str, int | tuple[int, ...]]
PLAYERS = "The number of players, 2 or 3."


class GameProblem(CompiledProblem):
    """A game. A solution is the list of its moves, by their names, from the first position.

    The author of a game writes kernels, in a module with the class ``State``, ``shapes``, ``rules`` and ``move_name``.
    """

    objective = Objective("reward", sign=1, digits=2)
    kernel_module: ClassVar[Any]

    def new_state(self) -> Any:
        return zeros(self.kernel_module.State, **self.shapes())

    @abstractmethod
    def shapes(self) -> Shapes:
        """Return the shapes of the arrays of a state, by their names."""

    @abstractmethod
    def rules(self) -> Rules:
        """Return the first position, by rules in plain Python."""

    def solution(self, moves: np.ndarray) -> list[str]:
        """Return the names of moves (int64[steps]), from the first one of a game on."""
        return [self.move_name(int(move)) for move in moves]

    def position(self, solution: Any) -> Rules:
        """Return the position after some moves; InputError if one is not legal."""
        return self._played(solution)[0]

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves (int64[steps]) of a game, or of its beginning; InputError if one is not legal."""
        return np.array(self._played(solution)[1], np.int64)

    def _played(self, solution: Any) -> tuple[Rules, list[int]]:
        if isinstance(solution, str) or not isinstance(solution, Iterable):
            raise InputError(f"{self.name}: a game is a list of moves by their names, not {type(solution).__name__}")
        position, moves = self.rules(), []
        for step, name in enumerate(solution, start=1):
            with faults_of(f"{self.name}: move {step}"):
                if not isinstance(name, str):
                    raise InputError(f"expected the name of a move, not {shortened(repr(name))}")
                moves.append(self.move_named(name, position.legal()))
            position.play(moves[-1])
        return position, moves

    def check(self, solution: Any) -> Verdict:
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


class BoardProblem(GameProblem):
    """A game of two players on a square board. A move is a cell, counted row after row, unless the game says else."""

    players = 2
    picture = "games:draw_board"
    six_sided: ClassVar[bool] = False
    """Whether cells have six sides, and each row lies half a cell to the right of the one above it."""
    size = Option(7, "The cells of a row.", least=2, most=LARGEST)
    coding = Option("exact", "How moves are told apart in statistics.", CODES, name="codes")

    @property
    def label(self) -> str:
        return self.origin.label or f"{self.size}x{self.size}"

    def move_name(self, move: int) -> str:
        """Return the name of the cell, such as ``c3``."""
        return cell_name(move, self.size)


class StoneProblem(BoardProblem):
    """A game in which each move places a stone on an empty cell."""

    coding = Option("exact", "The same here: the code of a move is its player and cell.", CODES, name="codes")

    def __init__(self, instance: Any) -> None:
        cells = self.size**2
        codes = self.players * cells
        super().__init__(instance, max_steps=cells, max_moves=cells, max_total=cells * (cells + 1) // 2, codes=codes)
