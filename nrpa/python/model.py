"""The Python side of a problem in plain Python: what the kernels of ``nrpa.python.kernels`` call.

States stay in numbered slots. Moves and codes, which can be anything hashable, are numbered in order of appearance.
``methods`` is the problem everywhere: an ``nrpa.Problem``.
"""

from __future__ import annotations

import ctypes
import math
import struct
import threading
import weakref
from array import array
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.base.values import shortened
from nrpa.engine.model import Limits, Model, Needs, Numbering
from nrpa.engine.status import EXCEPTION, INTERRUPTED, STOPPED, TOO_MANY_STEPS
from nrpa.machine.callback import OF_BYTES, OF_TWO_NUMBERS
from nrpa.python.checks import (
    Texts,
    checked_code,
    checked_player,
    checked_rewards,
    checked_value,
    code_hash,
    evaluated,
    exp_biases_of,
    hash_of,
    improved_game,
    require_different,
    require_hashable,
    score_of,
    score_said,
    tuple_of,
)
from nrpa.python.efforts import Efforts, efforts
from nrpa.python.kernels import LENGTH_BITS, RESET, SLOT, WORD, EvaluatedState, PythonInstance, PythonState
from nrpa.python.orders import ChangingGame, Hashes, Stopped
from nrpa.python.whole_games import FORGOTTEN, Order

# The methods that a class may define beside those that it must, and "bias".
OPTIONAL = ("all_moves", "code", "key", "value", "is_legal", "rest", "copy", "improve", "evaluate")
# The capacity at first for the legal moves of a state and of a playout; it grows.
FIRST_MOVES, FIRST_TOTAL = 16, 256
# So many lists are kept, of so many moves together; and so many codes have numbers.
MOST_LISTS, MOST_LISTED = 4096, 2**20
MOST_CODES = 2**20


class Numbers(dict[Hashable, int]):
    """Numbers for hashable things, in order of appearance. Safe to use from several threads.

    ``things`` is the way back. No number is ever forgotten, as sequences and policies hold numbers: that takes about
    100 bytes each, and the thing itself (``experiments/speed.md``). Things beyond the first ``most`` have their hashes
    in place of numbers, and are not kept. ``texts`` refuses a thing of another one's text.

    >>> numbers = Numbers()
    >>> numbers["left"], numbers["right"], numbers["left"]
    (0, 1, 0)
    >>> numbers.things[1]
    'right'
    """

    def __init__(self, texts: Texts | None = None, most: float = math.inf) -> None:
        super().__init__()
        self.things: list[Hashable] = []
        self._lock = threading.Lock()
        self._texts, self._most = texts, most

    def __missing__(self, thing: Hashable) -> int:
        if len(self) >= self._most:
            return code_hash(thing)
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


class GivenCodes(Numbers):
    """Codes that are numbers already, from 0 on, of a class that says how many (``codes``)."""

    def __init__(self, methods: Any) -> None:
        super().__init__()
        self._methods = methods

    def __missing__(self, code: Hashable) -> int:
        self[code] = checked_code(self._methods, code)
        return self[code]


