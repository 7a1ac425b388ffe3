"""A problem in plain Python as the engine sees it: its kernels (``nrpa.python.kernels``) call ``nrpa.python.calls``.

``methods`` is the problem everywhere: an ``nrpa.Problem``.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Hashable
from typing import Any

import numpy as np

from nrpa.engine.model import Limits, Model, Needs, Numbering
from nrpa.machine.callback import OF_BYTES, OF_TWO_NUMBERS
from nrpa.python.calls import Calls
from nrpa.python.checks import Texts
from nrpa.python.efforts import Efforts, efforts
from nrpa.python.kernels import RESET, SLOT, EvaluatedState, PythonInstance, PythonState
from nrpa.python.numbering import GivenCodes, Numbers
from nrpa.python.slots import Slots

# The methods that a class may define beside those that it must, and "bias".
OPTIONAL = ("all_moves", "code", "key", "value", "is_legal", "rest", "copy", "improve", "evaluate")
# The capacity at first for the legal moves of a state and of a playout; it grows.
FIRST_MOVES, FIRST_TOTAL = 16, 256
# So many codes have numbers.
MOST_CODES = 2**20


class PythonModel(Model):
    """What the engine drives of a problem in plain Python. Safe to use from several threads.

    - ``own``: Which of the methods in ``OPTIONAL`` the class defines, and "bias" where β is used.
    - ``moves``, ``numbers_of_codes``: The numbers of moves and of codes; the same object where a move is its own code.
      With ``numbered``, they are those of that model.
    """

    has_own_code = numbers_moves = True

    def __init__(self, methods: Any, own: set[str], numbered: PythonModel | None = None) -> None:
        self._methods, self._own = methods, own
        self.moves: Numbers = numbered.moves if numbered else Numbers(Texts(methods))
        self.numbers_of_codes = Numbers(most=MOST_CODES) if "code" in own else self.moves
        if methods.codes is not None:
            self.numbers_of_codes = GivenCodes(methods)
        if numbered:
            self.numbers_of_codes = numbered.numbers_of_codes
        self._slots = Slots(methods.players)
        calls = Calls(methods, own, self._slots, self.moves, self.numbers_of_codes)
        choices = [] if methods.choices is None else [*methods.choices]
        optional = {"player": methods.players > 1, "hash": "key" in own}
        optional |= {name: name in own for name in ("improve", "all_moves")}
        names = ("step", "play_out", "play_order", "copy", "value", *(name for name, has in optional.items() if has))
        functions = {name: calls.keeping_errors(getattr(calls, name)) for name in names}
        self._functions: dict[str, Any] = {name: OF_TWO_NUMBERS(each) for name, each in functions.items()}
        if "evaluate" in own:
            self._functions["evaluate"] = OF_BYTES(calls.evaluate)
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
            raise_kept_error=calls.raise_kept_error,
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
        has_codes, has_bias = "code" in self._own and wanted.codes, "bias" in self._own and wanted.bias
        number = self._slots.take(has_codes, has_bias)
        header = self._slots[number].header.ctypes.data
        cell = np.array([number, RESET, header, has_codes, has_bias], np.int64)
        weakref.finalize(cell, self._release, number)
        return EvaluatedState(cell) if "evaluate" in self._own else PythonState(cell)

    def _release(self, number: int) -> None:
        """Give a slot back; that this is a method keeps the model, which holds the functions, as long as a state."""
        self._slots.give_back(number)

    def state_of(self, state: PythonState) -> Any:
        """Return the author's own state, as it was when its moves were listed."""
        return self._slots[state.cell[SLOT]].state

    def share(self, state: PythonState, arrays: Any, stop: np.ndarray) -> None:
        """Read from, and write to, arrays of a search whenever it asks for a whole game that ends in a state.

        The game is given up once ``stop``, bool[1], is set.
        """
        slot = self._slots[state.cell[SLOT]]
        slot.shared, slot.stop = arrays, memoryview(stop.data)
