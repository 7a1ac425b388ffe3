"""The compiled kernels of a problem one at a time, for Python code that plays a game step by step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.engine import kernels as kernels_module
from nrpa.engine.interpreted import Interpreted
from nrpa.engine.jit import load
from nrpa.engine.kernels import Moves, all_moves, copy, kernels_of, legal_moves, play, reset, score
from nrpa.engine.model import Model
from nrpa.engine.status import TOO_MANY_MOVES_AT_ONCE, failure

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
    """A game of ``model``, played step by step by its kernels.

    interpreted: whether the kernels run as plain Python instead.
    """

    def __init__(self, model: Model, interpreted: bool = False) -> None:
        self.model = model
        self.state = model.new_state()
        self.moves = allocate_moves(model.limits.moves)
        self.listed: list[int] = []
        self.codes: list[int] = []
        self.exp_biases: list[float] = []
        state_class = type(self.state)
        self._drive: Any = Interpreted(drive)
        if not interpreted:
            sources = [Path(str(kernels_module.__file__)), Path(__file__)]
            arguments = (model.instance, self.state, self.state, self.moves, 0, 0)
            self._drive = load(drive, state_class, kernels_of(state_class).values(), sources, arguments, model)

    def _call(self, action: int, move: int = 0, state: NamedTuple | None = None, target: Any = None) -> float:
        state = self.state if state is None else state
        target = state if target is None else target
        result = float(self._drive(self.model.instance, state, target, self.moves, action, move))
        self.model.raise_kept_error()
        return result

    def reset(self) -> None:
        """Begin the game."""
        self._call(RESET)

    def legal_moves(self) -> list[int]:
        """Return the legal moves; they, their codes and e^β are then in ``listed``, ``codes`` and ``exp_biases``."""
        return self._list(LEGAL_MOVES)

    def all_moves(self) -> list[int]:
        """Return the moves that a level of NMCS tries, as ``legal_moves`` does."""
        return self._list(ALL_MOVES)

    def find(self, wanted: Callable[[int], bool]) -> int | None:
        """Return the first move that is ``wanted``, of the legal ones, else of all; None if there is none.

        The list it comes from is then in ``listed``, ``codes`` and ``exp_biases``.
        """
        for listed in (self.legal_moves, self.all_moves):
            found = next((move for move in listed() if wanted(move)), None)
            if found is not None:
                return found
        return None

    def _list(self, action: int) -> list[int]:
        count = int(self._call(action))
        while count == TOO_MANY_MOVES_AT_ONCE and self.model.limits.grow:
            self.moves = allocate_moves(2 * len(self.moves.move))
            count = int(self._call(action))
        if count > len(self.moves.move):
            count = TOO_MANY_MOVES_AT_ONCE
        if count < 0:
            raise failure(count, self.model)
        self.listed = self.moves.move[:count].tolist()
        self.codes = self.moves.code[:count].tolist()
        self.exp_biases = self.moves.exp_bias[:count].tolist()
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
        copied = self.model.new_state()
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
    exp_bias: np.ndarray
    score: float


def memoized(model: Model, moves: np.ndarray) -> Memo:
    """Play ``moves`` (int64[steps]) and return what a playout would have memoized. Raises InputError."""
    game = Game(model)
    chosen, offset, code, exp_bias = [], [0], [], []
    game.reset()
    for step, move in enumerate(moves.tolist(), start=1):
        if game.find(move.__eq__) is None:
            raise InputError(f"{model.name}: step {step} of the sequence to start from is not a legal move")
        chosen.append(game.listed.index(move))
        code += game.codes
        exp_bias += game.exp_biases
        offset.append(len(code))
        game.play(move)
    if game.legal_moves():
        raise InputError(f"{model.name}: the sequence to start from ends before the end")
    chosen_array, offset_array, code_array = (np.array(values, np.int64) for values in (chosen, offset, code))
    return Memo(moves, chosen_array, offset_array, code_array, np.array(exp_bias), game.score())
