"""What the engine drives: the same small thing behind problems in plain Python and compiled ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

Numbering = tuple[list[Hashable], list[Hashable]]


class Limits(NamedTuple):
    """How much a playout can need.

    steps: the most moves of a playout. moves: the most legal moves of a state. total: the most legal moves that a
    whole playout can meet, summed over its states.
    grow: whether ``moves`` and ``total`` are only a beginning, because nobody knows them: work areas then grow.
    """

    steps: int
    moves: int
    total: int
    grow: bool = False


class Model:
    """An instance, its states and its limits.

    name: of the problem's class, for messages. title: what it is called in the log.
    instance: a NamedTuple of arrays and numbers that no kernel writes to.
    limits: how much a playout can need.
    codes: the number of codes if they are 0 to codes - 1, or None for arbitrary 64-bit codes (hashes).
    bias_by_move: whether ``legal_moves`` writes e^β of each move into ``moves.exp_bias``, and searches read it.
    bias_replaced: whether the caller gave a β, so that what ``legal_moves`` writes is left unread on purpose.
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
        raise_kept_error: Callable[[], None] | None = None,
    ) -> None:
        self.name = name
        self.title = title or name
        self.instance = instance
        self.limits = limits
        self.codes = codes
        self.bias_by_move = bias_by_move
        self.bias_replaced = bias_replaced
        self._new_state = new_state
        self._raise_kept_error = raise_kept_error

    def new_state(self) -> Any:
        """Return a state with arrays of its own, in any condition: the kernel ``reset`` fills them."""
        return self._new_state()

    def raise_kept_error(self) -> None:
        """Raise the exception that Python code called by a kernel of this thread raised, once, if there was one."""
        if self._raise_kept_error is not None:
            self._raise_kept_error()

    def code_number(self, code: Any) -> int:
        """Return what kernels call ``code``."""
        return int(code)

    def numbering(self) -> Numbering:
        """Return the moves and the codes that have been given numbers, in their order; none in a compiled problem."""
        return [], []

    def adopt(self, numbering: Numbering) -> bool:
        """Take the numbers of moves and codes from another model of the problem; return whether that can be."""
        return True
