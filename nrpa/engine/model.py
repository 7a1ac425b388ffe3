"""What the engine drives: an instance, its states and its limits, the same for plain Python and compiled problems."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.lazy import lazy

kernels = lazy("nrpa.engine.kernels")

Numbering = tuple[list[Hashable], list[Hashable]]


class Limits(NamedTuple):
    """How much a playout can need.

    Attributes
    ----------
    steps : int
        The most moves of a playout.
    moves : int
        The most legal moves of a state.
    total : int
        The most legal moves that a whole playout can meet, summed over its states.
    grow : bool
        Whether nobody knows ``moves`` and ``total``: they are then a beginning, and work areas grow.
    """

    steps: int
    moves: int
    total: int
    grow: bool = False


class Needs(NamedTuple):
    """What a search reads of the legal moves of a state.

    Attributes
    ----------
    codes : bool
        Whether it reads their codes.
    bias : bool
        Whether it reads e^β of each, where that comes with the moves.
    moves : bool
        Whether it reads the moves. If not, a problem in plain Python gives their places 0, 1 … in the list instead, and
        takes the place of the one that is made; ``Model.moves_at`` says which moves these are.
    """

    codes: bool = True
    bias: bool = True
    moves: bool = True


class Model:
    """An instance, its states and its limits.

    Parameters
    ----------
    name : str
        The name of the problem's class, for messages.
    instance : NamedTuple of arrays and numbers
        The instance. No kernel writes to it.
    limits : Limits
        How much a playout can need.
    new_state : callable
        Takes nothing and returns a state with arrays of its own.
    title : str
        What the problem is called in the log; ``name`` if empty.
    codes : int or None
        The number of codes if they are 0 to codes - 1, or None for arbitrary 64-bit codes (hashes).
    bias_by_move : bool
        Whether ``legal_moves`` writes e^β of each move into ``moves.exp_bias``, and searches read it.
    bias_replaced : bool
        Whether the caller gave a β, so that what ``legal_moves`` writes is left unread on purpose.
    players : int
        The number of players.
    raise_kept_error : callable, optional
        Takes nothing and raises the exception that Python code called by a kernel of this thread raised.

    Attributes
    ----------
    name, title, instance, limits, codes, bias_by_move, bias_replaced, players
        As given.
    """

    def __init__(
        self,
        name: str,
        instance: Any,
        limits: Limits,
        new_state: Callable[[], Any],
        *,
        title: str = "",
        codes: int | None = None,
        bias_by_move: bool = False,
        bias_replaced: bool = False,
        players: int = 1,
        raise_kept_error: Callable[[], None] | None = None,
    ) -> None:
        self.name = name
        self.title = title or name
        self.instance = instance
        self.limits = limits
        self.codes = codes
        self.bias_by_move = bias_by_move
        self.bias_replaced = bias_replaced
        self.players = players
        self._new_state = new_state
        self._raise_kept_error = raise_kept_error

    def new_state(self, needs: Needs | None = None) -> Any:
        """Return a state with arrays of its own, in any condition: the kernel ``reset`` fills them.

        Parameters
        ----------
        needs : Needs, optional
            What is read of its legal moves, all of it if left out. A problem in plain Python is not asked for the rest;
            the codes are then the numbers of the moves, and e^β is not written.

        Returns
        -------
        NamedTuple of arrays
            The state.
        """
        return self._new_state()

    @property
    def has_hash(self) -> bool:
        """Whether the kernel ``hash`` tells states apart, so that equal ones are found again."""
        return "hash" in kernels.kernels_of(type(self.new_state()))

    def raise_kept_error(self) -> None:
        """Raise the exception that Python code called by a kernel of this thread raised; do nothing if there was none.

        Raises
        ------
        BaseException
            That exception, once.
        """
        if self._raise_kept_error is not None:
            self._raise_kept_error()

    def code_number(self, code: Any) -> int:
        """Return the number that kernels use for a code.

        Parameters
        ----------
        code : Any
            The code, as the problem's author writes it.

        Returns
        -------
        int
            The number.
        """
        return int(code)

    def numbering(self) -> Numbering:
        """Return the moves and the codes that have been given numbers.

        Returns
        -------
        moves, codes : list
            Each in the order of its numbers 0, 1 …; empty in a compiled problem, whose moves and codes are numbers.
        """
        return [], []

    def adopt(self, numbering: Numbering) -> bool:
        """Take over the numbers of moves and codes from another model of the problem.

        Parameters
        ----------
        numbering : tuple of two lists
            What ``numbering`` of the other model returned.

        Returns
        -------
        bool
            Whether that was possible: False if other moves or codes have these numbers here.
        """
        return True

    def moves_at(self, places: np.ndarray) -> np.ndarray:
        """Return moves (int64[steps]) that a state gave without ``Needs.moves``; in a compiled problem, as they are."""
        return places

    def things_of(self, moves: np.ndarray) -> Any:
        """Return moves (int64[steps]) as another process can read them; in a compiled problem, as they are."""
        return moves

    def numbers_of(self, things: Any) -> np.ndarray:
        """Return what ``things_of`` gave elsewhere as the moves of this model, int64[steps]."""
        return np.asarray(things, np.int64)
