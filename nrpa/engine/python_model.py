"""The compiled search drives a problem in plain Python through this module.

States stay in Python, in numbered slots; the search knows the number of the slot. Moves and codes, which can be
anything hashable, are numbered in order of appearance. One call does a whole step: it plays the last move, lists the
legal moves of the new state, and scores it if there are none. So kernels only note what is due; it is done when
something about the state is asked for. The player and the hash of a state are asked for by calls of their own.
``methods`` is the problem everywhere: an ``nrpa.Problem``.
"""

from __future__ import annotations

import builtins
import ctypes
import math
import struct
import threading
import weakref
from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.base.values import is_finite, shortened
from nrpa.engine.callback import call_int64
from nrpa.engine.content_hash import content_hash
from nrpa.engine.incumbent import LARGEST_SCORE
from nrpa.engine.intrinsics import load_float64, load_int64
from nrpa.engine.jit import jit
from nrpa.engine.kernels import kernels
from nrpa.engine.model import Limits, Model, Needs, Numbering
from nrpa.engine.python_replay import Course, Follower
from nrpa.engine.replay import CONTROL_AT, following
from nrpa.engine.status import EXCEPTION, SCORES, TOO_MANY_MOVES_AT_ONCE

SLOT, MOVE, HEADER, CODES, BIAS, PLACES = 0, 1, 2, 3, 4, 5
NO_PLAYER = -1
# What is due before the next look at a state: a move (its number), or one of these.
RESET, NOTHING, FAILED = -1, -2, -3
WORD = 8
# So that e^β times any weight that a policy holds (nrpa.engine.extremes) is neither infinite nor 0.
LARGEST_BIAS = 300.0
# Room at first for the legal moves of a state and of a playout; it grows.
FIRST_MOVES, FIRST_TOTAL = 16, 256
MOST_LISTS = 4096
MOST_MOVES = 1_000_000
# What ``float`` takes, and nobody means as a score.
NO_NUMBERS = (str, bytes, bytearray, bool, np.bool_)


class Instance(NamedTuple):
    """What the kernels know of the problem: addresses of Python functions, and the number of players.

    - ``step``, ``step_by_place``: Do a step, the latter where moves are known by their places in the list.
    - ``copy``: Copies a state.
    - ``player``: 0 where it is always the first player's turn.
    - ``hash``: 0 where states have none.
    - ``follow``: Plays a whole order of moves.
    - ``value``: Values a state.
    """

    step: int
    step_by_place: int
    copy: int
    player: int
    hash: int
    follow: int
    players: int
    value: int


def reset(instance, state):
    """Note that the initial state is to be made."""
    state.cell[MOVE] = RESET


def legal_moves(instance, state, moves):
    """Do what is due and write the legal moves; return their number.

    EXCEPTION where the problem raised one, TOO_MANY_MOVES_AT_ONCE where ``moves`` is too small.
    """
    count = step(instance, state)
    if count < 0:
        return EXCEPTION
    if count > len(moves.move):
        return TOO_MANY_MOVES_AT_ONCE
    if state.cell[PLACES]:
        for m in range(count):
            moves.move[m] = m
        return count
    data = load_int64(state.cell[HEADER])
    for m in range(count):
        moves.move[m] = load_int64(data + WORD * m)
    if state.cell[CODES]:
        data += WORD * count
    for m in range(count):
        moves.code[m] = load_int64(data + WORD * m)
    if state.cell[BIAS]:
        data += WORD * count
        for m in range(count):
            moves.exp_bias[m] = load_float64(data + WORD * m)
    return count


def play(instance, state, move):
    """Note that ``move`` is to be made."""
    if state.cell[MOVE] != NOTHING:
        step(instance, state)
    if state.cell[MOVE] != FAILED:
        state.cell[MOVE] = move


def score(instance, state):
    """Return the score, which came with the empty list of legal moves: 0 in a game, NaN after an exception."""
    if state.cell[MOVE] != NOTHING and step(instance, state) < 0:
        return np.nan
    return 0.0 if instance.players > 1 else load_float64(state.cell[HEADER] + WORD)


