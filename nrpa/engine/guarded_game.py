"""A game in plain Python in which every fault of a kernel is reported in one sentence, and the smoke test made of it.

In machine code an index out of bounds writes to memory that belongs to something else. Then the score is wrong, or the
process ends later, elsewhere, without a message. So the first games are played here before machine code runs.
"""

from __future__ import annotations

import copy
import logging
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.engine.game import Game, drive, is_sequence
from nrpa.engine.kernels import NEVER, kernels_of
from nrpa.engine.machine_code import interpreted, without_warnings
from nrpa.engine.model import Model, mapped
from nrpa.engine.playout import Position
from nrpa.engine.status import (
    TOO_MANY_MOVES,
    TOO_MANY_MOVES_AT_ONCE,
    TOO_MANY_STEPS,
    UNFINISHED,
    failure,
    require_codes,
)

logger = logging.getLogger("nrpa")

# Moves and codes have this number before a kernel writes them.
UNWRITTEN = -6640827866535438581
# Of the smoke test.
GAMES = 5
SECONDS = 0.4
FIRST_SECONDS = 2.0
QUICK_SECONDS = 0.2
IMPROVE_SECONDS = 0.05
LEAST_STEPS = 10
# numba computes with these as with int64; NumPy would let them overflow.
_NARROW = (np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32)

# By state class: what was played, and whether thoroughly.
_played: WeakKeyDictionary[type, dict[Any, bool]] = WeakKeyDictionary()


class OutOfBounds(IndexError):  # noqa: N818
    """An index that an array does not have."""

    def __init__(self, array: Guarded, index: Any) -> None:
        size = f"size {array.size}" if array.ndim == 1 else f"shape {array.shape}"
        shown = tuple(map(_plain_index, index)) if isinstance(index, tuple) else _plain_index(index)
        super().__init__(f"{array.name} (index {shown}, {size})")


class ReadOnly(ValueError):  # noqa: N818
    """A kernel writes to an array that no kernel may write."""


class OutOfTime(Exception):  # noqa: N818
    """A kernel has used the time that it was given."""


class Guarded(np.ndarray):
    """An array that names itself in the error for an index out of bounds; its views have the same name.

    Elements of fewer than 64 bits are read as int64, because numba computes with them so.
    """

    name = ""

    def __array_finalize__(self, source: Any) -> None:
        """Take over the name of the array that this is a view of."""
        self.name = getattr(source, "name", "")

    def __getitem__(self, index: Any) -> Any:
        try:
            value = super().__getitem__(index)
        except IndexError:
            raise OutOfBounds(self, index) from None
        return np.int64(value) if type(value) in _NARROW else value

    def __setitem__(self, index: Any, value: Any) -> None:
        try:
            super().__setitem__(index, value)
        except IndexError:
            raise OutOfBounds(self, index) from None
        except ValueError:
            if self.flags.writeable:
                raise
            raise ReadOnly(self.name) from None


class GuardedList(Guarded):
    """A list of moves that a kernel writes, from 0 on: a negative index is out of bounds."""

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, (int, np.integer)) and index < 0:
            raise OutOfBounds(self, index)
        super().__setitem__(index, value)


def timed(seconds: float) -> type[Guarded]:
    """Return a class of guarded arrays that raise OutOfTime when they are read after some seconds."""
    end = time.perf_counter() + seconds

    class Timed(Guarded):
        """Guarded arrays, for some time."""

        def __getitem__(self, index: Any) -> Any:
            if time.perf_counter() >= end:
                raise OutOfTime
            return super().__getitem__(index)

    return Timed


def guarded(value: Any, name: str, kind: type[Guarded] = Guarded) -> Any:
    """Return a value, all its arrays as guarded views: those in a record are called ``name.field``.

    >>> guarded(np.zeros(3), "weights")[3]
    Traceback (most recent call last):
    nrpa.engine.guarded_game.OutOfBounds: weights (index 3, size 3)
    """

    def view(path: str, part: Any) -> Any:
        if not isinstance(part, np.ndarray):
            return part
        guard = part.view(kind)
        guard.name = path
        return guard

    return mapped(view, value, name, ".")


def _plain_index(index: Any) -> Any:
    return index.item() if isinstance(index, np.generic) else index


