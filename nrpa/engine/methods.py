"""What the engine asks of a problem in plain Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Protocol


class PythonMethods(Protocol):
    """The methods of a problem in plain Python, as its author writes them (see ``nrpa.Problem``)."""

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
