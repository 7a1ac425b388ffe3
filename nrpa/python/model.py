"""The Python side of a problem in plain Python: what the kernels of ``nrpa.python.kernels`` call.

States stay in numbered slots. Moves and codes, which can be anything hashable, are numbered in order of appearance.
``methods`` is the problem everywhere: an ``nrpa.Problem``.
"""

from __future__ import annotations

import ctypes
import struct
import threading
import weakref
from array import array
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.engine.model import Limits, Model, Needs, Numbering
from nrpa.engine.status import EXCEPTION, INTERRUPTED, TOO_MANY_STEPS
from nrpa.machine.callback import OF_TWO_NUMBERS
from nrpa.python.answers import (
    Texts,
    checked_game,
    checked_player,
    checked_rewards,
    checked_value,
    exp_biases_of,
    explained,
    hash_of,
    listed,
    require_different,
    require_hashable,
    score_of,
)
from nrpa.python.kernels import LENGTH_BITS, RESET, WORD, Instance, State
from nrpa.python.replay import Course, Follower

# Room at first for the legal moves of a state and of a playout; it grows.
FIRST_MOVES, FIRST_TOTAL = 16, 256
MOST_LISTS = 4096


class Numbers(dict[Hashable, int]):
    """Numbers for hashable things, in order of appearance. Safe to use from several threads.

    ``things`` is the way back. No number is ever forgotten, as sequences and policies hold numbers: that takes about
    100 bytes each, and the thing itself (``experiments/speed.md``). ``texts`` refuses a thing of another one's text.

    >>> numbers = Numbers()
    >>> numbers["left"], numbers["right"], numbers["left"]
    (0, 1, 0)
    >>> numbers.things[1]
    'right'
    """

    def __init__(self, texts: Texts | None = None) -> None:
        super().__init__()
        self.things: list[Hashable] = []
        self._lock = threading.Lock()
        self._texts = texts

    def __missing__(self, thing: Hashable) -> int:
        with self._lock:
            if thing in self:
                return self[thing]
            return self._enter(thing)

    def _enter(self, thing: Hashable) -> int:
        if self._texts is not None:
            self._texts.enter(thing, self)
        self.things.append(thing)
        number = len(self.things) - 1
        self[thing] = number
        return number

    def adopt(self, things: list[Hashable]) -> bool:
        """Give things the numbers 0, 1 … of their order; return whether that fits the numbers given already."""
        with self._lock:
            known = len(self.things)
            if self.things[: len(things)] != things[:known]:
                return False
            for thing in things[known:]:
                self._enter(thing)
            return True


class Slot:
    """Where one state is kept, and what the search reads of it."""

    __slots__ = ("columns", "course", "data", "has_bias", "has_codes", "header", "moves", "rewards", "state", "words")

    def __init__(self, players: int) -> None:
        self.has_codes = self.has_bias = False  # whether ``code`` and ``bias`` are asked for this state
        self.moves: Sequence[Any] = ()  # the legal moves, where they are known by their indices
        self.columns = 1
        self.course: Course | None = None  # the states of a game that is changed and played again
        self.header = np.zeros(players + 2, np.int64)  # the address of ``data``, the bits of the rewards, the hash
        self.rewards: Any = memoryview(self.header.view(np.float64)[1 : players + 1].data)
        self.state: Any = None
        self.make_room(16)

    def make_room(self, words: int) -> None:
        """Make ``data`` anew, at least ``words`` long: the numbers of the moves, of their codes, the bits of e^β."""
        self.words = 2 * words
        data = np.zeros(self.words, np.int64)
        self.data = data.data.cast("B").cast("q")
        self.header[0] = data.ctypes.data


class Packers(dict[tuple[int, str], Callable[..., None]]):
    """Functions that write numbers into memory, by how many there are and of which type (a letter of ``struct``)."""

    def __missing__(self, key: tuple[int, str]) -> Callable[..., None]:
        count, kind = key
        self[key] = struct.Struct(f"{count}{kind}").pack_into
        return self[key]


