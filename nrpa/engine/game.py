"""The compiled kernels of a problem one at a time, for Python code that plays a game step by step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.engine import kernels as kernels_module
from nrpa.engine.interpreted import Interpreted
from nrpa.engine.jit import load
from nrpa.engine.kernels import Moves, all_moves, copy, kernels_of, legal_moves, play, reset, score
from nrpa.engine.status import TOO_MANY_MOVES_AT_ONCE, failure

if TYPE_CHECKING:
    from nrpa.modelling.problem import Problem

RESET, LEGAL_MOVES, ALL_MOVES, PLAY, SCORE, COPY = range(6)


def drive(instance, state, target, moves, action, move):
    """Call one kernel; return what it returns as float64."""
    if action == RESET:
        reset(instance, state)
    elif action == LEGAL_MOVES:
        return float(legal_moves(instance, state, moves))
    elif action == ALL_MOVES:
        return float(all_moves(instance, state, moves))
    elif action == PLAY:
        play(instance, state, move)
    elif action == SCORE:
        return float(score(instance, state))
    else:
        copy(instance, state, target)
    return 0.0


class Game:
    """A game of ``problem``, played by compiled kernels.

    interpreted: whether the kernels run as plain Python instead.
    """

    def __init__(self, problem: Problem, interpreted: bool = False) -> None:
        self.problem = problem
        self.state = problem.new_state()
        self.moves = allocate_moves(problem.max_moves)
        self.listed: list[int] = []
        self.codes: list[int] = []
        self.priors: list[float] = []
        state_class = type(self.state)
        self._drive: Any = Interpreted(drive)
        if not interpreted:
            sources = [Path(str(kernels_module.__file__)), Path(__file__)]
            arguments = (problem.instance, self.state, self.state, self.moves, 0, 0)
            self._drive = load(drive, state_class, kernels_of(state_class).values(), sources, arguments)

    def _call(self, action: int, move: int = 0, state: NamedTuple | None = None, target: Any = None) -> float:
        state = self.state if state is None else state
        target = state if target is None else target
        result = float(self._drive(self.problem.instance, state, target, self.moves, action, move))
        self.problem.raise_kept_error()
        return result

    def reset(self) -> None:
        """Begin the game."""
        self._call(RESET)

    def legal_moves(self) -> list[int]:
        """Return the legal moves; they, their codes and e^β are then in ``listed``, ``codes`` and ``priors``."""
        return self._list(LEGAL_MOVES)

    def all_moves(self) -> list[int]:
        """Return the moves that a level of NMCS tries, as ``legal_moves`` does."""
        return self._list(ALL_MOVES)

    def find(self, wanted: Callable[[int], bool]) -> int | None:
        """Return the first move that is ``wanted``, of the legal ones, else of all; None if there is none.

        The list it comes from is then in ``listed``, ``codes`` and ``priors``.
        """
        for listed in (self.legal_moves, self.all_moves):
            found = next((move for move in listed() if wanted(move)), None)
            if found is not None:
                return found
        return None

    def _list(self, action: int) -> list[int]:
        count = int(self._call(action))
        while count == TOO_MANY_MOVES_AT_ONCE and self.problem.in_python:
            self.moves = allocate_moves(2 * len(self.moves.move))
            count = int(self._call(action))
        if count > len(self.moves.move):
            count = TOO_MANY_MOVES_AT_ONCE
        if count < 0:
            raise failure(count, self.problem)
        self.listed = self.moves.move[:count].tolist()
        self.codes = self.moves.code[:count].tolist()
        self.priors = self.moves.prior[:count].tolist()
        return self.listed

    def play(self, move: int) -> None:
        """Make a legal move."""
        self._call(PLAY, move)

    def score(self) -> float:
        """Return the score of the final state."""
        return self._call(SCORE)

    def swap(self) -> None:
        """Go on with a copy of the state, in arrays of its own; the state before stays in ``original``."""
        self.original = self.state
        copied = self.problem.new_state()
        self._call(COPY, target=copied)
        self.state = copied


def allocate_moves(size: int) -> Moves:
    """Return room for ``size`` legal moves."""
    return Moves(np.zeros(size, np.int64), np.zeros(size, np.int64), np.ones(size))


class Memo(NamedTuple):
    """A sequence as a playout memoizes it (see ``nrpa.engine.sequence``), in arrays of its own length."""

    moves: np.ndarray
    chosen: np.ndarray
    offset: np.ndarray
    code: np.ndarray
    prior: np.ndarray
    score: float


def memoized(problem: Problem, moves: np.ndarray) -> Memo:
    """Play ``moves`` (int64[steps]) and return what a playout would have memoized. Raises InputError."""
    stepper = Game(problem)
    chosen, offset, code, prior = [], [0], [], []
    stepper.reset()
    for step, move in enumerate(moves.tolist(), start=1):
        if stepper.find(move.__eq__) is None:
            raise InputError(f"{problem.name}: step {step} of the sequence to start from is not a legal move")
        chosen.append(stepper.listed.index(move))
        code += stepper.codes
        prior += stepper.priors
        offset.append(len(code))
        stepper.play(move)
    if stepper.legal_moves():
        raise InputError(f"{problem.name}: the sequence to start from ends before the end")
    chosen_array, offset_array, code_array = (np.array(values, np.int64) for values in (chosen, offset, code))
    return Memo(moves, chosen_array, offset_array, code_array, np.array(prior), stepper.score())
