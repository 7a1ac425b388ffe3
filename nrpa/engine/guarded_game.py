"""A game in which every fault of a kernel is reported in one sentence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.engine import guarded as guarded_module
from nrpa.engine.game import Game
from nrpa.engine.guarded import GuardedList, OutOfBounds, guarded
from nrpa.engine.kernels import NEVER
from nrpa.engine.model import Model
from nrpa.engine.status import TOO_MANY_MOVES, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS, failure

# What numbers of moves and codes are before a kernel writes them.
UNWRITTEN = -6640827866535438581


class GuardedGame(Game):
    """A game whose kernels run as plain Python, and in which every fault is a ProblemError in words.

    Faults are: an index out of bounds (it names the kernel, the array, the file and the line), moves and codes that are
    counted but not written, codes out of range, e^β that is not above 0 and finite or that nobody would read, a player
    out of range, rewards that are not written or no finite numbers, and more steps or moves than the limits say. Other
    exceptions of the kernels are raised as they are.

    Parameters
    ----------
    model : Model
        The problem.

    Attributes
    ----------
    steps : int
        The moves made.
    total : int
        The legal moves met until the last move was made.
    """

    def __init__(self, model: Model) -> None:
        instance = guarded(model.instance, "instance")
        watched = Model(
            model.name,
            instance,
            model.limits,
            lambda: guarded(model.new_state(), "state"),
            title=model.title,
            codes=model.codes,
            bias_by_move=model.bias_by_move,
            players=model.players,
            raise_kept_error=model.raise_kept_error,
        )
        super().__init__(watched, interpreted=True)
        self.position = self.position._replace(moves=guarded(self.position.moves, "moves", GuardedList))
        self._gained = guarded(self._gained, "rewards", GuardedList)
        self.steps = self.total = self._offered = 0
        self._met: set[int] = set()
        self._gone: set[int] = set()
        self._bias_is_read = model.bias_by_move or model.bias_replaced

    def reset(self) -> None:
        """Begin the game."""
        self.steps = self.total = self._offered = 0
        self._met, self._gone = set(), set()
        with self._naming("reset"):
            super().reset()

    def legal_moves(self) -> list[int]:
        """Return the legal moves, and check all that the kernel wrote.

        Returns
        -------
        list of int
            The moves, as in ``Game``.

        Raises
        ------
        ProblemError
            For any of the faults.
        """
        with self._naming("legal_moves"):
            self._forget()
            listed = super().legal_moves()
        self._check("legal_moves")
        self._offered = len(listed)
        return listed

    def all_moves(self) -> list[int]:
        """Return the moves that a level of NMCS tries, and check all that the kernel wrote.

        Returns
        -------
        list of int
            The moves, as in ``Game``.

        Raises
        ------
        ProblemError
            For any of the faults.
        """
        with self._naming("all_moves"):
            self._forget()
            listed = super().all_moves()
        self._check("all_moves")
        return listed

    def move_of(self, name: int) -> int:
        """Return the legal move of a name, and check that the kernel gave one, NOT_NOW or NEVER."""
        with self._naming("find"):
            move = super().move_of(name)
        if move < NEVER:
            raise self._fault(f"the kernel find gave {move}; expected a move, -1 for none now, or -2 for none any more")
        return move

    def check_names(self) -> None:
        """Check what the kernel ``find`` says of the names of the legal moves, which were listed last.

        It must find them, none that it has given up before in this game, and nothing but moves that ``legal_moves`` or
        ``all_moves`` lists where it is asked for the names of moves that were legal before.

        Raises
        ------
        ProblemError
            Where it does not.
        """
        named: dict[int, list[int]] = {}
        for name, move in zip(self.names(), self.listed, strict=True):
            named.setdefault(name, []).append(move)
        self._met.update(named)
        listed = {*self.listed, *self.all_moves()}
        for name in sorted(self._met):
            found, moves = self.move_of(name), named.get(name, [])
            what = "no move" if found < 0 else f"the move {found}"
            if moves and found not in moves:
                raise self._fault(f"the kernel find gave {what} for the name {name} of the legal move {moves[0]}")
            if found >= 0 and found not in listed:
                raise self._fault(f"the kernel find gave {what} for the name {name}, which is not legal")
            if found >= 0 and name in self._gone:
                raise self._fault(f"the kernel find gave up the name {name} (-2), which a legal move has later")
            if found == NEVER:
                self._gone.add(name)

    def names(self) -> list[int]:
        """Return the names of the legal moves, as in ``Game``."""
        with self._naming("name"):
            return super().names()

    def play(self, move: int) -> None:
        """Make a move.

        Parameters
        ----------
        move : int
            One of the moves that were listed last.

        Raises
        ------
        ProblemError
            When the game gets longer than the limits say, or the kernel goes out of bounds.
        """
        if self.steps == self.model.limits.steps:
            raise failure(TOO_MANY_STEPS, self.model)
        self.total += self._offered
        if self.total > self.model.limits.total:
            raise failure(TOO_MANY_MOVES, self.model)
        self.steps += 1
        with self._naming("play"):
            super().play(np.int64(move))  # type: ignore[arg-type]

    def value(self, kernel: str) -> float:
        """Return what a kernel of instance and state says of the state, as in ``Game``; a player is in range."""
        with self._naming(kernel):
            value = super().value(kernel)
        players = self.model.players
        if kernel == "player" and not 0 <= value < players:
            raise self._fault(f"the kernel player gave {value:.0f}; expected 0 to {players - 1}")
        return value

    def rewards(self) -> list[float]:
        """Return what each player gets in the final state, and check all that the kernel wrote.

        Returns
        -------
        list of float
            The rewards, one a player.

        Raises
        ------
        ProblemError
            When the kernel leaves one out, writes too many, or one is not a finite number.
        """
        self._gained.fill(np.nan)
        with self._naming("rewards"):
            rewards = super().rewards()
        for player, reward in enumerate(rewards):
            if not np.isfinite(reward):
                what = "NaN, or did not write it" if np.isnan(reward) else f"{reward}"
                raise self._fault(f"the kernel rewards gave player {player} {what}; expected a finite number")
        return rewards

    def swap(self) -> None:
        """Go on with a copy of the state."""
        with self._naming("copy"):
            super().swap()

    @contextmanager
    def _naming(self, kernel: str) -> Iterator[None]:
        """Turn an index out of bounds into a sentence that names the kernel."""
        try:
            yield
        except IndexError as error:
            array = str(error) if isinstance(error, OutOfBounds) else f"an array ({error})"
            said = f"the kernel {kernel} goes out of bounds of {array}, {_place(error)}"
            if array.startswith("moves.") and "index -" not in array:
                said = f"{failure(TOO_MANY_MOVES_AT_ONCE, self.model)}: {said}"
            else:
                said = f"{self.model.name}: {said}"
            raise ProblemError(said) from None

    def _forget(self) -> None:
        self.position.moves.move.fill(UNWRITTEN)
        self.position.moves.code.fill(UNWRITTEN)

    def _check(self, kernel: str) -> None:
        for field, values in (("move", self.listed), ("code", self.codes)):
            if UNWRITTEN in values:
                found = f"returned {len(values)} moves, but did not write moves.{field}[{values.index(UNWRITTEN)}]"
                raise self._fault(f"the kernel {kernel} {found}")
        codes = self.model.codes
        if codes is not None:
            wrong = next((code for code in self.codes if not 0 <= code < codes), None)
            if wrong is not None:
                raise self._fault(f"the kernel {kernel} gave the code {wrong}; expected 0 to {codes - 1}")
        if self.model.bias_by_move and not all(0.0 < exp_bias < np.inf for exp_bias in self.exp_biases):
            raise self._fault(f"the kernel {kernel} gave an exp_bias that is not e to a finite β")
        if not self._bias_is_read and any(exp_bias != 1.0 for exp_bias in self.exp_biases):
            what = f"the kernel {kernel} writes moves.exp_bias, but bias_by_move is off, so that its β would be ignored"
            raise self._fault(f"{what}; set bias_by_move = True")

    def _fault(self, said: str) -> ProblemError:
        return ProblemError(f"{self.model.name}: {said}")


def _place(error: BaseException) -> str:
    """Return file and line of the kernel, or of the function that it called, where ``error`` came from."""
    place, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename != guarded_module.__file__:
            place = f"{_short(code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _short(path: str) -> str:
    """Return ``path`` as seen from the working directory, where it lies in it."""
    inside = os.path.relpath(path) if os.path.isabs(path) else path
    return path if inside.startswith("..") else inside
