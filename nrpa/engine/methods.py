"""What the engine asks of a problem in plain Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import islice
from typing import Any, Protocol

from nrpa.base.errors import ProblemError

MOST_MOVES = 1_000_000


class PythonMethods(Protocol):
    """The methods of a problem in plain Python (see ``nrpa.Problem``)."""

    def initial_state(self) -> Any:
        """Return the state in which every playout begins."""
        ...

    def legal_moves(self, state: Any) -> Iterable[Hashable]:
        """Return the legal moves of ``state``; none ends the playout."""
        ...

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after ``move``."""
        ...

    def score(self, state: Any) -> float:
        """Return the score of a final state."""
        ...

    def code(self, state: Any, move: Any) -> Hashable:
        """Return the code of ``move``: the policy has one weight for each code."""
        ...

    def bias(self, state: Any, move: Any) -> float:
        """Return the bias β of ``move``."""
        ...

    def player(self, state: Any) -> int:
        """Return whose turn it is, 0 to players - 1."""
        ...

    def rewards(self, state: Any) -> Iterable[float]:
        """Return what each player gets in a final state."""
        ...

    def key(self, state: Any) -> Hashable:
        """Return what tells a state from others."""
        ...

    def copy(self, state: Any) -> Any:
        """Return a copy of ``state``."""
        ...


def listed(methods: PythonMethods, given: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Return what ``legal_moves`` gave as a tuple. Raises ProblemError for a generator that seems to have no end."""
    if isinstance(given, (list, tuple)):
        return tuple(given)
    moves = tuple(islice(given, MOST_MOVES + 1))
    if len(moves) > MOST_MOVES:
        what = f"legal_moves gave more than {MOST_MOVES:,} moves of a {type(given).__name__}; expected one with an end"
        raise ProblemError(f"{type(methods).__name__}: {what}")
    return moves
