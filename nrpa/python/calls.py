"""What kernels call in plain Python (``nrpa.python.kernels``): the author's methods, for the state of a slot."""

from __future__ import annotations

import ctypes
import math
import struct
import threading
from array import array
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from nrpa.base.errors import ProblemError
from nrpa.base.values import shortened
from nrpa.engine.status import EXCEPTION, INTERRUPTED, STOPPED, TOO_MANY_STEPS
from nrpa.python.checks import (
    checked_player,
    checked_rewards,
    checked_value,
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
from nrpa.python.kernels import LENGTH_BITS, RESET, WORD
from nrpa.python.numbering import Lists, Numbers
from nrpa.python.orders import ChangingGame, Hashes, Stopped
from nrpa.python.slots import Slot, Slots
from nrpa.python.whole_games import FORGOTTEN, Order


class Packers(dict[tuple[int, str], Callable[..., None]]):
    """Functions that write numbers into memory, by how many there are and of which type (a letter of ``struct``)."""

    def __missing__(self, key: tuple[int, str]) -> Callable[..., None]:
        count, kind = key
        self[key] = struct.Struct(f"{count}{kind}").pack_into
        return self[key]


class Calls:
    """The functions that kernels call by their addresses. Safe to use from several threads.

    Most of them take the number of a slot, and what is due for its state.
    """

    def __init__(self, methods: Any, own: set[str], slots: Slots, moves: Numbers, codes: Numbers) -> None:
        self._methods, self._own, self._players = methods, own, methods.players
        self._slots, self._moves, self._codes = slots, moves, codes
        self._lists, self._packers, self._hashes = Lists(moves, methods), Packers(), Hashes()
        self._errors: dict[int, BaseException] = {}
        self._best = -math.inf  # the score of the best game that was evaluated

    def keeping_errors(self, function: Callable[[int, int], int]) -> Callable[[int, int], int]:
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

    def raise_kept_error(self) -> None:
        """Raise the exception that a method of the problem raised in this thread, once, if there was one."""
        error = self._errors.pop(threading.get_ident(), None)
        if error is not None:
            raise error

    def _begin(self, slot: Slot, due: int) -> Any:
        """Do what is due for a slot; return its state."""
        if due >= 0:
            slot.state = self._methods.play(slot.state, self._moves.things[due])
        elif due == RESET:
            slot.state = self._methods.initial_state()
        return slot.state

    def step(self, number: int, due: int) -> int:
        """Do what is due for a slot, and write the legal moves of its state, or its result; return their number."""
        return self._list(number, due, self._methods.legal_moves)

    def all_moves(self, number: int, due: int) -> int:
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
                self._packers[count, "q"](slot.data, 0, *map(self._moves.__getitem__, moves))
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
                self._packers[count, "q"](slot.data, WORD * count, *map(self._codes.__getitem__, codes))
            except TypeError:
                require_hashable(methods, "code", codes)
                raise
        if slot.has_bias:
            start = WORD * count * (1 + slot.has_codes)
            self._packers[count, "d"](slot.data, start, *exp_biases_of(methods, methods.biases(state, moves)))

    def _write_result(self, slot: Slot) -> None:
        """Write what the final state of a slot is worth: its score, or the rewards of a game's players."""
        if self._players == 1:
            slot.rewards[0] = score_of(self._methods, slot.state)
        else:
            slot.rewards[:] = checked_rewards(self._methods, self._methods.rewards(slot.state), self._players)

    def play_out(self, number: int, due: int) -> int:
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
            if told or (not made and self._players > 1):
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
            shared.made[: len(made)] = array("q", map(self._moves.__getitem__, made))
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
        return checked_player(methods, methods.player(state), self._players) if self._players > 1 else 0

    def _code_number(self, slot: Slot, state: Any, move: Hashable) -> int:
        """Return the number of a move's code, which is the move where the class has no other."""
        code = self._methods.code(state, move) if slot.has_codes else move
        try:
            return self._codes[code]
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

    def play_order(self, number: int, _: int) -> int:
        """Play an order of moves; return what ``nrpa.python.orders.ChangingGame.play`` returns."""
        slot = self._slots[number]
        order = Order._make(slot.shared.order.item())
        game = slot.changing
        if game is None:
            game = slot.changing = ChangingGame(self._methods, self._own, self._moves, self._hashes)
        elif order.before == FORGOTTEN:
            game.forget()
        game.stop = slot.stop
        steps = game.play(order, slot.shared)
        if steps >= 0:
            slot.state, slot.rewards[0] = game.change.state, game.score
        return steps

    def evaluate(self, address: int, size: int) -> float:
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

    def copy(self, source: int, target: int) -> int:
        """Copy the state of a slot into another one."""
        one, other = self._slots[source], self._slots[target]
        other.state = self._methods.copy(one.state)
        other.rewards[:] = one.rewards
        return 0

    def player(self, number: int, _: int) -> int:
        """Return whose turn it is."""
        return self._mover(self._slots[number].state)

    def hash(self, number: int, _: int) -> int:
        """Write the hash of the key of a slot's state."""
        slot = self._slots[number]
        slot.header[self._players + 1] = hash_of(self._methods, self._methods.key(slot.state))
        return 0

    def value(self, number: int, _: int) -> int:
        """Write what each player can expect."""
        slot = self._slots[number]
        slot.rewards[:] = checked_value(self._methods, self._methods.value(slot.state), self._players)
        return 0

    def improve(self, address: int, lengths: int) -> int:
        """Change a whole game at an address, in place; return whether it has changed, or TOO_MANY_STEPS."""
        capacity, steps = lengths >> LENGTH_BITS, lengths & (1 << LENGTH_BITS) - 1
        read = capacity if self._methods.improves_again else steps
        numbers = memoryview(ctypes.string_at(address, WORD * read)).cast("q").tolist()
        others = [self._moves.things[each] for each in numbers[steps:] if each >= 0]
        del numbers[steps:]
        changed = improved_game(self._methods, [self._moves.things[each] for each in numbers], others)
        if len(changed) > capacity:
            return TOO_MANY_STEPS
        found = array("q", map(self._moves.__getitem__, changed))
        if found.tolist() == numbers:
            return 0
        found.extend([-1] * (steps - len(found)))
        ctypes.memmove(address, found.buffer_info()[0], WORD * len(found))
        return 1
