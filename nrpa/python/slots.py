"""The slots in which the states of an author are kept, by number, and what the search reads of them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from nrpa.python.orders import ChangingGame


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
        self.shared: Any = None  # arrays of the search (``Model.share``)
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


class Slots(list[Slot]):
    """All slots of a model. Safe to use from several threads."""

    def __init__(self, players: int) -> None:
        super().__init__()
        self._players, self._free, self._lock = players, list[int](), threading.Lock()

    def take(self, has_codes: bool, has_bias: bool) -> int:
        """Return the number of a slot for a new state."""
        with self._lock:
            if self._free:
                number = self._free.pop()
            else:
                number = len(self)
                self.append(Slot(self._players))
        slot = self[number]
        slot.has_codes, slot.has_bias, slot.columns = has_codes, has_bias, 1 + has_codes + has_bias
        return number

    def give_back(self, number: int) -> None:
        """Take a slot whose state is no longer used."""
        slot = self[number]
        slot.state = slot.changing = slot.shared = None
        self._free.append(number)