def rewards(instance, state, rewards):
    """Write the rewards, which came with the empty list of legal moves; NaN after an exception."""
    failed = state.cell[MOVE] != NOTHING and step(instance, state) < 0
    for player in range(rewards.shape[0]):
        rewards[player] = np.nan if failed else load_float64(state.cell[HEADER] + WORD * (1 + player))


def value(instance, state, rewards):
    """Write what each player can expect; NaN after an exception."""
    failed = state.cell[MOVE] != NOTHING and step(instance, state) < 0
    failed = failed or call_int64(instance.value, state.cell[SLOT], 0) < 0
    for player in range(rewards.shape[0]):
        rewards[player] = np.nan if failed else load_float64(state.cell[HEADER] + WORD * (1 + player))


def player(instance, state):
    """Return whose turn it is; NO_PLAYER after an exception."""
    if instance.player == 0:
        return 0
    if state.cell[MOVE] != NOTHING and step(instance, state) < 0:
        return NO_PLAYER
    return call_int64(instance.player, state.cell[SLOT], 0)


def hash(instance, state):  # noqa: A001
    """Return the hash of the state's key; after an exception 0, and the state's legal moves then give EXCEPTION."""
    if instance.hash == 0 or (state.cell[MOVE] != NOTHING and step(instance, state) < 0):
        return 0
    if call_int64(instance.hash, state.cell[SLOT], 0) < 0:
        state.cell[MOVE] = FAILED
        return 0
    return load_int64(state.cell[HEADER] + WORD * (1 + instance.players))


def copy(instance, source, target):
    """Copy a state, and what is due for it, into the slot of another one."""
    target.cell[MOVE] = source.cell[MOVE]
    if call_int64(instance.copy, source.cell[SLOT], target.cell[SLOT]) < 0:
        target.cell[MOVE] = FAILED


@jit
def step(instance, state):
    """Do what is due; return the number of legal moves, or a negative number after an exception."""
    if state.cell[MOVE] == FAILED:
        return -1
    function = instance.step_by_place if state.cell[PLACES] else instance.step
    count = call_int64(function, state.cell[SLOT], state.cell[MOVE])
    state.cell[MOVE] = NOTHING if count >= 0 else FAILED
    return count


@kernels(reset, legal_moves, play, score, rewards, value, player, hash, copy)
class State(NamedTuple):
    """A state that is kept in Python.

    - ``cell``, int64[6]: The number of its slot; what is due (a move, RESET, NOTHING or FAILED); the address of the
      slot's header; whether codes are written after the moves; whether e^β is written after them; whether moves are
      known by their places in the list, and nothing is written.
    """

    cell: np.ndarray


def follow(instance, state, control):
    """Play an order of moves; return what ``nrpa.engine.replay.follow`` returns."""
    state.cell[MOVE] = NOTHING
    return call_int64(instance.follow, state.cell[SLOT], control[CONTROL_AT])


following(State, follow)


class Numbers(dict[Hashable, int]):
    """Numbers for hashable things, in order of appearance. Safe to use from several threads.

    ``things`` is the way back. No number is ever forgotten, as sequences and policies hold numbers: that takes about
    100 bytes each, and the thing itself (``experiments/speed.md``).

    >>> numbers = Numbers()
    >>> numbers["left"], numbers["right"], numbers["left"]
    (0, 1, 0)
    >>> numbers.things[1]
    'right'
    """

    def __init__(self) -> None:
        super().__init__()
        self.things: list[Hashable] = []
        self._lock = threading.Lock()

    def __missing__(self, thing: Hashable) -> int:
        with self._lock:
            if thing in self:
                return self[thing]
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
            for number, thing in enumerate(things[known:], start=known):
                self.things.append(thing)
                self[thing] = number
            return True