class Slot:
    """Where one state is kept, and what the search reads of it."""

    __slots__ = (
        "best",
        "changing",
        "columns",
        "data",
        "has_bias",
        "has_codes",
        "header",
        "rewards",
        "shared",
        "state",
        "stop",
        "words",
    )

    def __init__(self, players: int) -> None:
        self.has_codes = self.has_bias = False  # whether ``code`` and ``bias`` are asked for this state
        self.columns = 1
        self.changing: ChangingGame | None = None  # the states of a game that is changed and played again
        self.shared: Any = None  # arrays of the search (``PythonModel.share``)
        self.stop: Sequence[bool] = (False,)
        self.header = np.zeros(players + 2, np.int64)  # the address of ``data``, the bits of the rewards, the hash
        self.rewards: Any = memoryview(self.header.view(np.float64)[1 : players + 1].data)
        self.state: Any = None
        self.best = -np.inf  # the score of the best game that was played in one call
        self.grow(16)

    def grow(self, words: int) -> None:
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

    A list that has a move twice is refused. With more than MOST_LISTS, or MOST_LISTED moves in them, looking a list up
    takes longer than it saves: the table is then ``given_up``, and empty.
    """

    def __init__(self, numbers: Numbers, methods: Any) -> None:
        super().__init__()
        self.given_up, self._room = False, MOST_LISTED
        self._number_of, self._methods = numbers.__getitem__, methods

    def __missing__(self, moves: tuple[Hashable, ...]) -> Any:
        numbers = array("q", map(self._number_of, moves))
        require_different(self._methods, moves)
        self._room -= len(moves)
        if len(self) < MOST_LISTS and self._room >= 0:
            self[moves] = numbers
        else:
            self.given_up = True
            self.clear()
        return numbers


class PythonModel(Model):
    """What the engine drives of a problem in plain Python. Safe to use from several threads.

    - ``own``: Which of the methods in ``OPTIONAL`` the class defines, and "bias" where β is used.
    - ``moves``, ``numbers_of_codes``: The numbers of moves and of codes; the same object where a move is its own code.
    """

    has_own_code = numbers_moves = True

    def __init__(self, methods: Any, own: set[str]) -> None:
        self._methods, self._own = methods, own
        self.moves = Numbers(Texts(methods))
        self.numbers_of_codes = Numbers(most=MOST_CODES) if "code" in own else self.moves
        if methods.codes is not None:
            self.numbers_of_codes = GivenCodes(methods)
        self._lists, self._packers, self._hashes = Lists(self.moves, methods), Packers(), Hashes()
        self._slots: list[Slot] = []
        self._free: list[int] = []
        self._lock = threading.Lock()
        self._errors: dict[int, BaseException] = {}
        self._best = -math.inf  # the score of the best game that was evaluated
        choices = [] if methods.choices is None else [*methods.choices]
        optional = {"player": methods.players > 1, "hash": "key" in own}
        optional |= {name: name in own for name in ("improve", "all_moves")}
        names = ("step", "play_out", "play_order", "copy", "value", *(name for name, has in optional.items() if has))
        functions = {name: self._keeping_errors(getattr(self, f"_{name}")) for name in names}
        self._functions: dict[str, Any] = {name: OF_TWO_NUMBERS(each) for name, each in functions.items()}
        if "evaluate" in own:
            self._functions["evaluate"] = OF_BYTES(self._evaluate)
            self.moves.adopt([*range(max(choices or [methods.max_steps]))])  # what is evaluated has moves by number
        addresses = {name: ctypes.cast(each, ctypes.c_void_p).value or 0 for name, each in self._functions.items()}
        super().__init__(
            type(methods).__name__,
            PythonInstance(methods.players, choices=np.array(choices, np.int64), **addresses),
            Limits(methods.max_steps, FIRST_MOVES, FIRST_TOTAL, grow=True),
            self.new_state,
            title=methods.name,
            codes=methods.codes,
            bias_by_move="bias" in own,
            players=methods.players,
            raise_kept_error=self._raise_kept_error,
        )

    def efforts(self, moves: int) -> Efforts:
        """Return what its methods take in the first moves of a game."""
        return efforts(self._methods, self._own, moves)

    @property
    def has_hash(self) -> bool:
        """Whether equal states are found again."""
        return "key" in self._own

    @property
    def has_value(self) -> bool:
        """Whether there is a method ``value``."""
        return "value" in self._own

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

    def numbers_of(self, things: list[Hashable]) -> np.ndarray:
        """Return the numbers of the author's own moves, int64[steps]."""
        return np.array([self.moves[thing] for thing in things], np.int64)

    def new_state(self, needs: Needs | None = None) -> PythonState | EvaluatedState:
        """Return a state with a slot of its own, given back when the state is no longer used."""
        wanted = Needs() if needs is None else needs
        with self._lock:
            if self._free:
                number = self._free.pop()
            else:
                number = len(self._slots)
                self._slots.append(Slot(self.players))
        slot = self._slots[number]
        slot.has_codes, slot.has_bias = "code" in self._own and wanted.codes, "bias" in self._own and wanted.bias
        slot.columns = 1 + slot.has_codes + slot.has_bias
        cell = np.array([number, RESET, slot.header.ctypes.data, slot.has_codes, slot.has_bias], np.int64)
        weakref.finalize(cell, self._release, number)
        return EvaluatedState(cell) if "evaluate" in self._own else PythonState(cell)

    def state_of(self, state: PythonState) -> Any:
        """Return the author's own state, as it was when its moves were listed."""
        return self._slots[state.cell[SLOT]].state

    def share(self, state: PythonState, arrays: Any, stop: np.ndarray) -> None:
        """Read from, and write to, arrays of a search whenever it asks for a whole game that ends in a state.

        The game is given up once ``stop``, bool[1], is set.
        """
        slot = self._slots[state.cell[SLOT]]
        slot.shared, slot.stop = arrays, memoryview(stop.data)

    def _release(self, number: int) -> None:
        slot = self._slots[number]
        slot.state = slot.changing = slot.shared = None
        self._free.append(number)

    def _keeping_errors(self, function: Callable[[int, int], int]) -> Callable[[int, int], int]:
        """Return a function that kernels can call: what it raises is kept for its thread, and a status returned."""

        def call(first: int, second: int) -> int:
            try:
                return function(first, second)
            except Stopped:
                return STOPPED
            except BaseException as error:
                self._errors[threading.get_ident()] = error
                return EXCEPTION if isinstance(error, Exception) else INTERRUPTED

        return call

    def _raise_kept_error(self) -> None:
        """Raise the exception that a method of the problem raised in this thread, once, if there was one."""
        error = self._errors.pop(threading.get_ident(), None)
        if error is not None:
            raise error

    def _begin(self, slot: Slot, due: int) -> Any:
        """Do what is due for a slot; return its state."""
        if due >= 0:
            slot.state = self._methods.play(slot.state, self.moves.things[due])
        elif due == RESET:
            slot.state = self._methods.initial_state()
        return slot.state

    def _step(self, number: int, due: int) -> int:
        """Do what is due for a slot, and write the legal moves of its state, or its result; return their number."""
        return self._list(number, due, self._methods.legal_moves)

    def _all_moves(self, number: int, due: int) -> int:
        """Do the same for the moves that a level of NMCS tries."""
        return self._list(number, due, self._methods.all_moves)

    def _list(self, number: int, due: int, moves_of: Callable[[Any], Any]) -> int:
        slot, methods = self._slots[number], self._methods
        state = self._begin(slot, due)
        given = moves_of(state)
        moves = tuple(given) if type(given) is list or type(given) is tuple else tuple_of(methods, given)
        count = len(moves)
        if count == 0:
            self._write_result(slot)
            return 0
        columns, lists = slot.columns, self._lists
        if count * columns > slot.words:
            slot.grow(count * columns)
        try:
            if lists.given_up:
                self._packers[count, "q"](slot.data, 0, *map(self.moves.__getitem__, moves))
            else:
                slot.data[:count] = lists[moves]
        except TypeError:
            require_hashable(methods, "legal_moves", moves)
            raise
        if columns > 1:
            self._write_more(slot, state, moves)
            if type(given) is list and len(given) != count:
                what = "code or bias changed the list that legal_moves had returned; expected it unchanged"
                raise ProblemError(f"{type(methods).__name__}: {what}")
        return count

    def _write_more(self, slot: Slot, state: Any, moves: Sequence[Hashable]) -> None:
        """Write the numbers of codes and e^β after the moves, where they are asked for."""
        count, methods = len(moves), self._methods
        if slot.has_codes:
            codes = [methods.code(state, move) for move in moves]
            try:
                self._packers[count, "q"](slot.data, WORD * count, *map(self.numbers_of_codes.__getitem__, codes))
            except TypeError:
                require_hashable(methods, "code", codes)
                raise
        if slot.has_bias:
            start = WORD * count * (1 + slot.has_codes)
            self._packers[count, "d"](slot.data, start, *exp_biases_of(methods, methods.biases(state, moves)))

    def _write_result(self, slot: Slot) -> None:
        """Write what the final state of a slot is worth: its score, or the rewards of a game's players."""
        if self.players == 1:
            slot.rewards[0] = score_of(self._methods, slot.state)
        else:
            slot.rewards[:] = checked_rewards(self._methods, self._methods.rewards(slot.state), self.players)

    def _play_out(self, number: int, due: int) -> int:
        """Play the state of a slot to its end by random numbers of the search; return the number of moves made."""
        slot, methods = self._slots[number], self._methods
        state, legal_moves, play, made = self._begin(slot, due), methods.legal_moves, methods.play, list[Hashable]()
        stop, shared = slot.stop, slot.shared
        told, movers, codes = bool(shared.told[0]), array("q"), array("q")
        for draw in shared.draw[: shared.most[0]].tolist():
            if stop[0]:
                return STOPPED
            moves = legal_moves(state)
            if type(moves) is not list and type(moves) is not tuple:
                moves = tuple_of(methods, moves)
            if not moves:
                break
            move = moves[int(draw * len(moves))]
            if told or (not made and self.players > 1):
                movers.append(self._mover(state))
            if told:
                codes.append(self._code_number(slot, state, move))
            made.append(move)
            state = play(state, move)
        else:
            if tuple_of(methods, legal_moves(state)):
                return TOO_MANY_STEPS
        slot.state = state
        try:
            shared.made[: len(made)] = array("q", map(self.moves.__getitem__, made))
        except TypeError:
            require_hashable(methods, "legal_moves", made)
            raise
        shared.mover[: len(movers)], shared.code[: len(codes)] = movers, codes
        self._write_result(slot)
        if due == RESET and slot.rewards[0] > slot.best:
            slot.best = slot.rewards[0]
            self._require_moves_that_differ(made)
        return len(made)

    def _mover(self, state: Any) -> int:
        methods = self._methods
        return checked_player(methods, methods.player(state), self.players) if self.players > 1 else 0

    def _code_number(self, slot: Slot, state: Any, move: Hashable) -> int:
        """Return the number of a move's code, which is the move where the class has no other."""
        code = self._methods.code(state, move) if slot.has_codes else move
        try:
            return self.numbers_of_codes[code]
        except TypeError:
            require_hashable(self._methods, "code" if slot.has_codes else "legal_moves", [code])
            raise

    def _require_moves_that_differ(self, made: list[Hashable]) -> None:
        """Raise ProblemError where two legal moves on the way of a whole game are equal."""
        methods = self._methods
        state = methods.initial_state()
        for move in made:
            require_different(methods, tuple_of(methods, methods.legal_moves(state)))
            state = methods.play(state, move)

    def _play_order(self, number: int, _: int) -> int:
        """Play an order of moves; return what ``nrpa.python.orders.ChangingGame.play`` returns."""
        slot = self._slots[number]
        order = Order._make(slot.shared.order.item())
        if slot.changing is None:
            slot.changing = ChangingGame(self._methods, self._own, self.moves, self._hashes)
        elif order.before == FORGOTTEN:
            slot.changing.forget()
        slot.changing.stop = slot.stop
        steps = slot.changing.play(order, slot.shared)
        if steps >= 0:
            slot.state = slot.changing.change.state
            slot.rewards[0] = slot.changing.score
        return steps

    def _evaluate(self, address: int, size: int) -> float:
        """Return the score of a whole game, whose moves are bytes at an address; NaN where the problem raised."""
        try:
            moves = memoryview(ctypes.string_at(address, size)).cast("q").tolist()
            score = score_said(self._methods, self._methods.evaluate([*moves]), "evaluate")
            if score > self._best:
                self._require_score(moves)
                self._best = score
        except BaseException as error:
            self._errors[threading.get_ident()] = error
            return math.nan
        return score

    def _require_score(self, moves: list[int]) -> None:
        """Raise ProblemError where a game that was evaluated cannot be played, or has another score then."""
        methods = self._methods
        state = methods.initial_state()
        for step, move in enumerate(moves, start=1):
            if move not in tuple_of(methods, methods.legal_moves(state)):
                what = f"evaluate gave a score for the moves {shortened(repr(moves))}, and move {step} is not legal"
                raise ProblemError(f"{type(methods).__name__}: {what}; its games have max_steps moves each")
            state = methods.play(state, move)
        evaluated(methods, moves, state)

    def _copy(self, source: int, target: int) -> int:
        one, other = self._slots[source], self._slots[target]
        other.state = self._methods.copy(one.state)
        other.rewards[:] = one.rewards
        return 0

    def _player(self, number: int, _: int) -> int:
        return self._mover(self._slots[number].state)

    def _hash(self, number: int, _: int) -> int:
        slot = self._slots[number]
        slot.header[self.players + 1] = hash_of(self._methods, self._methods.key(slot.state))
        return 0

    def _value(self, number: int, _: int) -> int:
        slot = self._slots[number]
        slot.rewards[:] = checked_value(self._methods, self._methods.value(slot.state), self.players)
        return 0

    def _improve(self, address: int, lengths: int) -> int:
        """Change a whole game at an address, in place; return whether it has changed, or TOO_MANY_STEPS."""
        capacity, steps = lengths >> LENGTH_BITS, lengths & (1 << LENGTH_BITS) - 1
        read = capacity if self._methods.improves_again else steps
        numbers = memoryview(ctypes.string_at(address, WORD * read)).cast("q").tolist()
        others = [self.moves.things[each] for each in numbers[steps:] if each >= 0]
        del numbers[steps:]
        changed = improved_game(self._methods, [self.moves.things[each] for each in numbers], others)
        if len(changed) > capacity:
            return TOO_MANY_STEPS
        found = array("q", map(self.moves.__getitem__, changed))
        if found.tolist() == numbers:
            return 0
        found.extend([-1] * (steps - len(found)))
        ctypes.memmove(address, found.buffer_info()[0], WORD * len(found))
        return 1