class GuardedGame(Game):
    """A game whose kernels run as plain Python, and in which every fault is a ProblemError in words.

    Faults are:

    - an index out of bounds (with the kernel, the array, the file and the line), and a write to the instance;
    - moves, codes or rewards that are counted but not written;
    - codes and players out of range, rewards that are not finite;
    - e^β that is not above 0 and finite, or that no search would read;
    - more steps or moves than the limits say.

    Other exceptions of the kernels are raised as they are.

    - ``steps``: The moves made.
    - ``total``: The legal moves met until the last move was made.
    """

    def __init__(self, model: Model) -> None:
        watched = copy.copy(model)
        watched.instance = guarded(model.instance, "instance")
        watched.new_state = lambda needs=None: guarded(model.new_state(needs), "state")  # type: ignore[method-assign]
        super().__init__(watched, interpreted=True)
        self._drive = interpreted(drive)
        self.position = self.position._replace(moves=guarded(self.position.moves, "moves", GuardedList))
        self._gained = guarded(self._gained, "rewards", GuardedList)
        self.steps = self.total = self._offered = 0
        self._bias_is_read = model.bias_by_move or model.bias_replaced

    def reset(self) -> None:
        """Begin the game."""
        self.steps = self.total = self._offered = 0
        super().reset()

    def _run(self, kernel: str, move: int, target: Any) -> None:
        with self._naming(kernel), without_warnings():
            super()._run(kernel, move, target)

    def _list(self, kernel: str) -> list[int]:
        self.position.moves.move.fill(UNWRITTEN)
        self.position.moves.code.fill(UNWRITTEN)
        listed = super()._list(kernel)
        self._check(kernel)
        if kernel == "legal_moves":
            self._offered = len(listed)
        return listed

    def move_of(self, name: int) -> int:
        """Return what the kernel ``find`` gives for a name, if it is a move, NOT_NOW or NEVER."""
        move = super().move_of(name)
        if move < NEVER:
            raise self._fault(f"the kernel find gave {move}; expected a move, -1 for none now, or -2 for none any more")
        return move

    def check_names(self) -> None:
        """Check what the kernel ``find`` says of the names of moves, the legal ones of which were listed last."""
        if wrong := self.misnamed():
            name, found, moves = wrong
            what = f"the kernel find gave {'no move' if found < 0 else f'the move {found}'} for the name {name}"
            if moves and found not in moves:
                raise self._fault(f"{what} of the legal move {moves[0]}")
            if found not in {*moves, *self.listed}:
                raise self._fault(f"{what}, which is not legal")
            raise self._fault(f"the kernel find gave up the name {name} (-2), which a legal move has later")

    def play(self, move: int) -> None:
        """Make a move. A game that gets longer than the limits say is a fault."""
        if self.steps == self.model.limits.steps:
            raise failure(TOO_MANY_STEPS, self.model)
        self.total += self._offered
        if self.total > self.model.limits.total:
            raise failure(TOO_MANY_MOVES, self.model)
        self.steps += 1
        super().play(np.int64(move))  # type: ignore[arg-type]

    def improve(self, moves: list[int], seconds: float) -> list[int] | None:
        """Let the kernel ``improve`` change a whole game, and stop it after some seconds; any state may be left.

        Returns the changed game and what stands after it; None where nothing has changed by then.
        """
        sequence = np.full(self.model.limits.steps, -1, np.int64)
        sequence[: len(moves)] = moves
        position, kind = self.position, timed(seconds)
        self.position = Position(
            guarded(position.instance, "instance", kind),
            guarded(position.state, "state", kind),
            position.moves._replace(move=guarded(sequence, "sequence", kind)),
            position.stop,
        )
        try:
            with suppress(OutOfTime):
                self._whole[0] = UNFINISHED
                while self._whole[0] == UNFINISHED:
                    self._call("improve", np.int64(len(moves)))  # type: ignore[arg-type]
                return sequence.tolist() if self._whole[0] else None
        finally:
            self.position = position
        return None

    def check_evaluated(self, moves: list[int]) -> None:
        """Check that the kernel ``evaluate`` gives the score of the game that has ended, whose moves are given."""
        score, sequence = self.score(), guarded(np.array(moves, np.int64), "sequence")
        given = self.evaluated(sequence)
        if not np.isclose(given, score, rtol=1e-9, atol=1e-9):
            raise self._fault(f"the kernel evaluate gave {given} for a game of the score {score}")
        if sequence.tolist() != moves:
            raise self._fault("the kernel evaluate changed the sequence that it was given")
        if not is_sequence(moves, counts := self.choices()):
            what = f"the kernel choices gave {counts}, but a game has the moves {moves}"
            raise self._fault(f"{what}; expected max_steps moves, an order or one of so many at each step")

    def value(self, kernel: str) -> float:
        """Return what a kernel of instance and state returns; a player must be in range."""
        value = super().value(kernel)
        players = self.model.players
        if kernel == "player" and not 0 <= value < players:
            raise self._fault(f"the kernel player gave {value:.0f}; expected 0 to {players - 1}")
        return value

    def rewards(self) -> list[float]:
        """Return what each player gets in the final state; the kernel must write all of it, finite numbers."""
        self._gained.fill(np.nan)
        return self._finite("rewards", super().rewards())

    def values(self) -> list[float]:
        """Return what each player can expect; the kernel must write all of it, finite numbers."""
        self._gained.fill(np.nan)
        return self._finite("value", super().values())

    def _finite(self, kernel: str, rewards: list[float]) -> list[float]:
        for player, reward in enumerate(rewards):
            if not np.isfinite(reward):
                what = "NaN, or did not write it" if np.isnan(reward) else f"{reward}"
                raise self._fault(f"the kernel {kernel} gave player {player} {what}; expected a finite number")
        return rewards

    @contextmanager
    def _naming(self, kernel: str) -> Iterator[None]:
        """Turn an index out of bounds into a sentence that names the kernel."""
        try:
            yield
        except ValueError as error:
            if not isinstance(error, ReadOnly) and "read-only" not in str(error):
                raise
            array = str(error) if isinstance(error, ReadOnly) else "an array of the instance"
            raise self._fault(f"the kernel {kernel} writes to {array}, {_place_of(error)}; no kernel may") from None
        except IndexError as error:
            array = str(error) if isinstance(error, OutOfBounds) else f"an array ({error})"
            said = f"the kernel {kernel} goes out of bounds of {array}, {_place_of(error)}"
            if array.startswith("moves.") and "index -" not in array:
                said = f"{failure(TOO_MANY_MOVES_AT_ONCE, self.model)}: {said}"
            else:
                said = f"{self.model.name}: {said}"
            raise ProblemError(said) from None

    def _check(self, kernel: str) -> None:
        for field, values in (("move", self.listed), ("code", self.codes)):
            if UNWRITTEN in values:
                found = f"returned {len(values)} moves, but did not write moves.{field}[{values.index(UNWRITTEN)}]"
                raise self._fault(f"the kernel {kernel} {found}")
        require_codes(self.model, self.codes, kernel)
        if self.model.bias_by_move and not all(0.0 < exp_bias < np.inf for exp_bias in self.exp_biases):
            raise self._fault(f"the kernel {kernel} gave an exp_bias that is not e to a finite β")
        if not self._bias_is_read and any(exp_bias != 1.0 for exp_bias in self.exp_biases):
            what = f"the kernel {kernel} writes moves.exp_bias, but bias_by_move is off, and its β would be ignored"
            raise self._fault(f"{what}; set bias_by_move = True")

    def _fault(self, said: str) -> ProblemError:
        return ProblemError(f"{self.model.name}: {said}")