class Slot:
    """Where one state is kept, and what the search reads of it.

    - ``header``, int64[players + 2]: The address of ``data``, the bits of the rewards, and the hash.
    - ``rewards``, memoryview of float64[players]: What each player gets, for one player the score; a view of the
      header.
    - ``data``, memoryview of int64[words]: The numbers of the legal moves, then those of their codes, then the bits of
      their e^β, where there are such: ``columns`` words a move.
    - ``has_codes``, ``has_bias``: Whether ``code`` and ``bias`` are asked for this state.
    - ``moves``: The legal moves of the state, where they are known by their places.
    - ``course``: The states of a game that is changed and played again, if there is one.
    """

    __slots__ = ("columns", "course", "data", "has_bias", "has_codes", "header", "moves", "rewards", "state", "words")

    def __init__(self, players: int) -> None:
        self.has_codes = self.has_bias = False
        self.moves: Sequence[Any] = ()
        self.columns = 1
        self.course: Course | None = None
        self.header = np.zeros(players + 2, np.int64)
        self.rewards: Any = memoryview(self.header.view(np.float64)[1 : players + 1].data)
        self.state: Any = None
        self.make_room(16)

    def make_room(self, words: int) -> None:
        """Make ``data`` anew, at least ``words`` long."""
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
        players: int,
    ) -> None:
        self._methods = methods
        self.moves = Numbers()
        self.numbers_of_codes = Numbers() if has_codes else self.moves
        self._slots: list[Slot] = []
        self._free: list[int] = []
        self._has = Needs(has_codes, has_bias)
        self._lock = threading.Lock()
        self._errors: dict[int, BaseException] = {}
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
        self._has_key, self._has_value = has_key, has_value
        self._functions = (
            prototype(self._step_function(methods, players)),
            prototype(self._step_by_place_function(methods, players)),
            prototype(self._copy_function(methods)),
            prototype(self._player_function(methods, players)),
            prototype(self._hash_function(methods, players)),
            prototype(self._follow_function(methods, has_is_legal, has_copy)),
            prototype(self._value_function(methods, players)),
        )
        step, by_place, copy, player, hashed, followed, value = (
            ctypes.cast(function, ctypes.c_void_p).value or 0 for function in self._functions
        )
        instance = Instance(
            step, by_place, copy, player if players > 1 else 0, hashed if has_key else 0, followed, players, value
        )
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

    def moves_at(self, places: np.ndarray) -> np.ndarray:
        """Return the moves (int64[steps]) of a game that are given by their places in the lists of legal moves.

        Raises ProblemError if there are fewer legal moves than before, after the same moves, or if moves are not
        hashable or equal.
        """
        methods, things = self._methods, []
        state = methods.initial_state()
        for place in places.tolist():
            moves = listed(methods, methods.legal_moves(state))
            if place >= len(moves):
                what = "legal_moves gave other moves than before, after the same moves"
                raise ProblemError(f"{type(methods).__name__}: {what}; expected the same")
            things.append(moves[place])
            state = methods.play(state, moves[place])
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
                self._errors[threading.get_ident()] = explained(methods, error, locals())
                return -1

        return step

    def _step_by_place_function(self, methods: Any, players: int) -> Callable[[int, int], int]:
        """Return a step of a state whose moves are known by their places: nothing is written but the score."""
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
                self._errors[threading.get_ident()] = error
                return -1

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

    def _copy_function(self, methods: Any) -> Callable[[int, int], int]:
        copy_state, slots = methods.copy, self._slots

        def copy(source: int, target: int) -> int:
            try:
                slots[target].state, slots[target].moves = copy_state(slots[source].state), slots[source].moves
                slots[target].rewards[:] = slots[source].rewards
                return 0
            except BaseException as error:
                self._errors[threading.get_ident()] = error
                return -1

        return copy

    def _player_function(self, methods: Any, players: int) -> Callable[[int, int], int]:
        player_of, slots = methods.player, self._slots

        def player(number: int, _: int) -> int:
            try:
                return checked_player(methods, player_of(slots[number].state), players)
            except BaseException as error:
                self._errors[threading.get_ident()] = error
                return NO_PLAYER

        return player

    def _hash_function(self, methods: Any, players: int) -> Callable[[int, int], int]:
        key_of, slots = methods.key, self._slots

        def hashed(number: int, _: int) -> int:
            try:
                slot = slots[number]
                slot.header[players + 1] = hash_of(methods, key_of(slot.state))
                return 0
            except BaseException as error:
                self._errors[threading.get_ident()] = error
                return -1

        return hashed

    def _value_function(self, methods: Any, players: int) -> Callable[[int, int], int]:
        slots = self._slots

        def value(number: int, _: int) -> int:
            try:
                slots[number].rewards[:] = value_of(methods, slots[number].state, players)
                return 0
            except BaseException as error:
                self._errors[threading.get_ident()] = error
                return -1

        return value

    def _follow_function(self, methods: Any, has_is_legal: bool, has_copy: bool) -> Callable[[int, int], int]:
        is_legal = methods.is_legal if has_is_legal else None
        slots, given = self._slots, methods.legal_moves

        def legal_moves(state: Any) -> tuple[Hashable, ...]:
            return listed(methods, given(state))

        different = partial(require_different, methods)
        follower = Follower(methods, self.moves.things, self.moves, legal_moves, is_legal, has_copy, different)

        def follow(number: int, address: int) -> int:
            try:
                slot = slots[number]
                steps = follower.follow(slot, address)
                if steps >= 0:
                    write_result(methods, slot, 1)
                return steps
            except BaseException as error:
                moves = slot.course.legal if slot.course else ()
                self._errors[threading.get_ident()] = explained(methods, error, {"moves": moves})
                return EXCEPTION

        return follow


