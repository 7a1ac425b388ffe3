"""Games of several players, on boards and of teams: what their classes have beyond kernels."""

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import shortened
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.objective import Objective
from nrpa.modelling.option import Option
from nrpa.modelling.verdict import Verdict
from nrpa.problems.games.cells import LARGEST, MARKS, board_text, cell_name

engine = lazy("nrpa.engine.game")

MOST_MEMBERS = 100
CODES = ("exact", "abstract")
PLAYERS = "The number of players, 2 or 3."


class GameProblem(CompiledProblem):
    """A game. A solution is the list of its moves, by their names, from the first position.

    Checks and drawings play it by the kernels, which run as plain Python there.
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


class BoardProblem(GameProblem):
    """A game of two players on a square board. A move is a cell, counted row after row."""

    players = 2
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

    def cells(self, solution: Any) -> list[int]:
        """Return the owner of each cell after the moves of a game, or of its beginning; EMPTY for none."""
        owners: list[int] = self.position(solution).owner.tolist()
        return owners

    def draw(self, solution: Any) -> str:
        """Return the position after the moves of a game, or of its beginning, as text."""
        return board_text(self.cells(solution), self.size, slant=int(self.six_sided))


class StoneProblem(BoardProblem):
    """A game in which each move places a stone on an empty cell."""

    def __init__(self, instance: Any) -> None:
        cells = self.size**2
        codes = self.players * cells
        super().__init__(instance, max_steps=cells, max_moves=cells, max_total=cells * (cells + 1) // 2, codes=codes)


class TeamProblem(GameProblem):
    """A game in which the first member of each team takes a turn, then the second of each, and so on, round by round.

    Members are counted team after team from 0. ``points`` is the name of what they have, in states, too.
    """

    members: int
    points: ClassVar[str]

    @property
    def label(self) -> str:
        return self.origin.label or "x".join([str(self.members)] * self.players)

    def move_name(self, move: int) -> str:
        """Return the name of the member that a move is about, such as ``O7``."""
        return member_name(move, self.members)

    def standing(self, solution: Any) -> tuple[list[int], int]:
        """Return what each member has after the moves of a game, or of its beginning, and who is next to move."""
        state = self.position(solution)
        return getattr(state, self.points).tolist(), int(self.instance.order[state.turn[0]])

    def draw(self, solution: Any) -> str:
        """Return a number for each member as text; that of the next one to move is in brackets."""
        points, mover = self.standing(solution)
        shown = [f"[{value or '.'}]" if k == mover else f" {value or '.'} " for k, value in enumerate(points)]
        starts = range(0, len(points), self.members)
        return "\n".join(f"{MARKS[k]}  {''.join(shown[i : i + self.members])}".rstrip() for k, i in enumerate(starts))


def member_name(member: int, members: int) -> str:
    """Return the name of a member: the mark of the team and a number from 1."""
    team, number = divmod(member, members)
    return f"{MARKS[team]}{number + 1}"


def turns(players: int, members: int) -> list[int]:
    """Return the members in the order in which they take turns.

    >>> turns(2, 3)
    [0, 3, 1, 4, 2, 5]
    """
    return [team * members + number for number in range(members) for team in range(players)]