def _place_of(error: BaseException) -> str:
    """Return file and line of the kernel, or of the function that it called, where ``error`` came from."""
    where, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename != __file__:
            where = f"{_short_path(code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return where


def _short_path(path: str) -> str:
    inside = os.path.relpath(path) if os.path.isabs(path) else path
    return path if inside.startswith("..") else inside


def run_smoke_test(model: Model, compiled: bool) -> None:
    """Play a few short random games with bounds checked, once a process for a state class, its limits and sizes.

    They take about ``SECONDS``, the first one up to ``FIRST_SECONDS`` more, and may stop in mid-game after
    ``LEAST_STEPS``. If ``compiled``, machine code is there already: one game of ``QUICK_SECONDS`` is enough. Only the
    kernel ``improve`` is stopped when its time is over. Kernels that cannot run as plain Python are left unchecked,
    which is logged.
    """
    if model.limits.grow:
        return
    played = _played.setdefault(type(model.new_state()), {})
    key = (model.name, model.limits, model.codes, model.bias_by_move, model.players, model.shapes())
    thorough = not compiled
    if played.get(key) or (key in played and compiled):
        return
    try:
        _play_games(model, thorough)
    except ProblemError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        logger.info("%s: as plain Python its kernels raise %s; bounds are not checked further", model.name, what)
    played[key] = thorough


def _play_games(model: Model, thorough: bool) -> None:
    chance, game, own = random.Random(0), GuardedGame(model), kernels_of(type(model.new_state()))
    end = time.perf_counter() + (SECONDS if thorough else QUICK_SECONDS)
    for number in range(GAMES if thorough else 1):
        late, made = end + (FIRST_SECONDS if thorough and number == 0 else 0.0), list[int]()
        game.reset()
        while game.steps < LEAST_STEPS or time.perf_counter() < late:
            game.view()
            if not (moves := game.listed):
                break
            if "find" in own:
                game.check_names()
            if "copy" in own and game.steps < 3:
                game.swap()
            made.append(chance.choice(moves))
            game.play(made[-1])
        if number == 0 and not game.listed:
            game.result()
            if "evaluate" in own:
                game.check_evaluated(made)
            if "improve" in own:
                game.improve(made, IMPROVE_SECONDS)
        if time.perf_counter() >= end:
            break