class Lists(dict[tuple[Hashable, ...], Any]):
    """The numbers of the moves of a list, by the list: for problems in which few different lists come again and again.

    A list that has a move twice is refused. With more than MOST_LISTS, looking a list up takes longer than it saves:
    the table is then ``given_up``, and empty.
    """

    def __init__(self, numbers: Numbers, methods: Any) -> None:
        super().__init__()
        self.given_up = False
        self._number_of, self._methods = numbers.__getitem__, methods

    def __missing__(self, moves: tuple[Hashable, ...]) -> Any:
        numbers = array("q", map(self._number_of, moves))
        require_different(self._methods, moves)
        if len(self) < MOST_LISTS:
            self[moves] = numbers
        else:
            self.given_up = True
            self.clear()
        return numbers


class PythonModel(Model):
    """What the engine drives of a problem in plain Python. Safe to use from several threads.

    - ``moves``, ``numbers_of_codes``: The numbers of moves and of codes; the same object where a move is its own code.
    """

    def __init__(
        self,
        methods: Any,
        title: str,
        max_steps: int,
        *,
        has_codes: bool,
        has_bias: bool,
        has_key: bool,
        has_value: bool,
        has_is_legal: bool,
        has_copy: bool,
        has_improve: bool,
        players: int,
    ) -> None:
        self._methods = methods
        self.moves = Numbers(Texts(methods))
        self.numbers_of_codes = Numbers() if has_codes else self.moves
        self._slots: list[Slot] = []
        self._free: list[int] = []
        self._has = Needs(has_codes, has_bias)
        self._lock = threading.Lock()
        self._errors: dict[int, BaseException] = {}
        self._has_key, self._has_value = has_key, has_value
        functions = {
            "step": self._step_function(methods, players),
            "step_by_index": self._step_by_index_function(methods, players),
            "follow": self._follow_function(methods, has_is_legal, has_copy),
            **self._keeping_errors(methods, players, has_key, has_improve),
        }
        self._functions = {name: OF_TWO_NUMBERS(function) for name, function in functions.items()}
        addresses = {name: ctypes.cast(each, ctypes.c_void_p).value or 0 for name, each in self._functions.items()}
        instance = Instance(players, **addresses)
        super().__init__(
            type(methods).__name__,
            instance,
            Limits(max_steps, FIRST_MOVES, FIRST_TOTAL, grow=True),
            self.new_state,
            title=title,
            bias_by_move=has_bias,
            players=players,
            raise_kept_error=self._raise_kept_error,
        )

    @property
    def has_hash(self) -> bool:
        """Whether equal states are found again."""
        return self._has_key

    @property
    def has_value(self) -> bool:
        """Whether there is a method ``value``."""
        return self._has_value

    def code_number(self, code: Hashable) -> int:
        """Return the number of a code; one that has not appeared yet gets a new one."""
        return self.numbers_of_codes[code]

    def numbering(self) -> Numbering:
        """Return the moves and the codes met so far."""
        return list(self.moves.things), list(self.numbers_of_codes.things)

    def adopt(self, numbering: Numbering) -> bool:
        """Take over the numbers of moves and codes from another model of the problem."""
        moves, codes = numbering
        return self.moves.adopt(moves) and self.numbers_of_codes.adopt(codes)

    def things_of(self, moves: np.ndarray) -> list[Hashable]:
        """Return moves (int64[steps], numbers) as the author's own."""
        return [self.moves.things[number] for number in moves.tolist()]

    def moves_at(self, indices: np.ndarray) -> np.ndarray:
        """Return the moves (int64[steps]) of a game that are given by their indices in the lists of legal moves."""
        methods, things = self._methods, []
        state = methods.initial_state()
        for index in indices.tolist():
            moves = listed(methods, methods.legal_moves(state))
            if index >= len(moves):
                what = "legal_moves gave other moves than before, after the same moves"
                raise ProblemError(f"{type(methods).__name__}: {what}; expected the same")
            things.append(moves[index])
            state = methods.play(state, moves[index])
            require_hashable(methods, "legal_moves", moves)
            require_different(methods, moves)
        return self.numbers_of(things)

    def numbers_of(self, things: list[Hashable]) -> np.ndarray:
        """Return the numbers of the author's own moves, int64[steps]."""
        return np.array([self.moves[thing] for thing in things], np.int64)

    def new_state(self, needs: Needs | None = None) -> State:
        """Return a state with a slot of its own, given back when the state is no longer used."""
        wanted = Needs() if needs is None else needs
        with self._lock:
            if self._free:
                number = self._free.pop()
            else:
                number = len(self._slots)
                self._slots.append(Slot(self.players))
        slot = self._slots[number]
        slot.has_codes, slot.has_bias = self._has.codes and wanted.codes, self._has.bias and wanted.bias
        slot.columns = 1 + slot.has_codes + slot.has_bias
        cell = np.array(
            [number, RESET, slot.header.ctypes.data, slot.has_codes, slot.has_bias, not wanted.moves], np.int64
        )
        weakref.finalize(cell, self._release, number)
        return State(cell)

    def _release(self, number: int) -> None:
        slot = self._slots[number]
        slot.state, slot.moves, slot.course = None, (), None
        self._free.append(number)

    def _keep_error(self, error: BaseException) -> int:
        """Keep what a method of the problem raised in this thread; return the status."""
        self._errors[threading.get_ident()] = error
        return EXCEPTION if isinstance(error, Exception) else INTERRUPTED

    def _raise_kept_error(self) -> None:
        """Raise the exception that a method of the problem raised in this thread, once, if there was one."""
        error = self._errors.pop(threading.get_ident(), None)
        if error is not None:
            raise error

    def _step_function(self, methods: Any, players: int) -> Callable[[int, int], int]:
        initial_state, legal_moves, play = methods.initial_state, methods.legal_moves, methods.play
        slots, lists, number_of = self._slots, Lists(self.moves, methods), self.moves.__getitem__
        things = self.moves.things
        packers = Packers()
        write_more = self._writer(methods, packers)

        def step(number: int, due: int) -> int:
            try:
                slot = slots[number]
                if due >= 0:
                    state = play(slot.state, things[due])
                elif due == RESET:
                    state = initial_state()
                else:
                    state = slot.state
                slot.state = state
                given = legal_moves(state)
                moves = tuple(given) if type(given) is list or type(given) is tuple else listed(methods, given)
                count = len(moves)
                if count == 0:
                    write_result(methods, slot, players)
                    return 0
                columns = slot.columns
                if count * columns > slot.words:
                    slot.make_room(count * columns)
                if lists.given_up:
                    packers[count, "q"](slot.data, 0, *map(number_of, moves))
                else:
                    slot.data[:count] = lists[moves]
                if columns > 1:
                    write_more(slot, state, moves)
                    if type(given) is list and len(given) != count:
                        what = "code or bias changed the list that legal_moves had returned; expected it unchanged"
                        raise ProblemError(f"{type(methods).__name__}: {what}")
                return count
            except BaseException as error:
                return self._keep_error(explained(methods, error, locals()))

        return step

    def _step_by_index_function(self, methods: Any, players: int) -> Callable[[int, int], int]:
        """Return a step of a state whose moves are known by their indices: nothing is written but the score."""
        initial_state, legal_moves, play, slots = methods.initial_state, methods.legal_moves, methods.play, self._slots

        def step(number: int, due: int) -> int:
            try:
                slot = slots[number]
                if due >= 0:
                    slot.state = state = play(slot.state, slot.moves[due])
                elif due == RESET:
                    slot.state = state = initial_state()
                else:
                    state = slot.state
                moves = legal_moves(state)
                if type(moves) is not list and type(moves) is not tuple:
                    moves = listed(methods, moves)
                slot.moves = moves
                count = len(moves)
                if count == 0:
                    write_result(methods, slot, players)
                return count
            except BaseException as error:
                return self._keep_error(error)

        return step

    def _writer(self, methods: Any, packers: Packers) -> Callable[[Slot, Any, Sequence[Hashable]], None]:
        code, biases, number_of = methods.code, methods.biases, self.numbers_of_codes.__getitem__

        def write_more(slot: Slot, state: Any, moves: Sequence[Hashable]) -> None:
            count = len(moves)
            if slot.has_codes:
                codes = [code(state, move) for move in moves]
                try:
                    packers[count, "q"](slot.data, WORD * count, *map(number_of, codes))
                except TypeError:
                    require_hashable(methods, "code", codes)
                    raise
            if slot.has_bias:
                start = WORD * count * (1 + slot.has_codes)
                packers[count, "d"](slot.data, start, *exp_biases_of(methods, biases(state, moves)))

        return write_more

    def _keeping_errors(
        self, methods: Any, players: int, has_key: bool, has_improve: bool
    ) -> dict[str, Callable[[int, int], int]]:
        """Return what kernels ask of a state, of two, or of a game; what a method raises is kept for its thread."""
        slots = self._slots

        def copy(source: int, target: int) -> int:
            slots[target].state, slots[target].moves = methods.copy(slots[source].state), slots[source].moves
            slots[target].rewards[:] = slots[source].rewards
            return 0

        def player(number: int, _: int) -> int:
            return checked_player(methods, methods.player(slots[number].state), players)

        def hashed(number: int, _: int) -> int:
            slots[number].header[players + 1] = hash_of(methods, methods.key(slots[number].state))
            return 0

        def value(number: int, _: int) -> int:
            slots[number].rewards[:] = checked_value(methods, methods.value(slots[number].state), players)
            return 0

        def improve(address: int, lengths: int) -> int:
            room, steps = lengths >> LENGTH_BITS, lengths & (1 << LENGTH_BITS) - 1
            numbers = memoryview(ctypes.string_at(address, WORD * steps)).cast("q").tolist()
            changed = checked_game(methods, methods.improve([self.moves.things[number] for number in numbers]))
            if len(changed) > room:
                return TOO_MANY_STEPS
            found = array("q", map(self.moves.__getitem__, changed))
            if found.tolist() == numbers:
                return 0
            found.extend([-1] * (steps - len(found)))
            ctypes.memmove(address, found.buffer_info()[0], WORD * len(found))
            return 1

        def keeping(function: Callable[[int, int], int]) -> Callable[[int, int], int]:
            def call(first: int, second: int) -> int:
                try:
                    return function(first, second)
                except BaseException as error:
                    return self._keep_error(error)

            return call

        asked = {"copy": copy, "value": value}
        if players > 1:
            asked["player"] = player
        if has_key:
            asked["hash"] = hashed
        if has_improve:
            asked["improve"] = improve
        return {name: keeping(function) for name, function in asked.items()}

    def _follow_function(self, methods: Any, has_is_legal: bool, has_copy: bool) -> Callable[[int, int], int]:
        is_legal = methods.is_legal if has_is_legal else None
        slots, given = self._slots, methods.legal_moves

        def legal_moves(state: Any) -> tuple[Hashable, ...]:
            return listed(methods, given(state))

        different = partial(require_different, methods)
        follower = Follower(methods, self.moves.things, self.moves, legal_moves, is_legal, has_copy, different)

        def play_order(number: int, address: int) -> int:
            try:
                slot = slots[number]
                steps = follower.follow(slot, address)
                if steps >= 0:
                    write_result(methods, slot, 1)
                return steps
            except BaseException as error:
                moves = slot.course.legal if slot.course else ()
                return self._keep_error(explained(methods, error, {"moves": moves}))

        return play_order


def write_result(methods: Any, slot: Slot, players: int) -> None:
    """Write what the final state of a slot is worth: its score, or the rewards of a game's players."""
    if players == 1:
        slot.rewards[0] = score_of(methods, slot.state)
    else:
        slot.rewards[:] = checked_rewards(methods, methods.rewards(slot.state), players)
