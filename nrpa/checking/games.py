"""Games as the checks play them, the same for both kinds of problems: each fault is a ProblemError in words."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable
from typing import Any

from nrpa.base.errors import ProblemError
from nrpa.base.values import agree, shortened
from nrpa.checking.validate import incomplete_copy
from nrpa.engine.game import Game, rounded
from nrpa.engine.guarded_game import GuardedGame
from nrpa.engine.kernels import NEVER, NOT_NOW, has_kernel
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.problem import Problem
from nrpa.python.checks import evaluated, hash_of, improved_game, score_of
from nrpa.python.kernels import MOVE, NOTHING

LONGEST_LIST = 200
STATE = "the state"
# How many moves are made beside a state, which must stay as it is.
BESIDE = 3


class PlainGame(Game):
    """A game of a problem in plain Python, whose moves are their own names."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.model, interpreted=True)
        self.problem = problem

    @property
    def own(self) -> Any:
        """The author's own state."""
        if self.state.cell[MOVE] != NOTHING:
            self.legal_moves()
        return self.problem.model.state_of(self.state)

    def value(self, kernel: str) -> float:
        """Return what a kernel says, or the methods ``rest`` and ``score``, which may be asked of any state."""
        if kernel == "rest":
            return hash_of(self.problem, self.problem.rest(self.own), "rest")
        if kernel == "score" and self.listed:
            return score_of(self.problem, self.own)
        return super().value(kernel)

    def view(self) -> dict[str, Any]:
        said: dict[str, Any] = {"legal_moves": own_moves(self.problem, self.legal_moves())}
        about = self.codes, rounded(self.exp_biases), self.player()
        said["code, bias or value"] = *about, self.values() if self.listed and self.model.has_value else []
        said["key"] = self.hash()
        if not self.listed:
            said["score" if self.model.players == 1 else "rewards"] = self.result()
        text = repr(self.own)
        said[STATE] = "" if text.startswith("<") else text
        return said

    def names(self) -> list[int]:
        return self.listed

    def move_of(self, name: int) -> int:
        state = self.own
        if not defines(self.problem, "is_legal", "find"):
            return name if name in self.listed else NOT_NOW
        answer = self.problem.is_legal(state, self.problem.own_move(name))
        return NEVER if answer == NEVER else name if answer else NOT_NOW

    def check_names(self) -> None:
        """Check what ``is_legal`` says of all moves of the game so far, and of those that are legal now."""
        if wrong := self.misnamed():
            move, given = self.problem.own_move(wrong[0]), {NOT_NOW: False, NEVER: "NEVER"}.get(wrong[1], True)
            if self._given_up[wrong[0]] and wrong[2]:
                said = f"is_legal said NEVER for the move {move!r:.60}, and says {given} later in the game"
            else:
                legal = own_moves(self.problem, self.legal_moves())
                said = f"is_legal says {given} for the move {move!r:.60}; legal_moves gives {legal!r:.60}"
            raise ProblemError(said)

    def improve(self, moves: list[int], seconds: float) -> list[int] | None:
        """Let the problem change a whole game; None where it does not."""
        own, most = own_moves(self.problem, moves), self.model.limits.steps
        given = improved_game(self.problem, [*own], [])
        if len(given) > most:
            what = f"improve returned a game of {len(given)} moves, more than max_steps = {most}"
            raise ProblemError(f"{what}; if it is one, set max_steps higher")
        return None if given == own else self.problem.model.numbers_of(given).tolist()

    def check_evaluated(self, moves: list[int]) -> None:
        """Check that ``evaluate`` gives the score of the game that has ended, whose moves are given."""
        evaluated(self.problem, own_moves(self.problem, moves), self.own)


Watched = PlainGame | GuardedGame


def playing(problem: BaseProblem) -> Game:
    """Return a game to be played fast: compiled, where the problem is."""
    return PlainGame(problem) if isinstance(problem, Problem) else Game(problem.model)


def watched(problem: BaseProblem) -> Watched:
    """Return a game that looks at all that is done: of a compiled problem, in plain Python, bounds checked."""
    return PlainGame(problem) if isinstance(problem, Problem) else GuardedGame(problem.model)


def defines(problem: BaseProblem, method: str, kernel: str) -> bool:
    """Return whether a problem has an optional method or, compiled, a kernel."""
    if isinstance(problem, Problem):
        return getattr(type(problem), method) is not getattr(Problem, method)
    return has_kernel(type(problem.model.new_state()), kernel)


def label(problem: BaseProblem, name: str) -> str:
    """Return what a method or a kernel is called in a sentence."""
    return name if isinstance(problem, Problem) else f"the kernel {name}"


def own_moves(problem: BaseProblem, moves: Iterable[int]) -> list[Any]:
    """Return moves as the author writes them."""
    return [problem.own_move(move) for move in moves]


def listing(moves: Iterable[Any]) -> str:
    """Return moves, or numbers, as text that is not long."""
    return shortened(repr([*moves]), LONGEST_LIST)


def same_results(one: list[float], another: list[float]) -> bool:
    """Return whether two results agree, but for rounding."""
    return len(one) == len(another) and all(map(agree, one, another))


def follow(game: Game, path: list[int]) -> None:
    """Play a path from the beginning; a state is asked for all its moves before one of them is played."""
    game.reset()
    for move in path:
        game.all_moves()
        game.play(move)


def play_beside(game: Game, chance: random.Random) -> None:
    """Copy the state, and play on in one of both: in a copy of an author's own, in the original of arrays."""
    game.swap()
    other = copy.copy(game)
    if isinstance(game, PlainGame):
        game.state = game.original
    else:
        other.state = game.original
    for _ in range(BESIDE):
        if not (moves := other.legal_moves()):
            break
        other.play(chance.choice(moves))


def copy_fault(problem: BaseProblem, says: str) -> str:
    """Return what to say of a problem of whose state something says something else after a copy was made."""
    if isinstance(problem, Problem):
        return incomplete_copy(problem)
    has_kernel_copy = has_kernel(type(problem.model.new_state()), "copy")
    how = "the kernel copy" if has_kernel_copy else "copying the arrays of the state"
    return f"{how} is not complete: {says} says something else of a copy, after its original was played on"
