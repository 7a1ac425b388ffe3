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
        """Return the moves that can be made in ``state``; none ends the playout."""
        ...

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after ``move``."""
        ...

    def score(self, state: Any) -> float:
        """Return the score of a final state."""
        ...

    def code(self, state: Any, move: Any) -> Hashable:
        """Return what the policy learns about ``move`` under."""
        ...

    def bias(self, state: Any, move: Any) -> float:
        """Return β of the move."""
        ...

    def copy(self, state: Any) -> Any:
        """Return a copy of ``state``."""
        ...
