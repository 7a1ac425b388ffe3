"""Games as the checks play them, the same for both kinds of problems: each fault is a ProblemError in words."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable
from typing import Any

import numpy as np

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
        self._problem = problem
        self._given_up: dict[Any, bool] = {}

    def reset(self) -> None:
        self._given_up = {}
        super().reset()

    @property
    def own(self) -> Any:
        """The author's own state."""
        if self.state.cell[MOVE] != NOTHING:
            self.legal_moves()
        return self._problem.model.state_of(self.state)

    def value(self, kernel: str) -> float:
        """Return what a kernel says, or the methods ``rest`` and ``score``, which may be asked of any state."""
        if kernel == "rest":
            return hash_of(self._problem, self._problem.rest(self.own), "rest")
        if kernel == "score" and self.listed:
            return score_of(self._problem, self.own)
        return super().value(kernel)

    def view(self) -> dict[str, Any]:
        said: dict[str, Any] = {"legal_moves": things(self, self.legal_moves())}
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
        answer = self._problem.is_legal(self.own, self._problem.own_move(name))
        return NEVER if answer == NEVER else name if answer else NOT_NOW

    def check_names(self) -> None:
        """Check what ``is_legal`` says of all moves of the game so far, and of those that are legal now."""
        problem, state = self._problem, self.own
        legal, listed = (things(self, moves()) for moves in (self.legal_moves, self.all_moves))
        self._given_up = {**dict.fromkeys(legal, False), **self._given_up}
        for move, was_never in self._given_up.items():
            answer = problem.is_legal(state, move)
            is_never = answer == NEVER
            if (bool(answer) and not is_never) != (move in legal) and (move in legal or move not in listed):
                what = f"is_legal says {answer!r:.60} for the move {move!r:.60}"
                raise ProblemError(f"{what}; legal_moves gives {legal!r:.60}")
            if was_never and not is_never:
                what = f"is_legal said NEVER for the move {move!r:.60}, and says {answer!r:.60}"
                raise ProblemError(f"{what} later in the game")
            self._given_up[move] = is_never

    def improve(self, moves: list[int], seconds: float) -> list[int] | None:
        """Let the problem change a whole game; None where it does not."""
        own, most = things(self, moves), self.model.limits.steps
        given = improved_game(self._problem, [*own], [])
        if len(given) > most:
            what = f"improve returned a game of {len(given)} moves, more than max_steps = {most}"
            raise ProblemError(f"{what}; if it is one, set max_steps higher")
        return None if given == own else self._problem.model.numbers_of(given).tolist()

    def check_evaluated(self, moves: list[int]) -> None:
        """Check that ``evaluate`` gives the score of the game that has ended, whose moves are given."""
        evaluated(self._problem, things(self, moves), self.own)


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


def things(game: Game, moves: list[int]) -> list[Any]:
    """Return moves as the author writes them."""
    return [*game.model.things_of(np.array(moves, np.int64))]


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