def listed(methods: Any, given: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Return what ``legal_moves`` gave as a tuple. Raises ProblemError for a generator that seems to have no end."""
    if isinstance(given, (list, tuple)):
        return tuple(given)
    moves = tuple(islice(given, MOST_MOVES + 1))
    if len(moves) > MOST_MOVES:
        what = f"legal_moves gave more than {MOST_MOVES:,} moves of a {type(given).__name__}; expected one with an end"
        raise ProblemError(f"{type(methods).__name__}: {what}")
    return moves


def write_result(methods: Any, slot: Slot, players: int) -> None:
    """Write what the final state of a slot is worth: its score, or the rewards of a game's players."""
    if players == 1:
        slot.rewards[0] = score_of(methods, slot.state)
    else:
        slot.rewards[:] = checked_rewards(methods, methods.rewards(slot.state), players)


def checked_player(methods: Any, given: Any, players: int) -> int:
    """Return what ``player`` of a problem returned. Raises ProblemError unless it is 0 to players - 1."""
    if not isinstance(given, (int, np.integer)) or not 0 <= given < players:
        what = f"player returned {shortened(repr(given))}; expected a player, 0 to {players - 1}"
        raise ProblemError(f"{type(methods).__name__}: {what}")
    return int(given)


def hash_of(methods: Any, key: Any) -> int:
    """Return the hash of what tells a state from others. Raises ProblemError for a key that cannot be written down."""
    try:
        return content_hash(key)
    except Exception as error:
        what = f"key gave {shortened(repr(key))}, which cannot be hashed by what it holds ({error})"
        raise ProblemError(f"{type(methods).__name__}: {what}; expected numbers, strings or tuples") from None


def value_of(methods: Any, state: Any, players: int) -> array[float]:
    """Return what each player can expect of a state, as ``value`` of a problem says, float64[players]."""
    return checked_value(methods, methods.value(state), players)


def checked_value(methods: Any, given: Any, players: int) -> array[float]:
    """Return what ``value`` of a problem returned as numbers, float64[players]: in a game, one for each player."""
    if players == 1:
        return array("d", [checked_score(methods, given, "value")])
    return checked_rewards(methods, given, players, "value")


def checked_rewards(methods: Any, given: Any, players: int, method: str = "rewards") -> array[float]:
    """Return what ``rewards`` of a problem, or another method, returned as numbers, float64[players].

    Raises ProblemError unless there is a number from -LARGEST_SCORE to LARGEST_SCORE for each player.
    """
    try:
        rewards = array("d", given)
    except (TypeError, ValueError, OverflowError):
        rewards = array("d")
    if len(rewards) != players or not all(abs(reward) <= LARGEST_SCORE for reward in rewards):
        what = f"{method} returned {shortened(repr(given))}; expected {players} finite numbers, one for each player"
        raise ProblemError(f"{type(methods).__name__}: {what}")
    return rewards


def exp_biases_of(methods: Any, biases: list[float]) -> list[float]:
    """Return e^β of the moves of one state, up to a common factor. Raises ProblemError for a β that is not finite."""
    try:
        is_usable = math.isfinite(sum(biases))
    except (TypeError, ValueError, OverflowError):
        is_usable = False
    if not is_usable:
        wrong = next((bias for bias in biases if not is_finite(bias)), math.inf)
        raise ProblemError(f"{type(methods).__name__}.bias returned {wrong!r:.60}; expected a finite number")
    largest = max(biases)
    shift = largest if abs(largest) > LARGEST_BIAS else 0.0
    return [math.exp(bias - shift) for bias in biases]


def score_of(methods: Any, state: Any) -> float:
    """Return the score of a final state, one of several parts packed. Raises ProblemError where it cannot be one."""
    return score_said(methods, methods.score(state))


def score_said(methods: Any, given: Any) -> float:
    """Return what ``score`` of a problem returned as a number."""
    packed = getattr(methods.objective, "packed", None)
    if packed is None:
        return checked_score(methods, given)
    try:
        return packed(given)  # type: ignore[no-any-return]
    except (TypeError, ValueError, OverflowError) as error:
        said = f"{type(methods).__name__}.score returned {shortened(repr(given))}"
        raise ProblemError(f"{said}; expected a tuple of {methods.objective.name} ({error})") from None


def checked_score(methods: Any, given: Any, method: str = "score") -> float:
    """Return what ``score`` of a problem, or another method, returned as a number.

    Raises ProblemError when it is no number, or none from -LARGEST_SCORE to LARGEST_SCORE.
    """
    said = f"{type(methods).__name__}.{method} returned"
    try:
        if isinstance(given, NO_NUMBERS):
            raise TypeError
        value = float(given)
    except (TypeError, ValueError):
        raise ProblemError(f"{said} {shortened(repr(given))}; expected a number") from None
    except OverflowError:
        raise ProblemError(f"{said} a number of over 300 digits; expected one from {SCORES}") from None
    if not -LARGEST_SCORE <= value <= LARGEST_SCORE:
        shown = "NaN" if math.isnan(value) else value
        raise ProblemError(f"{said} {shown}; expected a number from {SCORES}, a low one where something is not allowed")
    return value


def require_hashable(methods: Any, method: str, things: Sequence[Any]) -> None:
    """Raise ProblemError, which names the class and the ``method``, for the first thing that is not hashable."""
    for thing in things:
        try:
            builtins.hash(thing)
        except TypeError:
            raise ProblemError(
                f"{type(methods).__name__}.{method} gave {thing!r}, a {type(thing).__name__}, which is not hashable; "
                "expected numbers, strings or tuples"
            ) from None


def require_different(methods: Any, moves: Sequence[Hashable]) -> None:
    """Raise ProblemError where two moves of a state are equal, as 1 and True are: they would be one move."""
    if len({*moves}) == len(moves):
        return
    seen: dict[Hashable, Hashable] = {}
    for move in moves:
        if move in seen:
            one, other = shortened(repr(seen[move])), shortened(repr(move))
            what = f"{one} twice" if one == other else f"{one} and {other}, which are equal"
            raise ProblemError(f"{type(methods).__name__}: legal_moves gave {what}; expected moves that differ")
        seen[move] = move


def explained(methods: Any, error: BaseException, found: dict[str, Any]) -> BaseException:
    """Return an error in clearer words where it comes from a move that is not hashable."""
    if isinstance(error, TypeError) and isinstance(found.get("moves"), (list, tuple)):
        try:
            require_hashable(methods, "legal_moves", found["moves"])
        except ProblemError as clearer:
            return clearer
    return error
