"""Numbers for the moves and the codes of an author, which can be anything hashable, in order of appearance."""

from __future__ import annotations

import math
import threading
from array import array
from collections.abc import Hashable
from typing import Any

from nrpa.python.checks import Texts, checked_code, code_hash, require_different

# So many lists are kept, of so many moves together.
MOST_LISTS, MOST_LISTED = 4096, 2**20


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
